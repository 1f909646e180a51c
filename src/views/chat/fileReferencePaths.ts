import * as nodePath from 'node:path';
import { isInsideFolder } from '../../platform/paths/pathReach.ts';

export interface ReferenceFolder {
  readonly name: string;
  readonly path: string;
}

export interface ReferencePlace {
  /** The index of the workspace folder. */
  readonly folder: number;
  /** The names of folders and file on the way from there. */
  readonly segments: readonly string[];
}

/**
 * The places that a path in a text can mean, all inside the workspace's folders. `undefined` for a path that leads out of them or
 * is none. With several folders a path may begin with the name of one, as VS Code shows it.
 */
export function referencePlaces(path: string, folders: readonly ReferenceFolder[]): readonly ReferencePlace[] | undefined {
  const isAbsolute = nodePath.posix.isAbsolute(path) || nodePath.win32.isAbsolute(path);
  // A colon is a drive or a stream of a file on Windows, and control characters are in no name that a person clicks.
  if (isAbsolute || /[:\p{Cc}]/u.test(path)) {
    return undefined;
  }
  const segments = path.split(/[\\/]/).filter((segment) => segment !== '' && segment !== '.');
  const [first, ...rest] = segments;
  const places = folders.flatMap((folder, index): ReferencePlace[] => [
    { folder: index, segments },
    ...(folders.length > 1 && first === folder.name && rest.length > 0 ? [{ folder: index, segments: rest }] : []),
  ]);
  const isInside = (place: ReferencePlace): boolean => {
    const folder = folders[place.folder]?.path;
    return folder !== undefined && isInsideFolder(nodePath.join(folder, ...place.segments), folder);
  };
  return segments.length > 0 && places.every(isInside) ? places : undefined;
}
