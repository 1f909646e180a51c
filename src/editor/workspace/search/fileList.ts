import { statSync } from 'node:fs';
import { join } from 'node:path';
import picomatch from 'picomatch';
import { Ordered } from '../../../base/ordered.ts';
import { Slices } from '../../../base/slices.ts';
import type { PatternSource } from '../../../contract/searchMessages.ts';
import type { FilePage, FileQuery } from '../../../server/seen/ports/workspacePort.ts';
import { editorError } from '../../shared/editorErrors.ts';
import { walkLinks } from './folderWalk.ts';
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

export async function filesMatching(
  engine: SearchEngine,
  roots: readonly SearchRoot[],
  query: FileQuery & { readonly prefix?: string },
  signal: AbortSignal,
): Promise<FilePage> {
  const { after, limit, isShown = () => true, prefix = '' } = query;
  const { pattern, exclude, includeIgnored } = query;
  const request = { include: fileGlob(pattern), exclude: filterGlob(exclude), includeIgnored, nameGlob: nameGlob(pattern) };
  const isBehind = (path: string): boolean => path.startsWith(prefix) && (after === undefined || compareText(path, after) > 0);
  const links = new LinkedFiles(engine);
  const listed = await listFiles(links, roots, request, isBehind, signal);
  // Only as many as are asked for are checked, because that looks at the disk, and one more, to know whether there are more.
  const shown = await takeShown(listed, limit + 1, (path) => isShown(path) && links.isFile(path), signal);
  return { files: shown.slice(0, limit).map(({ path }) => path), hasMore: shown.length > limit };
}

/** Lists symbolic links beside the files. Where one leads is looked up only for those that may be shown. */
class LinkedFiles implements Pick<SearchEngine, 'list' | 'filter'> {
  readonly #engine: SearchEngine;
  /** Where each link is on disk, by its client path. */
  readonly #links = new Map<string, string>();

  constructor(engine: SearchEngine) {
    this.#engine = engine;
  }

  async list(root: SearchRoot, options: ListOptions, signal: AbortSignal): Promise<string[]> {
    const [files, links] = await Promise.all([this.#engine.list(root, options, signal), walkLinks(root, options.includeIgnored, signal)]);
    if (root.path !== undefined) {
      for (const link of links) {
        this.#links.set(`${root.prefix}${link}`, join(root.path, link));
      }
    }
    return [...files, ...links];
  }

  filter(...request: Parameters<SearchEngine['filter']>): ReturnType<SearchEngine['filter']> {
    return this.#engine.filter(...request);
  }

  /** Whether a listed path is no link, or one that leads to a file. */
  isFile(path: string): boolean {
    const link = this.#links.get(path);
    try {
      return link === undefined || statSync(link).isFile();
    } catch {
      return false; // it leads nowhere, or in a circle
    }
  }
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
 * Lists only files that have a match, in place of all files: one look over the whole folder is as quick as ripgrep itself. Files that
 * may hold a secret are always among them: which of those are listed must not depend on what is withheld. So are files with unsaved
 * text, whatever the disk says.
 */
export class Candidates implements Pick<SearchEngine, 'list' | 'filter'> {
  readonly #engine: SearchEngine;
  readonly #search: OpenSearch;
  readonly #secrets: OpenSearch | undefined;
  readonly #unsaved: ReadonlyMap<string, string>;
  /** The files of each folder of which only those with a match were listed, and which of them may hold a secret. */
  readonly #narrowed = new Map<SearchRoot, ReadonlySet<string>>();

  constructor(
    engine: SearchEngine,
    { search, secrets }: { readonly search: OpenSearch; readonly secrets: OpenSearch | undefined },
    unsaved: ReadonlyMap<string, string>,
  ) {
    this.#engine = engine;
    this.#search = search;
    this.#secrets = secrets;
    this.#unsaved = unsaved;
  }

  async list(root: SearchRoot, options: ListOptions, signal: AbortSignal): Promise<string[]> {
    if (root.needsReader === true) {
      return this.#engine.list(root, options, signal);
    }
    const unsaved = [...this.#unsaved.keys()].filter((path) => path.startsWith(root.prefix));
    const [matching, secret, listed] = await Promise.all([
      this.#search.filesWithMatch?.(root, options),
      this.#secrets === undefined ? [] : this.#secrets.filesWithMatch?.(root, options),
      unsaved.length === 0 ? undefined : this.#engine.list(root, options, signal),
    ]);
    if (matching === undefined || secret === undefined) {
      return listed ?? this.#engine.list(root, options, signal);
    }
    this.#narrowed.set(root, new Set(secret));
    const isUnsaved = new Set(unsaved.map((path) => path.slice(root.prefix.length)));
    return [...new Set([...matching, ...secret, ...(listed ?? []).filter((file) => isUnsaved.has(file))])];
  }

  filter(...request: Parameters<SearchEngine['filter']>): ReturnType<SearchEngine['filter']> {
    return this.#engine.filter(...request);
  }

  /** Tells which of a folder's files have to be searched, and whether each may hold a secret. */
  async among(root: SearchRoot, files: readonly string[]): Promise<ReadonlyMap<string, { readonly mayHoldSecret: boolean }>> {
    if (root.needsReader === true) {
      return new Map(files.map((file) => [file, { mayHoldSecret: true }]));
    }
    const narrowed = this.#narrowed.get(root);
    const secret = narrowed ?? (await this.#secrets?.matching(root, files)) ?? new Set();
    const others = files.filter((file) => !secret.has(file));
    const matching = narrowed === undefined ? await this.#search.matching(root, others) : new Set(others);
    return new Map(
      files.flatMap((file) => (secret.has(file) || matching.has(file) ? [[file, { mayHoldSecret: secret.has(file) }] as const] : [])),
    );
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

/** The patterns of a filter, in which the name of a folder stands for all that is in it. */
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
