import { hasCode } from '../base/errors.ts';

/** `EPERM` is an answer of a living process; in a sandbox even our own give it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasCode(error, 'ESRCH');
  }
}
