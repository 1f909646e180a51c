import { setTimeout as sleep } from 'node:timers/promises';
import { openSession } from '../../bench/httpPost.ts';
import { sessionTarget, webSocketTarget } from '../../bench/loadTargets.ts';
import { randomFrom } from '../random.ts';
import { leftOver, openHandles, type SoakFigures, type SoakOrder } from './figures.ts';
import { SoakedStorage, type SoakedWindow } from './storage.ts';

/** Longer than a lock is kept for somebody who shows no life. */
const minAsleepMs = 10_500;

/**
 * Several windows at once on the same storage, which are stopped in turn in the midst of writing while the others go on. Each wakes up
 * some seconds later, when its locks were taken for those of the dead, with a clock that is hours ahead and all its timers late.
 */
export async function soakSleepingWindows({ ms, seed, count }: SoakOrder): Promise<SoakFigures> {
  const before = openHandles();
  const random = randomFrom(seed);
  const storage = await SoakedStorage.make();
  const names = Array.from({ length: count }, (_, index) => `window${index}`);
  const until = performance.now() + ms;
  try {
    const windows = await Promise.all(names.map((name) => storage.open(name)));
    for (let turn = 0; turn === 0 || performance.now() < until; turn += 1) {
      const window = windows[turn % count];
      if (window !== undefined) {
        await sleepOnce(window, storage, random);
      }
    }
    await Promise.all(windows.map((window) => window.end()));
    await storage.check(names);
    return { counts: storage.seen.all(), faults: [...storage.faults, ...leftOver(before)] };
  } finally {
    await storage.remove();
  }
}

/** Who is connected is answered when the window is awake again; a session that nobody used through the night is over. */
async function sleepOnce(window: SoakedWindow, { seen, faults }: SoakedStorage, random: () => number): Promise<void> {
  const { urls, token } = await window.opened;
  const connected = await webSocketTarget('ws', urls.ws, token, true);
  await openSession(urls.mcp, token);
  await window.untilStored();
  await sleep(random() * 300);
  window.stopForAWhile();
  const answered = connected.call();
  await sleep(minAsleepMs + random() * 3_000);
  const sessions = await window.wake();
  if (sessions > 0) {
    faults.push(`${sessions} sessions that nobody used for hours are left`);
  }
  const anew = sessionTarget('mcp', urls.mcp, token).then((target) => target.call());
  const ends = await Promise.allSettled([answered, connected.call(), anew, window.untilStored()]);
  faults.push(...ends.flatMap((end) => (end.status === 'rejected' ? [`after a night: ${String(end.reason)}`] : [])));
  seen.add({ nights: 1, calls: 3 });
  connected.close?.();
}
