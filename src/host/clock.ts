import { toDisposable, type Disposable } from '../base/lifecycle.ts';

/** The time, as something a test can hold in its hand. */
export interface Clock {
  /** Milliseconds of the wall clock: what people are told a retry happens at. */
  now(): number;
  schedule(delayMs: number, action: () => void): Disposable;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (delayMs, action) => {
    const timer = setTimeout(() => {
      handle.dispose();
      action();
    }, delayMs);
    timer.unref();
    const handle = toDisposable(() => {
      clearTimeout(timer);
    });
    return handle;
  },
};
