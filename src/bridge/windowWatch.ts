import { setTimeout as sleep } from 'node:timers/promises';

export interface WindowWatchOptions {
  /** Since when the oldest request that was not answered waits, by `performance.now()`. */
  readonly waitingSince: () => number | undefined;
  /** Asks the window whether its page answers. Never rejects. */
  readonly isSilent: () => Promise<boolean>;
  /** How long a request may wait before that is asked. */
  readonly patienceMs: number;
  /** A page may be busy or away for a moment: it is asked again and again after this, */
  readonly againMs: number;
  /** for so long. */
  readonly maxSilenceMs: number;
}

/**
 * Resolves to true when the window has to be left: a request waited, and its page has not answered since for too long. The
 * extensions of a page that is gone live on for minutes, and say so to nobody; that they report progress proves nothing. To false
 * when `over` fires.
 */
export async function becomesSilent(options: WindowWatchOptions, over: AbortSignal): Promise<boolean> {
  const { patienceMs, againMs, maxSilenceMs } = options;
  const pause = (milliseconds: number): Promise<void> => sleep(milliseconds, undefined, { signal: over }).catch(() => undefined);
  let silentSince: number | undefined;
  while (!over.aborted) {
    const since = options.waitingSince();
    // While nothing waits, a look every ten seconds is enough: a request that comes meanwhile is asked about that much later.
    const waits = since === undefined ? 2 * patienceMs : Math.max(0, since + patienceMs - performance.now());
    // Once it was silent that is followed to its end, also when the request was given up by then: the next one would only wait, too.
    if (silentSince === undefined && (since === undefined || waits > 0)) {
      await pause(waits);
      continue;
    }
    const askedAt = performance.now();
    if (!(await options.isSilent())) {
      silentSince = undefined;
      await pause(patienceMs);
    } else if (silentSince !== undefined && performance.now() - silentSince >= maxSilenceMs) {
      return !over.aborted;
    } else {
      silentSince ??= askedAt;
      await pause(againMs);
    }
  }
  return false;
}
