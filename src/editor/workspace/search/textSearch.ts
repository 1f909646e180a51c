// search/: finding files by name (fileList.ts) and lines by pattern (this file), with ripgrep where VS Code brings it and otherwise
// with patterns in a thread of their own (worker/). Both are a SearchEngine.
import { hasCode } from '../../../base/errors.ts';
import type { Ordered } from '../../../base/ordered.ts';
import { type LinePreview, previewOf } from '../../../base/boundedText.ts';
import { collectInSlices, Slices } from '../../../base/slices.ts';
import type { TextMatch, TextPage, TextPlace, TextQuery } from '../../../server/seen/ports/workspacePort.ts';
import { editorError } from '../../shared/editorErrors.ts';
import { Candidates, compareText, filterGlob, type ListedFile, listFiles } from './fileList.ts';
import { type LineMatch, maxSearchedBytes, type OpenSearch, type SearchEngine, type SearchRoot } from './searchEngine.ts';

/** After this time, in ms, nothing more is begun: the answer is what was found so far, and where to go on. */
const budgetMs = 12_000;
/** After this time, in ms, what is under way ends, too, listing included. It is well before a call is ended without an answer. */
const deadlineMs = 18_000;
const firstBatch = 32;
const maxBatch = 2_000;
/** A batch that takes longer, in ms, is followed by smaller ones: what is not finished in time is lost. */
const batchMs = 1_000;
/** A cursor counts files in steps of this many: one that stops just where it takes time could tell what is in a file. */
const cursorStep = 8;

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
  deadline = deadlineMs,
): Promise<TextPage> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(editorError('search.tooSlow')), deadline);
  const until = AbortSignal.any([signal, late.signal]);
  const endsAt = performance.now() + deadline;
  let search: OpenSearch | undefined;
  try {
    search = await engine.open(query, until);
    return await searchInTime({ engine, search, sources, query, signal: until, stopsAt: performance.now() + budget, endsAt });
  } finally {
    clearTimeout(timer);
    search?.dispose();
  }
}

interface SearchJob {
  readonly engine: SearchEngine;
  readonly search: OpenSearch;
  readonly sources: SearchSources;
  readonly query: TextQuery;
  /** A signal that fires when the caller has gone, and at `endsAt`. */
  readonly signal: AbortSignal;
  /** When nothing more is begun, and when everything ends, by `performance.now()`. */
  readonly stopsAt: number;
  readonly endsAt: number;
}

async function searchInTime(job: SearchJob): Promise<TextPage> {
  const { engine, search, sources, query, signal, stopsAt, endsAt } = job;
  const request = {
    include: filterGlob(query.include),
    exclude: filterGlob(query.exclude),
    includeIgnored: query.includeIgnored,
    maxBytes: maxSearchedBytes,
  };
  const isWanted = (path: string): boolean => query.after === undefined || compareText(path, query.after.path) >= 0;
  const filesOf = (lister: Pick<SearchEngine, 'list' | 'filter'>): Promise<Ordered<ListedFile>> =>
    listFiles(lister, sources.roots, request, isWanted, signal);
  const middle = (performance.now() + endsAt) / 2;
  const candidates = new Candidates(engine, search, sources.unsaved);
  const files = await filesOf(candidates);
  // After a narrowed list a second run may be needed, which has to end in time, too.
  const times = candidates.isNarrowed ? { stopsAt: Math.min(stopsAt, middle), endsAt: middle } : { stopsAt, endsAt };
  const page = await new TextSearch({ ...job, ...times }).run(files);
  if (!candidates.isNarrowed || page.next === undefined || page.next.line !== Number.MAX_SAFE_INTEGER) {
    return page;
  }
  // The time is over. The file where the search stopped has a match, maybe in withheld text, so a cursor, which clients can read,
  // must not name it. A cursor may name a match that is shown, and one of a search through all files may name any file.
  return page.matches.length > 0
    ? { matches: page.matches, next: lastOf(page.matches) }
    : await new TextSearch(job).run(await filesOf(engine));
}

class TextSearch {
  readonly #job: SearchJob;
  readonly #query: TextQuery;
  readonly #unsaved: ReadonlyMap<string, string>;
  readonly #matches: TextMatch[] = [];
  readonly #slices = new Slices();
  /** The last file that this page has searched. It goes into a cursor, which clients can read, so it is never a withheld one. */
  #reached: string | undefined;

