import assert from 'node:assert/strict';
import { scrollsToResult } from '../../../../src/webview/runner/runnerResult.tsx';

describe('The result of Run Tool', () => {
  it('comes into view when a run starts, and when one was made elsewhere', () => {
    assert.equal(scrollsToResult('none', 'waiting', false), true);
    assert.equal(scrollsToResult('ended', 'waiting', false), true);
    assert.equal(scrollsToResult('none', 'ended', false), true);
  });

  it('stays where the person has scrolled it to while one goes on', () => {
    assert.equal(scrollsToResult('waiting', 'running', false), false);
    assert.equal(scrollsToResult('running', 'ended', false), false);
    assert.equal(scrollsToResult('running', 'ended', true), true, 'but its beginning is shown to whoever looks at it');
  });
});
