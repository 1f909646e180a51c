import { AppError } from '../../../base/errors.ts';

/** What `Prompt.get` rejects with when an argument is missing or wrong: -32602 for the client. */
export function badPromptArguments(parameter: string, reason: string): AppError {
  return new AppError('server.badPromptArguments', `Invalid arguments: ${parameter}: ${reason}`, { args: { parameter, reason } });
}
