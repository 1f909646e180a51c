import * as nodePath from 'node:path';
import type { WorkspaceFolder } from '../ports/editorPort.ts';
import { folderPrefixes, parseClientPath } from '../../../platform/clientPath.ts';
import { leadsOut } from '../../../platform/pathInside.ts';
import { RealPaths } from '../../../platform/realPath.ts';

/** All client paths of one thing: in its usual spelling, and under the name a link leads to. The policy looks at each. */
export type PathNames = (clientPath: string) => readonly string[];

export function pathNames(folders: () => readonly WorkspaceFolder[]): PathNames {
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

function namesIn(path: string, folders: readonly WorkspaceFolder[], realPaths: RealPaths): string[] {
  const prefixes = folderPrefixes(folders);
  return folders.flatMap((folder, index) => {
    const roots = [folder.path, realPaths.of(folder.path) ?? folder.path];
    const way = roots.map((root) => nodePath.relative(root, path)).find((relative) => !leadsOut(relative));
    return way === undefined ? [] : [`${prefixes[index] ?? ''}${way.split(nodePath.sep).join('/')}`];
  });
}
