import { setTimeout as sleep } from 'node:timers/promises';
import { webSocketTarget } from '../../bench/loadTargets.ts';
import { randomFrom } from '../random.ts';
import { leftOver, openHandles, type SoakFigures, type SoakOrder } from './figures.ts';
import { SoakedStorage, type SoakedWindow } from './storage.ts';

/**
 * Several windows at once on the same storage, each killed again and again while it serves and writes, and opened anew: the next one
 * finds all that was stored, clients hear of every end, and when the last ones have ended by themselves nothing is left of the others.
 */
export async function soakKilledWindows({ ms, seed, count }: SoakOrder): Promise<SoakFigures> {
  const before = openHandles();
  const storage = await SoakedStorage.make();
  const names = Array.from({ length: count }, (_, index) => `window${index}`);
  const until = performance.now() + ms;
  try {
    await Promise.all(
      names.map(async (name, index) => {
        const random = randomFrom(seed + index);
        while (performance.now() < until) {
          await killOnce(storage, name, random);
        }
      }),
    );
    await storage.check(names);
    return { counts: storage.seen.all(), faults: [...storage.faults, ...leftOver(before)] };
  } finally {
    await storage.remove();
  }
}

async function killOnce(storage: SoakedStorage, name: string, random: () => number): Promise<void> {
  const window = await storage.open(name);
  const calling = callUntilGone(window, storage);
  await window.untilStored();
  await sleep(random() * 500);
  await window.kill();
  storage.seen.add({ kills: 1 });
  await calling;
}

/** Each call has its answer, or hears that nobody will answer. */
async function callUntilGone(window: SoakedWindow, { seen }: SoakedStorage): Promise<void> {
  const { urls, token } = await window.opened;
  const target = await webSocketTarget('ws', urls.ws, token, true).catch(() => undefined);
  try {
    while (target !== undefined) {
      await target.call();
      seen.add({ calls: 1 });
      await sleep(5);
    }
  } catch {
    seen.add({ endsHeardOf: 1 });
  }
  target?.close?.();
}
