import type { Disposable } from '../../base/lifecycle.ts';
import type { Clock } from '../../base/clock.ts';

/** A request that waits for a person. */
export interface Waiter {
  readonly signal: AbortSignal;
  readonly wantsProgress: boolean;
  reportProgress(progress: number, message?: string): void;
  /** Of a call by the chat or another surface here: the id under which it is known. */
  readonly ownCallId?: string | undefined;
}

export interface WaitLimits {
  readonly clock: Clock;
  /** Without one it waits for as long as it takes. */
  readonly limit: number | undefined;
  /** How often to say that it waits, to those who asked for progress. */
  readonly pulse: number;
  readonly message: string | undefined;
}

/** Resolves when woken, when the time is up, or when the request is cancelled; the caller looks which. */
export function waitFor(waiter: Waiter, limits: WaitLimits, listen: (wake: () => void) => () => void): Promise<void> {
  const { clock, limit, pulse, message } = limits;
  if (waiter.signal.aborted) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    let beats = 0;
    const beat = (): Disposable => {
      waiter.reportProgress((beats += 1), message);
      return clock.schedule(pulse, () => {
        heart = beat();
      });
    };
    let heart = waiter.wantsProgress ? beat() : undefined;
    const stop = (): void => {
      unlisten();
      heart?.dispose();
      timer?.dispose();
      waiter.signal.removeEventListener('abort', stop);
      resolve();
    };
    const timer = limit === undefined ? undefined : clock.schedule(limit, stop);
    waiter.signal.addEventListener('abort', stop);
    const unlisten = listen(stop);
  });
}
