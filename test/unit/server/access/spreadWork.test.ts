import assert from 'node:assert/strict';
import { handling, SpreadWork } from '../../../../src/server/access/spreadWork.ts';
import { turnsOfOthers } from '../../../support/longestBlock.ts';

/** Works for so many ms. */
function busy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('Work that comes all at once', () => {
  const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

  /** Does all, and returns when each piece was done: 0 is at once, and the others are turns. */
  async function turnsOf(spread: SpreadWork, count: number): Promise<readonly (readonly number[])[]> {
    const turns: number[][] = [[]];
    await new Promise<void>((resolve) => {
      let left = count;
      const tick = (): void => {
        if (left > 0) {
          turns.push([]);
          setImmediate(tick);
        } else {
          resolve();
        }
      };
      setImmediate(tick);
      for (const each of numbers(count)) {
        spread.run(() => {
          turns.at(-1)?.push(each);
          left -= 1;
        });
      }
    });
    return turns.filter(({ length }) => length > 0);
  }

  it('is done at once while it is little, and says so', () => {
    const spread = new SpreadWork((done) => done >= 3);
    const done: number[] = [];
    const wasDone = [1, 2, 3, 4].map((each) => spread.run(() => done.push(each)));
    assert.deepEqual(
      [done, wasDone],
      [
        [1, 2, 3],
        [true, true, true, false],
      ],
    );
  });

  it('is spread over turns when it is much, in its order', async () => {
    const turns = await turnsOf(new SpreadWork((done) => done >= 3), 10);
    assert.deepEqual(turns.flat(), numbers(10));
    assert.deepEqual(
      turns.map(({ length }) => length),
      [3, 3, 3, 1],
    );
  });

  it('counts as little again in a later turn', async () => {
    const spread = new SpreadWork((done) => done >= 1);
    assert.deepEqual(await turnsOf(spread, 1), [[0]]);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(
      spread.run(() => undefined),
      true,
    );
  });

  it('comes after work that waits already, even when there is time', async () => {
    const spread = new SpreadWork((done) => done >= 1);
    const done: string[] = [];
    await new Promise<void>((resolve) => {
      spread.run(() => done.push('first'));
      spread.run(() => done.push('second'));
      setImmediate(() => {
        spread.run(() => {
          done.push('third');
          resolve();
        });
      });
    });
    assert.deepEqual(done, ['first', 'second', 'third']);
  });

  it('has its promises settled before the next of what waited, so that they count, too', async () => {
    const spread = new SpreadWork((done) => done >= 3);
    const done: string[] = [];
    await new Promise<void>((resolve) => {
      for (const each of numbers(6)) {
        spread.run(() => {
          done.push(`${each} begins`);
          void Promise.resolve()
            .then(() => undefined)
            .then(() => {
              done.push(`${each} ends`);
              if (each === 5) {
                resolve();
              }
            });
        });
      }
    });
    assert.deepEqual(done.slice(-6), ['3 begins', '3 ends', '4 begins', '4 ends', '5 begins', '5 ends']);
  });

  it('of clients leaves others their turns', async () => {
    const all = numbers(60);
    const done: number[] = [];
    const turns = await turnsOfOthers(
      () =>
        new Promise<void>((resolve) => {
          for (const each of all) {
            handling.run(() => {
              busy(5);
              done.push(each);
              if (done.length === all.length) {
                resolve();
              }
            });
          }
        }),
    );
    assert.deepEqual(done, all);
    assert.ok(turns > 10, `${turns} turns of others`);
  });
});
