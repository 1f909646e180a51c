import { Ordered } from '../../base/ordered.ts';
import { Slices } from '../../base/slices.ts';
import type { FoundPaths, PathQuery } from '../../server/seen/ports/documentsPort.ts';

/** The most folders that one search looks into; the rest is left out of its answer. */
const maxFolders = 500;
/** How long, in ms, one search may take; it then answers with what it has found. */
const maxMs = 1_500;

/** Folders that are not looked into, unless somebody names them. */
const skipped: ReadonlySet<string> = new Set(['node_modules', '.git', '.hg', '.svn']);

export interface PathEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** A tree of folders, told in terms of whoever can look into them. */
export interface PathTree<Folder> {
  /** The folders that a prefix names or may mean; everything below them counts. */
  beginnings(prefix: string): readonly Folder[];
  /**
   * What is in a folder; nothing for one that cannot be read. Folders behind links are left out, because they may lead in a
   * circle.
   */
  list(folder: Folder): Promise<readonly PathEntry[]>;
  /** The entry of a folder with this name, and its client path. */
  child(folder: Folder, name: string): { readonly place: Folder; readonly path: string };
}

/**
 * Finds files whose client path begins with a prefix, the nearest ones first, until there are enough. A folder may have a hundred
 * thousand, of which none may be shown, so that others get their turn meanwhile.
 */
export async function walkPaths<Folder>(
  tree: PathTree<Folder>,
  { prefix, limit, isShown = () => true }: PathQuery,
  signal: AbortSignal,
): Promise<FoundPaths> {
  const slices = new Slices();
  const deadline = performance.now() + maxMs;
  const found: string[] = [];
  let folders = tree.beginnings(prefix);
  let visited = 0;
  let isAllSeen = true;
  while (folders.length > 0 && found.length <= limit && visited < maxFolders && performance.now() < deadline) {
    signal.throwIfAborted();
    const level = folders.slice(0, maxFolders - visited);
    visited += level.length;
    const below = await meantIn(tree, level, prefix, deadline, slices);
    isAllSeen &&= level.length === folders.length && !below.isCut;
    const files = await Ordered.of(below.files, nearestFirst, slices);
    // One more than is asked for is taken, to know whether there are more.
    for (let next = files.next(); next !== undefined && found.length <= limit; next = files.next()) {
      if (isShown(next)) {
        found.push(next);
      }
      if (slices.isUsedUp) {
        await slices.pauseIfUsedUp();
        signal.throwIfAborted();
      }
    }
    folders = below.folders;
  }
  return { paths: found.sort(nearestFirst).slice(0, limit), isComplete: isAllSeen && folders.length === 0 && found.length <= limit };
}

interface Meant<Folder> {
  readonly files: readonly string[];
  readonly folders: readonly Folder[];
  /** Whether the time was over before all was seen. */
  readonly isCut: boolean;
}

/** The files and folders in these folders that the prefix may mean. */
async function meantIn<Folder>(
  tree: PathTree<Folder>,
  level: readonly Folder[],
  prefix: string,
  deadline: number,
  slices: Slices,
): Promise<Meant<Folder>> {
  const files: string[] = [];
  const folders: Folder[] = [];
  const listings = await Promise.all(level.map(async (folder) => ({ folder, entries: await tree.list(folder) })));
  for (const { folder, entries } of listings) {
    for (const { name, isFolder } of entries) {
      const { place, path } = tree.child(folder, name);
      if (isFolder && (path.startsWith(prefix) ? !skipped.has(name) || path === prefix : prefix.startsWith(`${path}/`))) {
        folders.push(place);
      } else if (!isFolder && path.startsWith(prefix)) {
        files.push(path);
      }
      if (slices.isUsedUp) {
        if (performance.now() >= deadline) {
          return { files, folders, isCut: true };
        }
        await slices.pauseIfUsedUp();
      }
    }
  }
  return { files, folders, isCut: false };
}

function nearestFirst(a: string, b: string): number {
  return depthOf(a) - depthOf(b) || (a < b ? -1 : 1);
}

function depthOf(path: string): number {
  return path.split('/').length;
}
