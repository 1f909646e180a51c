import assert from 'node:assert/strict';
import process from 'node:process';
import { setLeakTracker } from '../../src/base/lifecycle.ts';

describe('The leak check', () => {
  it('watches the very module that tests make their disposables with', () => {
    const tracker = setLeakTracker(undefined);
    setLeakTracker(tracker);
    // A single file in the debugger runs without it.
    assert.equal(tracker !== undefined, process.argv.includes('checkLeaks'));
  });
});
