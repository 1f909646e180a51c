import assert from 'node:assert/strict';
import { emptyText, noTraffic, statusText } from '../../../../src/webview/traffic/trafficState.ts';

describe('What the traffic says of itself', () => {
  const status = { isPaused: false, isKept: false, since: 1, hasGaps: false };
  const say = (more: Partial<typeof status>): string => statusText({ ...noTraffic, status: { ...status, ...more } }, 0);

  it('is since when it was recorded, and that there were gaps', () => {
    assert.match(say({}), /^0 messages since [^·]*$/);
    assert.match(say({ hasGaps: true }), / since .* · not while hidden or paused$/);
  });

  it('is no time while nothing was recorded', () => {
    assert.equal(say({ isPaused: true, since: 0 }), 'Paused · 0 messages');
  });

  it('is why there is nothing yet', () => {
    assert.equal(emptyText({ isPaused: true, since: 0 }), 'Recording is paused.');
    assert.match(emptyText({ isPaused: false, since: 1 }), /^Recording since .*\.$/);
  });
});
