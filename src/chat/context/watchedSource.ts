import type { Clock } from '../../base/clock.ts';
import { toDisposable, type Disposable } from '../../base/lifecycle.ts';
import type { ContextReading, ContextRef, ContextSources } from './contextSources.ts';

/** Typing fires with every key. */
const settleMs = 400;
/** A source that does not answer is looked at again with its next change. */
const maxLookMs = 10_000;

export interface WatchOptions {
  readonly sources: ContextSources;
  readonly clock: Clock;
  /** What it read as when it was attached. */
  readonly version: string;
  /** What it reads as now; undefined when it cannot be read any more. Only when that is something else. */
  readonly onChanged: (reading: ContextReading | undefined) => void;
}

/** Looks again, a moment after each change, whether what was attached is still what is there. */
export function watchSource(ref: ContextRef, { sources, clock, version, onChanged }: WatchOptions): Disposable {
  const over = new AbortController();
  let known: string | undefined = version;
  let timer: Disposable | undefined;
  let isLooking = false;
  const look = async (): Promise<void> => {
    isLooking = true;
    try {
      const reading = await readNow(ref, sources, over.signal);
      if (!over.signal.aborted && reading?.version !== known) {
        known = reading?.version;
        onChanged(reading);
      }
    } finally {
      isLooking = false;
    }
  };
  const lookSoon = (): void => {
    timer?.dispose();
    timer = clock.schedule(settleMs, () => (isLooking ? lookSoon() : void look()));
  };
  const watching = sources.watch(ref, lookSoon);
  return toDisposable(() => {
    over.abort();
    timer?.dispose();
    watching.dispose();
  });
}

async function readNow(ref: ContextRef, sources: ContextSources, signal: AbortSignal): Promise<ContextReading | undefined> {
  try {
    return await sources.read(ref, AbortSignal.any([signal, AbortSignal.timeout(maxLookMs)]));
  } catch {
    return undefined; // gone, or no longer what can be attached
  }
}
