import type { FilePage, FileQuery } from '../../../server/seen/ports/workspacePort.ts';
import { Ordered } from '../../../base/ordered.ts';
import { Turns } from '../../../base/turns.ts';
import { fileGlob, filterGlob, nameGlob } from './globs.ts';
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

/**
 * The files of every folder that globs and ignore rules leave, in the order of answers; of those, the ones that are wanted. There
 * may be hundreds of thousands, of which a page is shown: others get their turn meanwhile, and what is behind the page is not sorted.
 */
export async function listFiles(
  engine: Pick<SearchEngine, 'list' | 'filter'>,
  roots: readonly SearchRoot[],
  request: ListRequest,
  isWanted: (path: string) => boolean,
  signal: AbortSignal,
): Promise<Ordered<ListedFile>> {
  const turns = new Turns();
  const listed: ListedFile[] = [];
  for (const root of roots) {
    for (const file of await engine.list(root, request, signal)) {
      const path = `${root.prefix}${file}`;
      if (root.without?.some((folder) => file.startsWith(folder)) !== true && isWanted(path)) {
        listed.push({ path, root, file });
      }
      if (turns.isOver) {
        await turns.next();
      }
    }
  }
  return Ordered.of(await leftByGlobs(engine, listed, request, signal), (a, b) => compareText(a.path, b.path), turns);
}

export async function findFiles(
  engine: SearchEngine,
  roots: readonly SearchRoot[],
  query: FileQuery,
  signal: AbortSignal,
): Promise<FilePage> {
  const { after, limit, isShown = () => true } = query;
  const { pattern, exclude, includeIgnored } = query;
  const request = { include: fileGlob(pattern), exclude: filterGlob(exclude), includeIgnored, nameGlob: nameGlob(pattern) };
  const isBehind = (path: string): boolean => after === undefined || compareText(path, after) > 0;
  const listed = await listFiles(engine, roots, request, isBehind, signal);
  // Only as many as are asked for: the check looks at the disk. One more says whether there are more.
  const shown = await takeShown(listed, limit + 1, isShown, signal);
  return { files: shown.slice(0, limit).map(({ path }) => path), hasMore: shown.length > limit };
}

/** The first ones that may be shown. None may be, out of very many: others get their turn meanwhile. */
export async function takeShown<T extends { readonly path: string }>(
  listed: Ordered<T>,
  most: number,
  isShown: (path: string) => boolean,
  signal?: AbortSignal,
): Promise<T[]> {
  const turns = new Turns();
  const shown: T[] = [];
  for (let next = listed.next(); next !== undefined; next = listed.next()) {
    if (isShown(next.path)) {
      shown.push(next);
    }
    if (shown.length >= most) {
      break;
    }
    if (turns.isOver) {
      await turns.next();
      signal?.throwIfAborted();
    }
  }
  return shown;
}

/** Code unit by code unit: the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

async function leftByGlobs(
  engine: Pick<SearchEngine, 'filter'>,
  listed: readonly ListedFile[],
  { include, exclude }: ListRequest,
  signal: AbortSignal,
): Promise<readonly ListedFile[]> {
  if (include.length === 0 && exclude.length === 0) {
    return listed;
  }
  const paths = listed.map(({ path }) => path);
  const prefixLengths = listed.map(({ root }) => root.prefix.length);
  const left = await engine.filter({ paths, prefixLengths, include, exclude }, signal);
  return left.flatMap((index) => listed[index] ?? []);
}
