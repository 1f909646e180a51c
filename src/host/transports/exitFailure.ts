import { AppError } from '../../base/errors.ts';
import type { ChildExit } from '../supervisedChild.ts';

/** Why a server's process is gone, unless it was asked to go; `lastWords` are what it wrote to its standard error. */
export function exitFailure(exit: ChildExit, lastWords: string): AppError | undefined {
  const more = lastWords === '' ? {} : { detail: lastWords };
  switch (exit.kind) {
    case 'stopped':
      return undefined;
    case 'exited': {
      const how = exit.signal === null ? `exit code ${String(exit.code)}` : `signal ${exit.signal}`;
      return new AppError('host.serverEnded', `The server's process ended by itself (${how}).`, { args: { how }, ...more });
    }
    case 'lineTooLong':
      return new AppError('host.lineTooLong', 'The server sent a line of more than 16 MB and was stopped.', more);
    case 'supervisorEnded':
      return new AppError('host.supervisorEnded', 'The process that looks after the servers ended, and they with it.', more);
  }
}
