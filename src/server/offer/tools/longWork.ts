import { abortError } from '../../../base/abort.ts';
import type { CallContext } from '../catalog/callContext.ts';

const pulseMs = 5_000;

/** A client that hears of no progress gives up on a call soon after this; the work goes on. */
export const silentPatienceMs = 25_000;

interface LongWork<T> {
  readonly ended: Promise<T>;
  /** Read at every pulse. */
  readonly message: string;
  readonly stop: () => void;
  readonly timeLimit?: number | undefined;
}

/**
 * Follows work that takes its time: says that it goes on to those who asked for progress, and stops it when the call is
 * cancelled. `timeLimit` stops it too and ends the wait with `undefined`; for those who hear of no progress the wait ends
 * with `goesOn` before they lose patience.
 */
export async function follow<T>(call: CallContext, work: LongWork<T>): Promise<T | 'goesOn' | undefined> {
  if (call.wantsProgress) {
    return followToTheEnd(call, work);
  }
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<'goesOn'>((resolve) => {
    timer = setTimeout(() => resolve('goesOn'), silentPatienceMs);
  });
  try {
    return await followToTheEnd<T | 'goesOn'>(call, { ...work, ended: Promise.race([work.ended, patience]) });
  } finally {
    clearTimeout(timer);
  }
}

async function followToTheEnd<T>(call: CallContext, work: LongWork<T>): Promise<T | undefined> {
  const { signal } = call;
  const timers = new Set<NodeJS.Timeout>();
  let beats = 0;
  if (call.wantsProgress) {
    timers.add(setInterval(() => call.reportProgress((beats += 1), work.message), pulseMs));
  }
  let onAbort: (() => void) | undefined;
  const cancelled = new Promise<'cancelled'>((resolve) => {
    onAbort = (): void => resolve('cancelled');
    signal.addEventListener('abort', onAbort, { once: true });
  });
  const late = new Promise<'late'>((resolve) => {
    if (work.timeLimit !== undefined) {
      timers.add(setTimeout(() => resolve('late'), work.timeLimit));
    }
  });
  try {
    const ended = work.ended.then((value) => ({ value }));
    const first = signal.aborted ? 'cancelled' : await Promise.race([ended, cancelled, late]);
    if (typeof first === 'object') {
      return first.value;
    }
    work.stop();
    if (first === 'cancelled') {
      throw abortError('The request was cancelled.');
    }
    return undefined;
  } finally {
    for (const timer of timers) {
      clearTimeout(timer); // of an interval too
    }
    if (onAbort !== undefined) {
      signal.removeEventListener('abort', onAbort);
    }
  }
}
