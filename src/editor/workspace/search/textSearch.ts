// search/: finding files by name (fileList.ts) and lines by pattern (this file), with ripgrep where VS Code brings it and otherwise
// with patterns in a thread of their own (worker/). Both are a SearchEngine.
import type { TextMatch, TextPage, TextPlace, TextQuery } from '../../../server/seen/ports/workspacePort.ts';
import { previewOf, type LinePreview } from '../../../base/previewText.ts';
import { Candidates } from './candidates.ts';
import { compareText, listFiles, type ListedFile } from './fileList.ts';
import { filterGlob } from './globs.ts';
import { Screening } from './screening.ts';
import { maxSearchedBytes, type LineMatch, type OpenSearch, type SearchEngine, type SearchRoot } from './searchEngine.ts';

/** Then the answer is what was found so far, and where to go on. */
const budgetMs = 12_000;
const firstBatch = 32;
const maxBatch = 2_000;

export interface SearchSources {
  readonly roots: readonly SearchRoot[];
  /** Unsaved text by client path: it wins over the disk. */
  readonly unsaved: ReadonlyMap<string, string>;
}

export async function searchText(
  engine: SearchEngine,
  sources: SearchSources,
  query: TextQuery,
  signal: AbortSignal,
  budget = budgetMs,
): Promise<TextPage> {
  const deadline = performance.now() + budget;
  const search = await engine.open(query, signal);
  try {
    const request = {
      include: filterGlob(query.include),
      exclude: filterGlob(query.exclude),
      includeIgnored: query.includeIgnored,
      maxBytes: maxSearchedBytes,
    };
    const filesOf = async (lister: Pick<SearchEngine, 'list' | 'filter'>): Promise<readonly ListedFile[]> => {
      const listed = await listFiles(lister, sources.roots, request, signal);
      const start = query.after === undefined ? 0 : listed.findIndex(({ path }) => compareText(path, query.after?.path ?? '') >= 0);
      return start === -1 ? [] : listed.slice(start);
    };
    const candidates = new Candidates(engine, search, sources.unsaved);
    const page = await new TextSearch(search, sources.unsaved, query).run(await filesOf(candidates), deadline);
    if (!candidates.isNarrowed || page.next === undefined || page.next.line !== Number.MAX_SAFE_INTEGER) {
      return page;
    }
    // Out of time. Where it stopped is a file with a match, maybe in withheld text: a cursor, which clients can read, must not
    // name it. One that names a match which is shown may, and so may one that counts all files.
    const last = page.matches.at(-1);
    return last !== undefined
      ? { matches: page.matches, next: { path: last.path, line: last.line, character: last.character } }
      : await new TextSearch(search, sources.unsaved, query).run(await filesOf(engine), performance.now() + budget);
  } finally {
    search.dispose();
  }
}

class TextSearch {
  readonly #search: OpenSearch;
  readonly #unsaved: ReadonlyMap<string, string>;
  readonly #query: TextQuery;
  readonly #matches: TextMatch[] = [];

  constructor(search: OpenSearch, unsaved: ReadonlyMap<string, string>, query: TextQuery) {
    this.#search = search;
    this.#unsaved = unsaved;
    this.#query = query;
  }

  async run(files: readonly ListedFile[], deadline: number): Promise<TextPage> {
    const { after, limit, isShown = () => true } = this.#query;
    let size = firstBatch;
    let index = 0;
    /** The last file that this page searched anew. It goes into a cursor, which clients can read: never one that is withheld. */
    let reached: string | undefined;
    // The file in the middle of which the page before ended is searched alone, and whole.
    if (after !== undefined && files[0]?.path === after.path) {
      await this.#take(
        files.slice(0, 1).filter(({ path }) => isShown(path)),
        Number.MAX_SAFE_INTEGER,
      );
      index = 1;
    }
    while (index < files.length && this.#matches.length <= limit) {
      // Only after something was searched: otherwise the next page would begin where this one did.
      if (reached !== undefined && performance.now() > deadline) {
        return { matches: this.#matches, next: endOf(reached) };
      }
      const batch = files.slice(index, index + size).filter(({ path }) => isShown(path));
      await this.#take(batch, limit + 1);
      index += size;
      reached = batch.at(-1)?.path ?? reached;
      size = Math.min(size * 2, maxBatch);
    }
    return this.#page();
  }

  #page(): TextPage {
    const { limit } = this.#query;
    const page = this.#matches.slice(0, limit);
    const last = page.at(-1);
    return this.#matches.length > limit && last !== undefined
      ? { matches: page, next: { path: last.path, line: last.line, character: last.character } }
      : { matches: page };
  }

  /** Adds the matches of these files, in order. */
  async #take(files: readonly ListedFile[], maxLines: number): Promise<void> {
    const found = new Map<string, readonly LineMatch[]>();
    for (const [root, own] of groupByRoot(files.filter(({ path }) => !this.#unsaved.has(path)))) {
      const names = own.map(({ file }) => file);
      for (const [file, matches] of await this.#search.searchFiles(root, names, maxLines)) {
        found.set(`${root.prefix}${file}`, matches);
      }
    }
    for (const { path } of files) {
      const text = this.#unsaved.get(path);
      if (text !== undefined) {
        found.set(path, await this.#search.searchText(text));
      }
    }
    for (const listed of files) {
      const matches = found.get(listed.path) ?? [];
      if (matches.length > 0 && this.#matches.length <= this.#query.limit) {
        // No more than a page and one: a single file may have more matches than a call may have arguments.
        const room = this.#query.limit + 1 - this.#matches.length;
        this.#matches.push(...(await this.#describe(listed, matches, room)));
      }
    }
  }

  /** The first `most` that may be told of. */
  async #describe({ path, root, file }: ListedFile, matches: readonly LineMatch[], most: number): Promise<TextMatch[]> {
    const { after, redact } = this.#query;
    const isWanted = (match: LineMatch): boolean => after?.path !== path || isAfter(match, after);
    const asTheyAre = (): TextMatch[] =>
      matches
        .filter(isWanted)
        .slice(0, most)
        .map((match) => toTextMatch(path, match, previewOf(match.text, match.character - 1, match.endCharacter - 1)));
    if (redact === undefined) {
      return asTheyAre();
    }
    const text = this.#unsaved.get(path) ?? (await root.reader.readText(file, maxSearchedBytes).catch(() => undefined));
    if (text === undefined) {
      return []; // gone, or not what it was
    }
    const screening = new Screening(text, await redact(text));
    if (screening.shownText === undefined) {
      return asTheyAre();
    }
    const inShownText = await this.#search.searchText(screening.shownText);
    return inShownText
      .flatMap((match) => screening.inFile(match) ?? [])
      .filter(({ match }) => isWanted(match))
      .slice(0, most)
      .map(({ match, preview }) => toTextMatch(path, match, preview));
  }
}

function toTextMatch(path: string, { line, character, endCharacter }: LineMatch, preview: LinePreview): TextMatch {
  return { path, line, character, endCharacter, ...preview };
}

function groupByRoot(files: readonly ListedFile[]): Map<SearchRoot, ListedFile[]> {
  const groups = new Map<SearchRoot, ListedFile[]>();
  for (const file of files) {
    const group = groups.get(file.root) ?? [];
    group.push(file);
    groups.set(file.root, group);
  }
  return groups;
}

function isAfter(match: LineMatch, place: TextPlace): boolean {
  return match.line > place.line || (match.line === place.line && match.character > place.character);
}

/** After everything in this file. */
function endOf(path: string): TextPlace {
  return { path, line: Number.MAX_SAFE_INTEGER, character: 1 };
}
