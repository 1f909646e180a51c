import picomatch from 'picomatch';
import { Ordered } from '../../../base/ordered.ts';
import { Slices } from '../../../base/slices.ts';
import type { PatternSource } from '../../../contract/searchMessages.ts';
import type { FilePage, FileQuery } from '../../../server/seen/ports/workspacePort.ts';
import { editorError } from '../../shared/editorErrors.ts';
import type { ListOptions, OpenSearch, SearchEngine, SearchRoot } from './searchEngine.ts';

export interface ListedFile {
  readonly path: string;
  readonly root: SearchRoot;
  /** The path of the file within the root. */
  readonly file: string;
}

export interface ListRequest extends ListOptions {
  readonly include: readonly PatternSource[];
  readonly exclude: readonly PatternSource[];
}

/**
 * Lists the wanted files of every folder that globs and ignore rules leave, in the order of answers. There may be hundreds of
 * thousands, of which one page is shown: others get their turn meanwhile, and files after the page are not sorted.
 */
export async function listFiles(
  engine: Pick<SearchEngine, 'list' | 'filter'>,
  roots: readonly SearchRoot[],
  request: ListRequest,
  isWanted: (path: string) => boolean,
  signal: AbortSignal,
): Promise<Ordered<ListedFile>> {
  const slices = new Slices();
  const listed: ListedFile[] = [];
  for (const root of roots) {
    for (const file of await engine.list(root, request, signal)) {
      const path = `${root.prefix}${file}`;
      if (root.without?.some((folder) => file.startsWith(folder)) !== true && isWanted(path)) {
        listed.push({ path, root, file });
      }
      if (slices.isUsedUp) {
        await slices.pauseIfUsedUp();
      }
    }
  }
  return Ordered.of(await leftByGlobs(engine, listed, request, signal), (a, b) => compareText(a.path, b.path), slices);
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
  // Only as many as are asked for are checked, because that looks at the disk, and one more, to know whether there are more.
  const shown = await takeShown(listed, limit + 1, isShown, signal);
  return { files: shown.slice(0, limit).map(({ path }) => path), hasMore: shown.length > limit };
}

/**
 * Takes the first entries that may be shown. There may be very many and none of them shown, so that others get their turn
 * meanwhile.
 */
export async function takeShown<T extends { readonly path: string }>(
  listed: Ordered<T>,
  most: number,
  isShown: (path: string) => boolean,
  signal?: AbortSignal,
): Promise<T[]> {
  const slices = new Slices();
  const shown: T[] = [];
  for (let next = listed.next(); next !== undefined; next = listed.next()) {
    if (isShown(next.path)) {
      shown.push(next);
    }
    if (shown.length >= most) {
      break;
    }
    if (slices.isUsedUp) {
      await slices.pauseIfUsedUp();
      signal?.throwIfAborted();
    }
  }
  return shown;
}

/** Compares texts code unit by code unit, which gives the same order on every machine. */
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

/**
 * Lists only files that have a match, in place of all files: one look over the whole folder is as quick as ripgrep itself. Files
 * with unsaved text are among them whatever the disk says. `isNarrowed` tells whether something was left out.
 */
export class Candidates implements Pick<SearchEngine, 'list' | 'filter'> {
  readonly #engine: SearchEngine;
  readonly #search: OpenSearch;
  readonly #unsaved: ReadonlyMap<string, string>;
  isNarrowed = false;

  constructor(engine: SearchEngine, search: OpenSearch, unsaved: ReadonlyMap<string, string>) {
    this.#engine = engine;
    this.#search = search;
    this.#unsaved = unsaved;
  }

  async list(root: SearchRoot, options: ListOptions, signal: AbortSignal): Promise<string[]> {
    const unsaved = [...this.#unsaved.keys()].filter((path) => path.startsWith(root.prefix));
    const [matching, listed] = await Promise.all([
      this.#search.filesWithMatch?.(root, options),
      unsaved.length === 0 ? undefined : this.#engine.list(root, options, signal),
    ]);
    if (matching === undefined) {
      return listed ?? this.#engine.list(root, options, signal);
    }
    this.isNarrowed = true;
    const isUnsaved = new Set(unsaved.map((path) => path.slice(root.prefix.length)));
    return [...new Set([...matching, ...(listed ?? []).filter((file) => isUnsaved.has(file))])];
  }

  filter(...request: Parameters<SearchEngine['filter']>): ReturnType<SearchEngine['filter']> {
    return this.#engine.filter(...request);
  }
}

const options: picomatch.PicomatchOptions = { dot: true, noextglob: true, nonegate: true, strictBrackets: false };

/** The pattern of a glob for files: `*.ts` matches at any depth, `src/*.ts` from the workspace folder, `src/` everything below. */
export function fileGlob(glob: string): PatternSource[] {
  return [compile(normalize(glob))];
}

/**
 * A simpler glob that matches at least the names of all files that `fileGlob` leaves, in the little that all tools for globs agree
 * on. With it the engine lists fewer files of a large workspace. The result is `undefined` where names say nothing.
 */
export function nameGlob(glob: string): string | undefined {
  const name = normalize(glob).split('/').at(-1) ?? '';
  const isPlain = !glob.includes('|') && /^[\w.*?-]+$/.test(name) && /\w/.test(name) && !name.includes('**');
  // A bar parts two globs, wherever it stands. A question mark stands for a whole character here, and for half of one in ripgrep.
  return isPlain ? name.replaceAll(/[*?]+/g, '*') : undefined;
}

/** The same for filters, where the name of a folder stands for all that is in it. */
export function filterGlob(glob: string | undefined): PatternSource[] {
  if (glob === undefined || glob.trim() === '') {
    return [];
  }
  const pattern = normalize(glob);
  return [compile(pattern), compile(`${pattern.replace(/\/\*\*$/, '')}/**`)];
}

function normalize(glob: string): string {
  const relative = glob.trim().replace(/^(?:\.?\/)+/, '');
  const below = relative.endsWith('/') ? `${relative}**` : relative;
  return below.includes('/') ? below : `**/${below}`;
}

function compile(pattern: string): PatternSource {
  try {
    const { source, flags } = picomatch.makeRe(pattern, options);
    return { source, flags };
  } catch (error) {
    throw editorError('search.badGlob', { pattern }, { cause: error });
  }
}
