import type { AppError } from '../../base/errors.ts';
import { hostError } from '../shared/hostErrors.ts';
import type { ChildExit } from '../processes/serverProcess.ts';

/** Why a server's process is gone, unless it was asked to go; `lastWords` are what it wrote to its standard error. */
export function exitFailure(exit: ChildExit, lastWords: string): AppError | undefined {
  const more = lastWords === '' ? {} : { detail: lastWords };
  switch (exit.kind) {
    case 'stopped':
      return undefined;
    case 'exited':
      return hostError('host.serverEnded', { exitCode: String(exit.code), ...(exit.signal === null ? {} : { signal: exit.signal }) }, more);
    case 'lineTooLong':
      return hostError('host.lineTooLong', {}, more);
    case 'supervisorEnded':
      return hostError('host.supervisorEnded', {}, more);
  }
}
