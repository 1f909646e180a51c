import { PerformanceObserver } from 'node:perf_hooks';
import { waitedMs } from '../support/longestBlock.ts';

/** The longest time in which nothing else could happen. */
export interface Stall {
  readonly stallMs: number;
  /** What of it was collecting garbage: of everybody's in this process, not only of who was called then. */
  readonly garbageMs: number;
}

export interface StallWatch {
  longest(from: number, to: number): Stall;
  stop(): void;
}

interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly ms: number;
}

export const tickMs = 2;

export const epochNow = (): number => performance.timeOrigin + performance.now();

/** How long nothing else could happen in this process, but for the time in which the machine had others to serve. */
export function watchStalls(): StallWatch {
  const blocks: Stretch[] = [];
  const collections: Stretch[] = [];
  const keep = (entries: readonly PerformanceEntry[]): void => {
    for (const { startTime, duration } of entries) {
      const from = performance.timeOrigin + startTime;
      collections.push({ from, to: from + duration, ms: duration });
    }
  };
  const observer = new PerformanceObserver((list) => keep(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  let lastEpoch = epochNow();
  let lastOwn = performance.now() - waitedMs();
  const timer = setInterval(() => {
    const own = performance.now() - waitedMs();
    const to = epochNow();
    blocks.push({ from: lastEpoch, to, ms: own - lastOwn - tickMs });
    lastOwn = own;
    lastEpoch = to;
  }, tickMs);
  return {
    longest: (from, to) => {
      keep(observer.takeRecords());
      const longest = blocks.filter((block) => block.to >= from && block.to <= to).sort((a, b) => b.ms - a.ms)[0];
      if (longest === undefined) {
        return { stallMs: 0, garbageMs: 0 };
      }
      const inside = collections.filter((each) => each.from >= longest.from && each.to <= longest.to);
      const collected = inside.reduce((sum, { ms }) => sum + ms, 0);
      // A collection, too, waits for the machine, and nobody counts for how long.
      return { stallMs: longest.ms, garbageMs: Math.min(collected, longest.ms) };
    },
    stop: () => {
      clearInterval(timer);
      observer.disconnect();
    },
  };
}
