import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { SpreadWork } from '../../../../../src/server/wire/transports/spreadWork.ts';
import { turnsOfOthers } from '../../../../support/longestBlock.ts';

describe('Work that comes all at once', () => {
  /** Works for so many ms. */
  const busy = (ms: number): void => {
    const until = performance.now() + ms;
    while (performance.now() < until);
  };

  it('is done at once while it is little', () => {
    const spread = new SpreadWork();
    const done: number[] = [];
    [1, 2, 3].forEach((each) => spread.run(() => done.push(each)));
    assert.deepEqual(done, [1, 2, 3]);
  });

  it('is spread over turns when it is much, in its order, and others have theirs in between', async () => {
    const spread = new SpreadWork();
    const done: number[] = [];
    const all = Array.from({ length: 60 }, (_, index) => index);
    const work = (): Promise<void> =>
      new Promise((resolve) => {
        for (const each of all) {
          spread.run(() => {
            busy(5);
            done.push(each);
            if (done.length === all.length) {
              resolve();
            }
          });
        }
        assert.ok(done.length < 20, `${done.length} in the first turn`);
      });
    const turns = await turnsOfOthers(work);
    assert.deepEqual(done, all);
    assert.ok(turns > 5, `${turns} turns of others`);
  });

  it('counts as little again in a later turn', async () => {
    const spread = new SpreadWork();
    let done = 0;
    for (let each = 1; each <= 10; each += 1) {
      spread.run(() => {
        busy(5);
        done += 1;
      });
      assert.equal(done, each);
      await turn();
      await turn();
    }
  });
});
