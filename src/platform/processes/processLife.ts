import { hasCode } from '../../base/errors.ts';
import { type Disposable, toDisposable } from '../../base/lifecycle.ts';

/** What ends a process from outside and leaves it a moment; to the rest (SIGKILL, loss of power) there is no answer. */
const endingSignals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;

/** Of Node's `process`. */
export interface EndingProcess {
  readonly pid: number;
  once(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
  listenerCount(event: string): number;
  kill(pid: number, signal: string): unknown;
}

/**
 * Runs `action`, which must be synchronous, when the process ends without anybody having disposed of this. A signal still
 * ends the process as if nobody had listened: it is not only ours.
 */
export function atProcessEnd(action: () => void, ending: EndingProcess = process): Disposable {
  const leavings = endingSignals.map((signal) => {
    const leave = (): void => {
      stop();
      action();
      if (ending.listenerCount(signal) === 0) {
        ending.kill(ending.pid, signal);
      }
    };
    return [signal, leave] as const;
  });
  const stop = (): void => {
    ending.off('exit', action);
    leavings.forEach(([signal, leave]) => ending.off(signal, leave));
  };
  ending.once('exit', action);
  leavings.forEach(([signal, leave]) => ending.once(signal, leave));
  return toDisposable(stop);
}

/** `EPERM` is an answer of a living process; in a sandbox even our own give it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasCode(error, 'ESRCH');
  }
}
