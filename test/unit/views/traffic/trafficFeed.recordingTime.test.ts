import assert from 'node:assert/strict';
import { RecordingTime } from '../../../../src/views/traffic/trafficFeed.ts';

describe('The time of a recording', () => {
  it('begins when something is recorded first, and has a gap once nothing was', () => {
    const time = new RecordingTime();
    time.set(false, 1);
    assert.deepEqual([time.since, time.hasGaps], [0, false]);
    time.set(true, 2);
    time.set(true, 3);
    assert.deepEqual([time.since, time.hasGaps], [2, false]);
    time.set(false, 4);
    time.set(true, 5);
    assert.deepEqual([time.since, time.hasGaps], [2, true]);
  });

  it('begins anew when everything is cleared: not before it goes on', () => {
    const time = new RecordingTime();
    time.set(true, 1);
    time.set(false, 2);
    time.clear(3);
    assert.deepEqual([time.since, time.hasGaps], [0, false]);
    time.set(true, 4);
    assert.deepEqual([time.since, time.hasGaps], [4, false]);
    time.clear(5);
    assert.deepEqual([time.since, time.hasGaps], [5, false]);
  });
});