  constructor(job: SearchJob) {
    this.#job = job;
    this.#query = job.query;
    this.#unsaved = job.sources.unsaved;
  }

  async run(files: Ordered<ListedFile>): Promise<TextPage> {
    try {
      return await this.#runToEnd(files);
    } catch (error) {
      const next = this.#matches.length > 0 ? lastOf(this.#matches) : this.#reached === undefined ? undefined : endOf(this.#reached);
      if (next === undefined || !hasCode(error, 'search.tooSlow')) {
        throw error;
      }
      return this.#matches.length > this.#query.limit ? this.#page() : { matches: this.#matches, next };
    }
  }

  async #runToEnd(files: Ordered<ListedFile>): Promise<TextPage> {
    const { after, limit } = this.#query;
    let size = firstBatch;
    // The file in the middle of which the page before ended is searched alone, and whole.
    if (after !== undefined && files.first?.path === after.path) {
      await this.#take(await this.#shownOf(files.take(1)), Number.MAX_SAFE_INTEGER);
    }
    while (files.first !== undefined && this.#matches.length <= limit) {
      const begun = performance.now();
      // A page ends only after something was searched: otherwise the next one would begin where this one did.
      if (this.#reached !== undefined && begun > this.#job.stopsAt) {
        return { matches: this.#matches, next: endOf(this.#reached) };
      }
      const batch = await this.#shownOf(files.take(size));
      await this.#take(batch, limit + 1);
      this.#reached = batch.at(-1)?.path ?? this.#reached;
      size = performance.now() - begun > batchMs ? Math.max(cursorStep, Math.floor(size / 2)) : Math.min(size * 2, maxBatch);
    }
    return this.#page();
  }

  #page(): TextPage {
    const { limit } = this.#query;
    const page = this.#matches.slice(0, limit);
    return this.#matches.length > limit && page.length > 0 ? { matches: page, next: lastOf(page) } : { matches: page };
  }

  /**
   * The files that may be shown. The check looks at the disk, and there may be very many files that do not pass, so that others
   * get their turn meanwhile.
   */
  async #shownOf(files: readonly ListedFile[]): Promise<ListedFile[]> {
    const { isShown = () => true } = this.#query;
    const shown = await collectInSlices(files, (file) => (isShown(file.path) ? file : undefined), this.#slices);
    this.#job.signal.throwIfAborted();
    return shown;
  }

  /** Adds the matches of these files, in order. */
  async #take(files: readonly ListedFile[], maxLines: number): Promise<void> {
    const { search } = this.#job;
    const found = new Map<string, readonly LineMatch[]>();
    for (const [root, own] of groupByRoot(files.filter(({ path }) => !this.#unsaved.has(path)))) {
      const names = own.map(({ file }) => file);
      for (const [file, matches] of await search.searchFiles(root, names, maxLines)) {
        found.set(`${root.prefix}${file}`, matches);
      }
    }
    for (const { path } of files) {
      const text = this.#unsaved.get(path);
      if (text !== undefined) {
        found.set(path, await search.searchText(text));
      }
    }
    for (const [index, listed] of files.entries()) {
      if (performance.now() >= this.#job.endsAt) {
        throw editorError('search.tooSlow');
      }
      const matches = found.get(listed.path) ?? [];
      if (matches.length > 0 && this.#matches.length <= this.#query.limit) {
        // At most a page and one more are added: a single file may have more matches than a call may have arguments.
        const room = this.#query.limit + 1 - this.#matches.length;
        this.#matches.push(...(await this.#describe(listed, matches, room)));
      }
      if ((index + 1) % cursorStep === 0) {
        this.#reached = listed.path;
      }
    }
  }

  /** The first `most` matches that may be told of. */
  async #describe({ path, root, file }: ListedFile, matches: readonly LineMatch[], most: number): Promise<TextMatch[]> {
    const { after, redact } = this.#query;
    const isWanted = (match: LineMatch): boolean => after?.path !== path || isAfter(match, after);
    const asTheyAre = (): Promise<TextMatch[]> =>
      this.#first(matches, most, (match) => {
        const preview = (): LinePreview => previewOf(match.text, match.character - 1, match.endCharacter - 1);
        return isWanted(match) ? toTextMatch(path, match, preview()) : undefined;
      });
    if (redact === undefined) {
      return asTheyAre();
    }
    const text = this.#unsaved.get(path) ?? (await root.reader.readText(file, maxSearchedBytes).catch(() => undefined));
    if (text === undefined) {
      return []; // the file is gone, or no text any more
    }
    const screening = new Screening(text, await redact(text));
    if (screening.shownText === undefined) {
      return asTheyAre();
    }
    const inShownText = await this.#job.search.searchText(screening.shownText);
    return this.#first(inShownText, most, (shown) => {
      const told = screening.inFile(shown);
      return told !== undefined && isWanted(told.match) ? toTextMatch(path, told.match, told.preview) : undefined;
    });
  }

  /**
   * The first `most` matches that something can be made of. There may be millions before them, so that others get their turn
   * meanwhile.
   */
  async #first(matches: readonly LineMatch[], most: number, make: (match: LineMatch) => TextMatch | undefined): Promise<TextMatch[]> {
    const made: TextMatch[] = [];
    for (const match of matches) {
      if (made.length >= most) {
        break;
      }
      const each = make(match);
      if (each !== undefined) {
        made.push(each);
      }
      if (this.#slices.isUsedUp) {
        await this.#slices.pauseIfUsedUp();
        this.#job.signal.throwIfAborted();
      }
    }
    return made;
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

