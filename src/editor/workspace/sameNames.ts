import { folderPrefixes } from '../../platform/paths/clientPath.ts';

interface Folder {
  readonly name: string;
}

/** Something that a folder of the workspace brings, or the workspace as a whole. */
export interface Named<F extends Folder = Folder> {
  readonly name: string;
  readonly folder: F | undefined;
}

/** What stands before the name of something of each folder; nothing in a workspace of one. */
function prefixesOf<F extends Folder>(folders: readonly F[]): ReadonlyMap<F | undefined, string> {
  const prefixes = folderPrefixes(folders);
  return new Map(folders.map((folder, index) => [folder, prefixes[index] ?? '']));
}

/** The name of each as clients write it: with its folder, where something of another folder is called the same. */
export function clientNames<F extends Folder>(all: readonly Named<F>[], folders: readonly F[]): readonly string[] {
  const prefixes = prefixesOf(folders);
  const owners = new Map<string, Set<F | undefined>>();
  all.forEach(({ name, folder }) => owners.set(name, (owners.get(name) ?? new Set()).add(folder)));
  return all.map(({ name, folder }) => ((owners.get(name)?.size ?? 0) > 1 ? `${prefixes.get(folder) ?? ''}${name}` : name));
}

/**
 * Finds all that a client may mean. `find` finds those of a name. In a workspace of several folders a plain name means what no folder
 * brings, where there is such a thing: the others are listed with their folder. What is called so itself comes before what is called
 * so in a folder that stands before the name.
 */
export function findNamed<T extends Named<F>, F extends Folder>(
  name: string,
  all: readonly T[],
  folders: readonly F[],
  find: (name: string, among: readonly T[]) => readonly T[],
): readonly T[] {
  const ofNone = folders.length > 1 ? all.filter(({ folder: own }) => own === undefined) : [];
  const shared = find(name, ofNone);
  const found = shared.length > 0 ? shared : find(name, all);
  const [folder, prefix = ''] = [...prefixesOf(folders)].find(([, each]) => each !== '' && name.startsWith(each)) ?? [];
  return found.length > 0 || folder === undefined
    ? found
    : find(
        name.slice(prefix.length),
        all.filter((each) => each.folder === folder),
      );
}
