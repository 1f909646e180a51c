import { toDisposable, type Disposable } from './lifecycle.ts';

/** The time, as something a test can hold in its hand. */
export interface Clock {
  /** Milliseconds, only ever rising. */
  now(): number;
  schedule(delayMs: number, action: () => void): Disposable;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  schedule: (delayMs, action) => {
    const timer = setTimeout(() => {
      handle.dispose();
      action();
    }, delayMs);
    // The listener keeps the process alive, not its timers.
    timer.unref();
    const handle = toDisposable(() => {
      clearTimeout(timer);
    });
    return handle;
  },
};
