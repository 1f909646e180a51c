import assert from 'node:assert/strict';
import { Ordered } from '../../../src/base/ordered.ts';
import { Slices } from '../../../src/base/slices.ts';

const byValue = (a: number, b: number): number => a - b;

/** The same ones in every run, in no order. */
function scattered(count: number): number[] {
  return Array.from({ length: count }, (_, index) => (index * 7_919) % 104_729);
}

describe('A list in order', () => {
  it('gives its items as a sorted list would, equal ones as often as they are there', async () => {
    for (const items of [[], [3], [2, 1], [5, 3, 5, 1, 1, 4], scattered(1_000)]) {
      const ordered = await Ordered.of(items, byValue, new Slices());
      const sorted = [...items].sort(byValue);
      assert.equal(ordered.first, sorted[0]);
      assert.deepEqual([...ordered.take(2), ...ordered.take(items.length)], sorted);
      assert.equal(ordered.next(), undefined);
    }
  });

  it('sorts no more than is taken of it', async () => {
    const items = scattered(100_000);
    let looks = 0;
    const counting = (a: number, b: number): number => {
      looks += 1;
      return byValue(a, b);
    };
    const ordered = await Ordered.of(items, counting, new Slices());
    assert.deepEqual(ordered.take(100), [...items].sort(byValue).slice(0, 100));
    assert.ok(looks < 3 * items.length, `${looks} looks`);
  });

  it('leaves what it was made of as it is', async () => {
    const items = scattered(10);
    (await Ordered.of(items, byValue, new Slices())).take(10);
    assert.deepEqual(items, scattered(10));
  });
});
