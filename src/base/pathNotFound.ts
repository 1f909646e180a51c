import { AppError } from './errors.ts';

/** The one answer for what is not there and for what is withheld. */
export function pathNotFound(path: string): AppError {
  return new AppError('editor.pathNotFound', `There is no "${path}" in this workspace.`, { args: { path } });
}
