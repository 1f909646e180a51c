import { setTimeout as sleep } from 'node:timers/promises';

export interface WindowWatchOptions {
  /** Since when the oldest request that was not answered waits, by `performance.now()`. */
  readonly waitingSince: () => number | undefined;
  /** Asks the window whether its page answers. Never rejects. */
  readonly isSilent: () => Promise<boolean>;
  /** How long a request may wait before that is asked. */
  readonly patienceMs: number;
  /** A page may be busy for a moment: it is asked a second time after this. */
  readonly againMs: number;
}

/**
 * Resolves to true when the window has to be left: a request waits, and twice its page did not answer. The extensions of a page
 * that is gone live on for minutes, and say so to nobody; that they report progress proves nothing. To false when `over` fires.
 */
export async function becomesSilent(options: WindowWatchOptions, over: AbortSignal): Promise<boolean> {
  const { patienceMs, againMs } = options;
  let isSuspect = false;
  while (!over.aborted) {
    const since = options.waitingSince();
    const waits = since === undefined ? patienceMs : Math.max(0, since + patienceMs - performance.now());
    if (since === undefined || waits > 0) {
      isSuspect = false;
      await sleep(waits, undefined, { signal: over }).catch(() => undefined);
      continue;
    }
    const isSilent = await options.isSilent();
    if (isSilent && isSuspect) {
      return !over.aborted;
    }
    isSuspect = isSilent;
    await sleep(isSilent ? againMs : patienceMs, undefined, { signal: over }).catch(() => undefined);
  }
  return false;
}
