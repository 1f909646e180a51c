import assert from 'node:assert/strict';
import { runInLanes } from '../support/run/lanes.mjs';

describe('Jobs in lanes', () => {
  it('run side by side as far as there is room, and give their results in the order of the list', async () => {
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const job = (name: string, lanes: number): Parameters<typeof runInLanes<string>>[1][number] => ({
      lanes,
      run: () =>
        new Promise((resolve) => {
          begun.push(name);
          ends.set(name, () => resolve(name));
        }),
    });
    const end = async (name: string): Promise<readonly string[]> => {
      ends.get(name)?.();
      await new Promise((resolve) => setImmediate(resolve));
      return begun.splice(0);
    };
    const results = runInLanes(2, [job('long', 1), job('half', 0.5), job('whole', 1), job('other half', 0.5), job('last', 1)]);
    assert.deepEqual(begun.splice(0), ['long', 'half', 'other half']);
    assert.deepEqual(await end('half'), [], 'half a lane is no room for a whole one');
    assert.deepEqual(await end('other half'), ['whole']);
    assert.deepEqual(await end('long'), ['last']);
    await end('last');
    await end('whole');
    assert.deepEqual(await results, ['long', 'half', 'whole', 'other half', 'last']);
  });

  it('have the whole room again after jobs that each took a third of it', async () => {
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const jobs = [0.33, 0.33, 0.33, 1, 1].map((lanes, index) => ({
      lanes,
      run: () =>
        new Promise<void>((resolve) => {
          begun.push(index);
          ends.push(resolve);
        }),
    }));
    const results = runInLanes(2, jobs);
    assert.deepEqual(begun, [0, 1, 2, 3]);
    ends.slice(0, 3).forEach((end) => end());
    await new Promise((resolve) => setImmediate(resolve));
    const beside = [...begun];
    ends[3]?.();
    await new Promise((resolve) => setImmediate(resolve));
    ends[4]?.();
    await results;
    assert.deepEqual(beside, [0, 1, 2, 3, 4]);
  });

  it('run one by one where each takes more than there is', async () => {
    let running = 0;
    const run = async (): Promise<number> => {
      running += 1;
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return running;
    };
    assert.deepEqual(
      await runInLanes(
        1,
        [2, 2, 2].map((lanes) => ({ lanes, run })),
      ),
      [0, 0, 0],
    );
  });
});
