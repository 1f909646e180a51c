import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

export interface SoakOrder {
  readonly ms: number;
  readonly seed: number;
  readonly count: number;
}

/** What a soak saw. `faults` is empty when nothing was lost, and nothing left. */
export interface SoakFigures {
  readonly counts: Readonly<Record<string, number>>;
  /** The longest time in which nothing else could happen in the process that is tested; undefined where that is another one. */
  readonly blockMs?: number;
  /** The most that this process worked meanwhile: what else a block is made of, the machine did. */
  readonly workMs?: number;
  /** How the memory in use grew from the middle to the end, in MB a minute. */
  readonly growth?: number;
  readonly faults: readonly string[];
}

/** In how many rounds a soak goes: between them its memory is looked at. */
export const rounds = 6;

interface Sample {
  readonly at: number;
  readonly bytes: number;
}

/** Memory in use, looked at now and then; exact only where garbage can be collected on demand (`node --expose-gc`). */
export class MemoryWatch {
  readonly #samples: Sample[] = [];

  async look(): Promise<void> {
    const { gc } = globalThis;
    await gc?.({ type: 'major', execution: 'async' });
    this.#samples.push({ at: performance.now(), bytes: process.memoryUsage().heapUsed });
  }

  /** In MB a minute, over the second half: the first one fills what is bounded. */
  growth(): number {
    const half = this.#samples.slice(Math.floor(this.#samples.length / 2));
    const [first, last] = [half[0], half.at(-1)];
    return first === undefined || last === undefined || first === last
      ? 0
      : (last.bytes - first.bytes) / 2 ** 20 / ((last.at - first.at) / 60_000);
  }
}

/** Calls `act` again and again, each time after a pause of about `everyMs`, until the time is over. */
export async function nowAndThen(ms: number, everyMs: number, random: () => number, act: () => Promise<void> | void): Promise<void> {
  const until = performance.now() + ms;
  for (;;) {
    const pause = everyMs * (0.5 + random());
    if (performance.now() + pause >= until) {
      return;
    }
    await sleep(pause);
    await act();
  }
}

/** Sockets, servers, children and watchers that are open, by kind; not what comes and goes by itself, and not our own output. */
export function openHandles(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) {
    if (/^(?:TCP|Process|PipeServer|FSEvent)/.test(kind)) {
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
  }
  return counts;
}

/** Handles that are open now and were not open before. */
export function leftOver(before: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(openHandles())
    .filter(([kind, count]) => count > (before[kind] ?? 0))
    .map(([kind, count]) => `${count - (before[kind] ?? 0)} of ${kind} are left`);
}

/** Adds up what several rounds saw. */
export class Counts {
  readonly #all: Record<string, number> = {};

  add(counts: Readonly<Record<string, number>>): void {
    for (const [name, count] of Object.entries(counts)) {
      this.#all[name] = (this.#all[name] ?? 0) + count;
    }
  }

  all(): Readonly<Record<string, number>> {
    return this.#all;
  }
}
