import { readFileSync } from 'node:fs';
import process from 'node:process';

const tickMs = 2;

export interface LongestBlocks {
  /** How long, at most, nothing else could happen, without the time in which the main thread was known to wait for a processor. */
  readonly blockMs: number;
  /** How long, at most, the main thread had a processor meanwhile: that is work, and neither a machine that stood still nor a disk. */
  readonly workMs: number;
}

/**
 * How long, at most, nothing else could happen in this process while `work` was under way. Time in which the machine had
 * others to serve does not count, where the system tells it: that would say more of them than of the work.
 */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  return (await longestBlocks(work)).blockMs;
}

/** The same in two ways. */
export async function longestBlocks(work: () => Promise<unknown>): Promise<LongestBlocks> {
  let [blockMs, workMs] = [0, 0];
  let last = threadTimes();
  const look = (): void => {
    const now = threadTimes();
    blockMs = Math.max(blockMs, now.unhindered - last.unhindered - tickMs);
    workMs = Math.max(workMs, now.worked - last.worked);
    last = now;
  };
  const timer = setInterval(look, tickMs);
  try {
    await work();
    look();
  } finally {
    clearInterval(timer);
  }
  return { blockMs, workMs };
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

function threadTimes(): { readonly unhindered: number; readonly worked: number } {
  const { workedMs, waitedMs: hindered } = scheduled();
  return { unhindered: performance.now() - hindered, worked: workedMs };
}

/** How long the main thread was ready to run but had no processor, since it began. */
export function waitedMs(): number {
  return scheduled().waitedMs;
}

/** How long the main thread had a processor, and waited for one, since it began. */
function scheduled(): { readonly workedMs: number; readonly waitedMs: number } {
  try {
    const [worked = 0, waited = 0] = readFileSync('/proc/self/schedstat', 'utf8').split(' ').map(Number);
    return { workedMs: worked / 1e6, waitedMs: waited / 1e6 };
  } catch {
    // Another system, or a kernel that does not count it.
    const { user, system } = process.cpuUsage();
    return { workedMs: (user + system) / 1e3, waitedMs: 0 };
  }
}