function lastOf(matches: readonly TextMatch[]): TextPlace | undefined {
  const last = matches.at(-1);
  return last && { path: last.path, line: last.line, character: last.character };
}

/** The place after everything in this file. */
function endOf(path: string): TextPlace {
  return { path, line: Number.MAX_SAFE_INTEGER, character: 1 };
}

/**
 * Decides what may be told of the matches in one file. Patterns are matched against `shownText`, never against what is withheld:
 * whether and how far a pattern matches there would tell a right guess from a wrong one.
 */
class Screening {
  /** The text of the file as it may be shown; `undefined` when nothing in it is withheld. */
  readonly shownText: string | undefined;
  readonly #lines: readonly string[];
  /** What is known of the line that was asked about last: one line may have very many matches. */
  #edges: { readonly line: number; readonly before: number; readonly after: number; readonly shift: number } | undefined;

  /** `text` is the whole file: some secrets are longer than a line. */
  constructor(text: string, redacted: string) {
    this.shownText = redacted === text ? undefined : redacted;
    this.#lines = redacted === text ? [] : text.split('\n');
  }

  /**
   * A match in `shownText` as one in the file; `undefined` for one that touches what is withheld, or lies between two such
   * places.
   */
  inFile(match: LineMatch): { readonly match: LineMatch; readonly preview: LinePreview } | undefined {
    const { text: shown, character, endCharacter } = match;
    const { before, after, shift: whole } = this.#edgesOf(match.line, shown);
    const isBefore = endCharacter - 1 <= before;
    const isAfter = character - 1 >= shown.length - after;
    if (!isBefore && !isAfter) {
      return undefined;
    }
    const shift = isBefore ? 0 : whole;
    const { previewStart, ...part } = previewOf(shown, character - 1, endCharacter - 1);
    // The start of the preview is counted in the file, too, unless it lies before what is withheld.
    const begins = previewStart !== undefined && previewStart > shown.length - after ? previewStart + whole : previewStart;
    const preview = { ...part, ...(begins !== undefined && { previewStart: begins }) };
    return { match: { ...match, character: character + shift, endCharacter: endCharacter + shift }, preview };
  }

  /** How much of the shown line equals the real one at both ends, and how much longer the real one is. */
  #edgesOf(line: number, shown: string): { readonly before: number; readonly after: number; readonly shift: number } {
    if (this.#edges?.line !== line) {
      const real = this.#lines[line - 1]?.replace(/\r$/, '') ?? '';
      const before = commonStart(real, shown);
      this.#edges = { line, before, after: commonEnd(real, shown, before), shift: real.length - shown.length };
    }
    return this.#edges;
  }
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) {
    length += 1;
  }
  return length;
}

function commonEnd(a: string, b: string, taken: number): number {
  const most = Math.min(a.length, b.length) - taken;
  let length = 0;
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) {
    length += 1;
  }
  return length;
}
