import { toDisposable, type Disposable } from './lifecycle.ts';

/** The time, as something a test can hold in its hand. */
export interface Clock {
  /** Milliseconds, only ever rising: for how long something took or may take. */
  now(): number;
  /** Milliseconds since 1970, by the clock on the wall: for what people are told and what is stored. */
  wallTime(): number;
  /** Runs once; disposing cancels it. */
  schedule(delayMs: number, action: () => void): Disposable;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  schedule: (delayMs, action) => {
    const timer: unknown = setTimeout(() => {
      handle.dispose();
      action();
    }, delayMs);
    // Node has this: what has to go on keeps the process alive by itself, not by its timers.
    (timer as { readonly unref?: () => void }).unref?.();
    const handle = toDisposable(() => clearTimeout(timer as Parameters<typeof clearTimeout>[0]));
    return handle;
  },
};
