import type { Clock } from './clock.ts';
import type { Disposable } from './lifecycle.ts';

/** Makes the error of work that was stopped on purpose; it is no failure that anybody has to be told of. */
export function abortError(message = 'Stopped.'): DOMException {
  return new DOMException(message, 'AbortError');
}

/**
 * Settles with `work`, or rejects the moment `signal` fires: with its reason, or with what `toError` makes of it. The work
 * itself goes on then, and nobody hears of its result.
 */
export function untilAborted<T>(work: PromiseLike<T>, signal: AbortSignal, toError = (): Error => signal.reason as Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(toError());
    if (signal.aborted) {
      stop();
      Promise.resolve(work).catch(() => undefined);
      return;
    }
    signal.addEventListener('abort', stop, { once: true });
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Settles with `work` like `untilAborted`, but waits no longer than `timeoutMs`: then it rejects with what `tooLate` makes. */
export async function within<T>(work: PromiseLike<T>, timeoutMs: number, signal: AbortSignal, tooLate: () => Error): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(tooLate()), timeoutMs);
  try {
    return await untilAborted(work, AbortSignal.any([signal, limit.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for `work` for at most `timeoutMs`. To be late is no failure here: then it resolves to undefined, and the work goes on unheard. */
export async function atMost<T>(work: PromiseLike<T>, timeoutMs: number, signal = neverAborted()): Promise<T | undefined> {
  const late = abortError();
  try {
    return await within(work, timeoutMs, signal, () => late);
  } catch (error) {
    if (error !== late) {
      throw error;
    }
    return undefined;
  }
}

/** Returns a signal for work that nobody can stop. It is a new one each time: a shared one would keep everything that ever listened to it. */
export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

/** Resolves after the time; rejects with the signal's reason the moment it fires. */
export async function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: Disposable | undefined;
  const over = new Promise<void>((resolve) => (timer = clock.schedule(milliseconds, resolve)));
  try {
    await untilAborted(over, signal);
  } finally {
    timer?.dispose();
  }
}
