import { pathNotFound } from '../../../base/pathNotFound.ts';
import type { Visibility } from './visibility.ts';

export function requireShown(path: string, visibility: Visibility): void {
  if (!visibility.isShown(path)) {
    throw pathNotFound(path);
  }
}
