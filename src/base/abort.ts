import type { Clock } from './clock.ts';
import type { Disposable } from './lifecycle.ts';

/** The error of what was stopped on purpose: not a failure anybody has to be told of. */
export function abortError(message = 'Stopped.'): DOMException {
  return new DOMException(message, 'AbortError');
}

/**
 * Settles with `work`, or rejects the moment `signal` fires: with its reason, or with what `toError` makes of it. What was
 * begun then goes on unheard.
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

/** The same, and no longer than this: then it rejects with what `tooLate` makes. */
export async function within<T>(work: PromiseLike<T>, timeoutMs: number, signal: AbortSignal, tooLate: () => Error): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(tooLate()), timeoutMs);
  try {
    return await untilAborted(work, AbortSignal.any([signal, limit.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** The same, where being late is no failure: then it resolves to nothing, and what was begun goes on unheard. */
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

/** For what nobody can stop. A new one each time: one for all would keep everything that ever listened to it. */
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
