// search/: finding files by name (fileList.ts) and lines by pattern (this file), with ripgrep where VS Code brings it and otherwise
// with patterns in a thread of their own (worker/). Both are a SearchEngine.
import { hasCode } from '../../../base/errors.ts';
import type { Ordered } from '../../../base/ordered.ts';
import { type LinePreview, previewOf } from '../../../base/boundedText.ts';
import { collectInSlices, Slices } from '../../../base/slices.ts';
import type { TextMatch, TextPage, TextPlace, TextQuery } from '../../../server/seen/ports/workspacePort.ts';
import { editorError } from '../../shared/editorErrors.ts';
import { Candidates, compareText, filterGlob, type ListedFile, listFiles, type ListRequest, takeShown } from './fileList.ts';
import { type LineMatch, maxSearchedBytes, type OpenSearch, type SearchEngine, type SearchRoot, type TextPattern } from './searchEngine.ts';

/** After this time, in ms, nothing more is begun: the answer is what was found so far, and where to go on. */
const budgetMs = 12_000;
/** After this time, in ms, what is under way ends, too, listing included. It is well before a call is ended without an answer. */
const deadlineMs = 18_000;
const firstBatch = 32;
/** The most files that are searched in one batch; batches begin small and grow while they are quick. */
const maxBatch = 2_000;
/** A batch that takes longer, in ms, is followed by smaller ones: what is not finished in time is lost. */
const batchMs = 1_000;
/** A cursor counts files in steps of this many: one that stops just where it takes time could tell what is in a file. */
const cursorStep = 8;

/** About as many characters are searched together. */
const maxTogether = 4_000_000;

export interface SearchSources {
  readonly roots: readonly SearchRoot[];
  /** Unsaved text by client path: it wins over the disk. */
  readonly unsaved: ReadonlyMap<string, string>;
}

export async function textMatching(
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
  const opened: OpenSearch[] = [];
  const open = async (pattern: TextPattern): Promise<OpenSearch> => {
    const search = await engine.open(pattern, until);
    opened.push(search);
    return search;
  };
  try {
    const search = await open(query);
    const { secretLine } = query;
    const secrets = secretLine === undefined ? undefined : await open({ query: secretLine, isRegex: true, isCaseSensitive: false });
    const candidates = new Candidates(engine, { search, secrets }, sources.unsaved);
    return await searchInTime({ engine, search, candidates, sources, query, signal: until, stopsAt: performance.now() + budget, endsAt });
  } finally {
    clearTimeout(timer);
    opened.forEach((search) => search.dispose());
  }
}

interface SearchJob {
  readonly engine: SearchEngine;
  readonly search: OpenSearch;
  readonly candidates: Candidates;
  readonly sources: SearchSources;
  readonly query: TextQuery;
  /** A signal that fires when the caller has gone, and at `endsAt`. */
  readonly signal: AbortSignal;
  /** When nothing more is begun, and when everything ends, by `performance.now()`. */
  readonly stopsAt: number;
  readonly endsAt: number;
}

async function searchInTime(job: SearchJob): Promise<TextPage> {
  const { candidates, sources, query, signal } = job;
  const request = {
    include: filterGlob(query.include),
    exclude: filterGlob(query.exclude),
    includeIgnored: query.includeIgnored,
    maxBytes: maxSearchedBytes,
  };
  const isWanted = (path: string): boolean => query.after === undefined || compareText(path, query.after.path) >= 0;
  const page = await new TextSearch(job).run(await listFiles(candidates, sources.roots, request, isWanted, signal));
  const isNothing = page.matches.length === 0 && page.next === undefined && query.after === undefined;
  const tooLarge = isNothing ? await tooLargeFiles(job, request).catch(() => []) : [];
  return tooLarge.length === 0 ? page : { ...page, tooLarge };
}

/** The most files that are named as too large to be searched. */
const maxTooLarge = 5;

/** Files that were left out because of their size: what was looked for may be in them. */
async function tooLargeFiles({ engine, sources, query, signal }: SearchJob, request: ListRequest): Promise<readonly string[]> {
  const searched = new Set<string>();
  for (const root of sources.roots) {
    (await engine.list(root, request, signal)).forEach((file) => searched.add(`${root.prefix}${file}`));
  }
  const isLeft = (path: string): boolean => !searched.has(path) && !sources.unsaved.has(path);
  const left = await listFiles(engine, sources.roots, { ...request, maxBytes: undefined }, isLeft, signal);
  const { isShown } = query;
  return (await takeShown(left, maxTooLarge, isShown ?? (() => true), signal)).map(({ path }) => path);
}

