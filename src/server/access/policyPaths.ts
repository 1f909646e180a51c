import * as nodePath from 'node:path';
import { folderPrefixes, parseClientPath } from '../../platform/paths/clientPath.ts';
import { leadsOut } from '../../platform/paths/pathReach.ts';
import { RealPaths } from '../../platform/paths/realPath.ts';
import type { SeenFolder } from '../seen/ports/editorPort.ts';

/**
 * Returns every way to write the place that a client path means: relative to the workspace, absolute, and as the client wrote it.
 * So a rule about a path cannot be evaded by `..`, an absolute path, a URI or a symbolic link.
 */
export function spellingsOf(clientPath: string, folders: readonly SeenFolder[], realPaths: RealPaths): readonly string[] {
  const place = parseClientPath(clientPath, folders, { realPaths });
  if (place?.kind !== 'file') {
    return place === undefined ? [clientPath] : [clientPath, place.uri, place.path.replace(/^\//, '')];
  }
  const files = [...new Set([place.path, realPaths.of(place.path) ?? place.path])];
  const prefixes = folderPrefixes(folders);
  const relative = folders.flatMap((folder, index) => {
    const roots = [folder.path, realPaths.of(folder.path) ?? folder.path];
    return files
      .flatMap((file) => roots.map((root) => nodePath.relative(root, file)).filter((way) => way !== '' && !leadsOut(way)))
      .map((way) => `${prefixes[index]}${slashed(way)}`);
  });
  return [...new Set([clientPath, ...files.map(slashed), ...relative])];
}

function slashed(path: string): string {
  return path.replaceAll(nodePath.sep, '/');
}

/** Returns all client paths of one file: in its usual spelling, and where a link leads. The policy checks each of them. */
export type PathNames = (clientPath: string) => readonly string[];

export function pathNames(folders: () => readonly SeenFolder[]): PathNames {
  const realPaths = new RealPaths();
  return (clientPath) => {
    const all = folders();
    const place = parseClientPath(clientPath, all, { realPaths });
    if (place?.kind !== 'file') {
      return [clientPath];
    }
    const real = realPaths.of(place.path);
    const names = [place.path, ...(real === undefined ? [] : [real])].flatMap((path) => namesIn(path, all, realPaths));
    return names.length === 0 ? [clientPath] : [...new Set(names)];
  };
}

function namesIn(path: string, folders: readonly SeenFolder[], realPaths: RealPaths): string[] {
  const prefixes = folderPrefixes(folders);
  return folders.flatMap((folder, index) => {
    const roots = [folder.path, realPaths.of(folder.path) ?? folder.path];
    const way = roots.map((root) => nodePath.relative(root, path)).find((relative) => !leadsOut(relative));
    return way === undefined ? [] : [`${prefixes[index] ?? ''}${way.split(nodePath.sep).join('/')}`];
  });
}
