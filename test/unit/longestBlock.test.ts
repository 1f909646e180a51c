import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { longestBlock } from '../support/longestBlock.ts';

function compute(milliseconds: number): void {
  const begun = process.cpuUsage();
  for (let used = { user: 0, system: 0 }; used.user + used.system < milliseconds * 1_000;) {
    used = process.cpuUsage(begun);
  }
}

describe('The longest block', () => {
  it('is the time of the work during which nothing else could happen, whether it computes or waits', async () => {
    const computing = await longestBlock(async () => {
      await turn();
      compute(150);
    });
    assert.ok(computing > 60, `${computing} ms of 150`);
    const waiting = await longestBlock(async () => {
      await turn();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
    });
    assert.ok(waiting > 60, `${waiting} ms of 150`);
  });
});
