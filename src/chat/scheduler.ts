import { toDisposable, type Disposable } from '../base/lifecycle.ts';

/** Time as the chat sees it, so that tests can hold the clock. */
export interface Scheduler {
  now(): number;
  /** Runs once; disposing cancels it. */
  after(milliseconds: number, run: () => void): Disposable;
}

export const systemScheduler: Scheduler = {
  now: () => Date.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(() => {
      disposable.dispose();
      run();
    }, milliseconds);
    const disposable = toDisposable(() => clearTimeout(timer));
    return disposable;
  },
};

export function abortError(): Error {
  return new DOMException('Stopped.', 'AbortError');
}

/** Resolves after the time, or rejects with an AbortError the moment `signal` fires. */
export function waitFor(scheduler: Scheduler, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(abortError());
      return;
    }
    const stop = (): void => {
      timer.dispose();
      reject(abortError());
    };
    const timer = scheduler.after(milliseconds, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** Settles with `work`, or rejects with an AbortError the moment `signal` fires, whatever `work` then does. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(abortError());
    if (signal.aborted) {
      stop();
    }
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
