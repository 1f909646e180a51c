import { toDisposable, type Disposable } from './lifecycle.ts';

/** Tells the time and runs timers. It is passed around so that a test can use a clock of its own. */
export interface Clock {
  /** Milliseconds that never go back: for how long something took or may take. */
  now(): number;
  /** Milliseconds since 1970 as the computer's clock shows them: for what people are told and what is stored. */
  wallTime(): number;
  /** Runs `action` once after the delay; disposing cancels it. */
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
    // A timer must not keep the process alive. Only Node has `unref`, a browser does not.
    (timer as { readonly unref?: () => void }).unref?.();
    const handle = toDisposable(() => clearTimeout(timer as Parameters<typeof clearTimeout>[0]));
    return handle;
  },
};
