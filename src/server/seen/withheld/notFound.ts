import { AppError } from '../../../base/errors.ts';
import type { Visibility } from './visibility.ts';

/** The one answer for what is not there and for what is withheld. */
export function pathNotFound(path: string): AppError {
  return new AppError('editor.pathNotFound', `There is no "${path}" in this workspace.`, { args: { path } });
}

export function requireShown(path: string, visibility: Visibility): void {
  if (!visibility.isShown(path)) {
    throw pathNotFound(path);
  }
}