/** A file with its text as it may be shown. */
interface ReadFile {
  readonly listed: ListedFile;
  readonly text: string;
  readonly shownText: string;
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
    // The file in the middle of which the page before ended is searched alone.
    if (after !== undefined && files.first?.path === after.path) {
      await this.#take(await this.#shownOf(files.take(1)));
    }
    while (files.first !== undefined && this.#matches.length <= limit) {
      const begun = performance.now();
      // A page ends only after something was searched: otherwise the next one would begin where this one did.
      if (this.#reached !== undefined && begun > this.#job.stopsAt) {
        return { matches: this.#matches, next: endOf(this.#reached) };
      }
      const batch = await this.#shownOf(files.take(size));
      await this.#take(batch);
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
  async #take(files: readonly ListedFile[]): Promise<void> {
    const mayHoldSecret = await this.#lookedAt(files);
    let waiting: ReadFile[] = [];
    for (const [index, listed] of files.entries()) {
      const isSecret = mayHoldSecret.get(listed);
      const file = isSecret === undefined ? undefined : await this.#read(listed, isSecret);
      waiting.push(...(file === undefined ? [] : [file]));
      if ((index + 1) % cursorStep === 0 && waiting.reduce((sum, { text }) => sum + text.length, 0) > maxTogether) {
        await this.#searchIn(waiting);
        waiting = [];
        this.#reached = listed.path;
      }
      if (this.#matches.length > this.#query.limit) {
        return;
      }
      if (performance.now() >= this.#job.endsAt) {
        throw editorError('search.tooSlow');
      }
    }
    await this.#searchIn(waiting);
  }

  /** Tells which of the files are searched, and whether each may hold a secret. What is withheld has no part in that. */
  async #lookedAt(files: readonly ListedFile[]): Promise<ReadonlyMap<ListedFile, boolean>> {
    const lookedAt = new Map<ListedFile, boolean>();
    for (const [root, own] of groupByRoot(files)) {
      const saved = own.filter(({ path }) => !this.#unsaved.has(path));
      const found = await this.#job.candidates.among(
        root,
        saved.map(({ file }) => file),
      );
      own.forEach((listed) => {
        const isLookedAt = this.#unsaved.has(listed.path) || found.has(listed.file);
        if (isLookedAt) {
          lookedAt.set(listed, found.get(listed.file)?.mayHoldSecret ?? true);
        }
      });
    }
    return lookedAt;
  }

  /** Patterns are matched against what may be shown of the files, and against nothing else. */
  async #searchIn(files: readonly ReadFile[]): Promise<void> {
    const found = files.length === 0 ? [] : await this.#job.search.searchTexts(files.map(({ shownText }) => shownText));
    for (const [index, file] of files.entries()) {
      // At most a page and one more are added: a single file may have more matches than a call may have arguments.
      const room = this.#query.limit + 1 - this.#matches.length;
      this.#matches.push(...(room > 0 ? await this.#describe(file, found[index] ?? [], room) : []));
    }
  }

  async #read(listed: ListedFile, mayHoldSecret: boolean): Promise<ReadFile | undefined> {
    const { path, root, file } = listed;
    const text = this.#unsaved.get(path) ?? (await root.reader.readText(file, maxSearchedBytes).catch(() => undefined));
    if (text === undefined) {
      return undefined; // the file is gone, or no text, or somewhere else by now
    }
    const shownText = (await this.#query.redact?.(text)) ?? text;
    // A file with a secret that came to light only because the pattern matched it must not tell that.
    return shownText !== text && !mayHoldSecret ? undefined : { listed, text, shownText };
  }

  /** The first `most` matches that may be told of. */
  #describe({ listed: { path }, text, shownText }: ReadFile, matches: readonly LineMatch[], most: number): Promise<TextMatch[]> {
    const { after } = this.#query;
    const isWanted = (match: LineMatch): boolean => after?.path !== path || isAfter(match, after);
    if (shownText === text) {
      return this.#first(matches, most, (match) =>
        isWanted(match) ? toTextMatch(path, match, previewOf(match.text, match.character - 1, match.endCharacter - 1)) : undefined,
      );
    }
    const screening = new Screening(text);
    return this.#first(matches, most, (shown) => {
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

/** Decides what may be told of matches in the shown text of a file in which something is withheld. */
class Screening {
  readonly #lines: readonly string[];
  /** What is known of the line that was asked about last: one line may have very many matches. */
  #edges: { readonly line: number; readonly before: number; readonly after: number; readonly shift: number } | undefined;

  constructor(text: string) {
    this.#lines = text.split('\n');
  }

  /**
   * A match in the shown text as one in the file; `undefined` for one that touches what is withheld, or lies between two such
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
