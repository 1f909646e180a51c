import type { FilePage, FileQuery } from '../../../server/seen/ports/workspacePort.ts';
import { fileGlob, filterGlob } from './globs.ts';
import type { PatternSource } from '../../../contract/searchMessages.ts';
import type { ListOptions, SearchEngine, SearchRoot } from './searchEngine.ts';

export interface ListedFile {
  readonly path: string;
  readonly root: SearchRoot;
  /** Within the root. */
  readonly file: string;
}

export interface ListRequest extends ListOptions {
  readonly include: readonly PatternSource[];
  readonly exclude: readonly PatternSource[];
}

/** The files of every folder that globs and ignore rules leave, in the order of answers. */
export async function listFiles(
  engine: Pick<SearchEngine, 'list' | 'filter'>,
  roots: readonly SearchRoot[],
  request: ListRequest,
  signal: AbortSignal,
): Promise<ListedFile[]> {
  const byPath = new Map<string, ListedFile>();
  for (const root of roots) {
    for (const file of await engine.list(root, request, signal)) {
      if (root.without?.some((folder) => file.startsWith(folder)) === true) {
        continue;
      }
      const path = `${root.prefix}${file}`;
      byPath.set(path, { path, root, file });
    }
  }
  const paths = await filterPaths(engine, byPath, request, signal);
  return paths.sort(compareText).flatMap((path) => byPath.get(path) ?? []);
}

export async function findFiles(
  engine: SearchEngine,
  roots: readonly SearchRoot[],
  query: FileQuery,
  signal: AbortSignal,
): Promise<FilePage> {
  const { after, limit, isShown = () => true } = query;
  const request = { include: fileGlob(query.pattern), exclude: filterGlob(query.exclude), includeIgnored: query.includeIgnored };
  const files: string[] = [];
  for (const { path } of await listFiles(engine, roots, request, signal)) {
    if (after !== undefined && compareText(path, after) <= 0) {
      continue;
    }
    // Only as many as are asked for: the check looks at the disk.
    if (isShown(path)) {
      if (files.length === limit) {
        return { files, hasMore: true };
      }
      files.push(path);
    }
  }
  return { files, hasMore: false };
}

/** Code unit by code unit: the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

async function filterPaths(
  engine: Pick<SearchEngine, 'filter'>,
  byPath: ReadonlyMap<string, ListedFile>,
  request: ListRequest,
  signal: AbortSignal,
): Promise<string[]> {
  const { include, exclude } = request;
  if (include.length === 0 && exclude.length === 0) {
    return [...byPath.keys()];
  }
  const prefixLengths = [...byPath.values()].map(({ root }) => root.prefix.length);
  return engine.filter({ paths: [...byPath.keys()], prefixLengths, include, exclude }, signal);
}
