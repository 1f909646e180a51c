import assert from 'node:assert/strict';
import { Refresher } from '../../../../src/host/intake/listReading.ts';

describe('A list that changes', () => {
  it('is read again less and less often while every look is followed by a change, and soon again after a quiet time', async () => {
    const pauses: number[] = [];
    let now = 0;
    let changes = 14;
    let onQuiet: () => void = () => undefined;
    const read = async (): Promise<void> => {
      changes -= 1;
      if (changes > 0) {
        refresher.request();
      } else {
        setImmediate(onQuiet);
      }
    };
    const sleep = async (ms: number): Promise<void> => {
      pauses.push(ms);
      now += ms;
    };
    const refresher = new Refresher(read, new AbortController().signal, { sleep, now: () => now });
    const isQuiet = (): Promise<void> => new Promise((resolve) => (onQuiet = resolve));
    const first = isQuiet();
    refresher.request();
    await first;
    assert.deepEqual(pauses.slice(0, 5), [100, 200, 400, 800, 1_600]);
    assert.deepEqual(pauses.slice(-5), [51_200, 60_000, 60_000, 60_000, 60_000]);
    now += 121_000;
    changes = 1;
    const second = isQuiet();
    refresher.request();
    await second;
    assert.equal(pauses.at(-1), 100);
  });

  it('is read soon again only after the rest that its reader wants', async () => {
    const pauses: number[] = [];
    let now = 0;
    let onRead: () => void = () => undefined;
    const sleep = async (ms: number): Promise<void> => void pauses.push(ms);
    const read = async (): Promise<void> => void setImmediate(() => onRead());
    const refresher = new Refresher(read, new AbortController().signal, { sleep, now: () => now, restMs: 60_000 });
    for (const waitMs of [0, 10_000, 50_000, 61_000]) {
      now += waitMs;
      const isRead = new Promise<void>((resolve) => (onRead = resolve));
      refresher.request();
      await isRead;
    }
    assert.deepEqual(pauses, [100, 200, 400, 100]);
  });
});
