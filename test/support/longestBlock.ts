import { readFileSync } from 'node:fs';
import process from 'node:process';

const tickMs = 2;

/**
 * How long, at most, nothing else could happen in this process while `work` was under way. Time in which the machine had
 * others to serve does not count, where the system tells it: that would say more of them than of the work.
 */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now() - waitedMs();
  const look = (): void => {
    const now = performance.now() - waitedMs();
    longest = Math.max(longest, now - last - tickMs);
    last = now;
  };
  const timer = setInterval(look, tickMs);
  try {
    await work();
    look();
  } finally {
    clearInterval(timer);
  }
  return Math.max(0, longest);
}

/** How often others had their turn while `work` was under way. */
export async function turnsOfOthers(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return turns;
}

/** How long `work` took, without the time in which the machine had others to serve. */
export async function ownTime(work: () => unknown): Promise<number> {
  const begun = performance.now() - waitedMs();
  await work();
  return performance.now() - waitedMs() - begun;
}

/** How long the main thread was ready to run but had no processor, since it began. */
export function waitedMs(): number {
  if (process.platform !== 'linux') {
    return 0;
  }
  try {
    const [, nanoseconds = '0'] = readFileSync('/proc/self/schedstat', 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return 0; // a kernel that does not count it
  }
}
