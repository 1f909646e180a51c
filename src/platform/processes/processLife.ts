import { hasCode } from '../../base/errors.ts';
import { type Disposable, toDisposable } from '../../base/lifecycle.ts';

/** The signals that end a process and leave it a moment; nothing can be done about the rest (SIGKILL, loss of power). */
const endingSignals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;

/** The part of Node's `process` that is needed to act at its end. */
export interface EndingProcess {
  readonly pid: number;
  once(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
  listenerCount(event: string): number;
  kill(pid: number, signal: string): unknown;
}

/**
 * Runs `action`, which must be synchronous, when the process ends before this was disposed of. A signal still ends the process
 * as if nobody had listened, because the process is not ours alone.
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

/** Whether a process lives. `EPERM` means that it does; in a sandbox even our own processes give it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasCode(error, 'ESRCH');
  }
}
