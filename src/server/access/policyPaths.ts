import * as nodePath from 'node:path';
import type { WorkspaceFolder } from '../seen/ports/editorPort.ts';
import { folderPrefixes, parseClientPath } from '../../platform/clientPath.ts';
import { leadsOut } from '../../platform/pathInside.ts';
import type { RealPaths } from '../../platform/realPath.ts';

/**
 * Every way to write the place a client path means, so that a rule about it cannot be walked around by `..`, an absolute
 * path, a URI or a symbolic link: relative to the workspace, absolute, and the path as the client wrote it.
 */
export function spellingsOf(clientPath: string, folders: readonly WorkspaceFolder[], realPaths: RealPaths): readonly string[] {
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
