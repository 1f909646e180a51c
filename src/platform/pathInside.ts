import * as nodePath from 'node:path';

/** Whether `path` is `folder` or in it, by segment: `/repo/..x` is a name in `/repo`, not a way out. Nothing is looked up. */
export function isInsideFolder(path: string, folder: string): boolean {
  return !leadsOut(nodePath.relative(folder, path));
}

/** Whether a way, as `path.relative` gives it, leaves the folder it starts from; on another drive it is absolute. */
export function leadsOut(way: string): boolean {
  return way.split(nodePath.sep)[0] === '..' || nodePath.isAbsolute(way);
}
