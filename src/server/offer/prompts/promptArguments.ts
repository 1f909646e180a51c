import type { AppError } from '../../../base/errors.ts';
import { clientError } from '../../errors/clientErrors.ts';

/** What `Prompt.get` rejects with when an argument is missing or wrong: -32602 for the client. */
export function badPromptArguments(parameter: string, reason: string): AppError {
  return clientError('server.badPromptArguments', { parameter, reason });
}
