import { posix } from 'node:path';
import type { TestFolder, TestSources } from '../../../../src/testRuns/testGround.ts';

export function foldersNamed(...names: readonly string[]): readonly TestFolder[] {
  return names.map((name) => ({ name, path: `/${name}` }));
}

/** A workspace that has these files, by their absolute paths, and one folder, `/shop`. */
export function sourcesOf(files: Readonly<Record<string, string>> = {}, changes: Partial<TestSources> = {}): TestSources {
  const paths = Object.keys(files);
  const folders = changes.folders ?? ((): readonly TestFolder[] => foldersNamed('shop'));
  return {
    folders,
    command: () => '',
    findTestTask: () => Promise.resolve(undefined),
    readFile: (folder, name) => Promise.resolve(files[posix.resolve(folder, name)]),
    resolveFolder: (from, to) => posix.resolve(from, to),
    filesIn: (folder, names) => Promise.resolve(new Set(names.filter((name) => files[posix.join(folder, name)] !== undefined))),
    findFile: (folder, named) => {
      const isSeveral = folders().length > 1;
      const found = [isSeveral ? `/${named}` : '', posix.resolve(folder, named)].find(
        (each) => each.startsWith(`${folder}/`) && paths.some((path) => path === each || path.startsWith(`${each}/`)),
      );
      if (found === undefined) {
        return Promise.resolve(undefined);
      }
      const relative = posix.relative(folder, found);
      return Promise.resolve({ relative, isFolder: files[found] === undefined, clientPath: isSeveral ? found.slice(1) : relative });
    },
    listFiles: (folder, name) => {
      const place = posix.resolve(folder, name);
      return Promise.resolve(paths.filter((path) => posix.dirname(path) === place).map((path) => posix.basename(path)));
    },
    findProgram: ([first]) => Promise.resolve(first),
    nodeVersion: () => Promise.resolve(24),
    shell: 'posix',
    ...changes,
  };
}
