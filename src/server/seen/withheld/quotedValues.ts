import { Slices } from '../../../base/slices.ts';
import { hiddenCharacter, knownPlaces, replacePlaces, secretMark } from '../../../secrets/secretMarks.ts';
import type { TextRange } from '../ports/documentsPort.ts';
import type { DiagnosticEntry, EditorPort } from '../ports/editorPort.ts';
import type { SymbolNode } from '../ports/languagePort.ts';
import type { Visibility } from './visibility.ts';
import { withholdingWorkspace } from './workspace.ts';

/** Shorter values, plain words and numbers stand in many texts, and tell nothing. */
const minLength = 8;
const plain = /^(?:[A-Za-z]+|[\d.,]+)$/;
/** The most quoted values that are looked for in one answer; others are masked. */
const maxLookedFor = 40;
/** The most characters of a value that is looked for; a longer one is masked. */
const maxLookedForLength = 200;
/** How often it is looked for those that were not found on the page before, which has few matches of the others. */
const maxPages = 4;
const pageLength = 50;
/** How long, in ms, it is known whether a value stands in a shown text, and of how many: clients ask for diagnostics all the time. */
const keepMs = 10_000;
/** The most values of which it is kept whether they are known; when there are more, all are forgotten. */
const maxKept = 5_000;

interface AboutFile {
  readonly path: string;
  readonly isMarkdown?: boolean;
}

interface SaidOfFile {
  readonly path: string;
  readonly text: string;
}

/** What has to be known of a file for what is said of it; its text is not kept, because a page may speak of a thousand files. */
interface OwnValues {
  readonly secrets: ReadonlySet<string>;
  /** The quoted values that stand in its text as the client sees it. */
  readonly shown: ReadonlySet<string>;
}

const nothingKnown: OwnValues = { secrets: new Set(), shown: new Set() };

interface Part {
  readonly from: number;
  readonly to: number;
}

/**
 * Language services know files whole, and quote them: the type of a constant is its value. QuotedValues masks in their texts the
 * secrets of the file that they speak of, and every quoted value that stands in no text that the client may see.
 */
export class QuotedValues {
  readonly #documents: EditorPort['documents'];
  readonly #workspace: EditorPort['workspace'];
  readonly #visibility: Visibility;
  readonly #known = new Map<string, { readonly isShown: boolean; readonly until: number }>();

  constructor({ documents, workspace }: Pick<EditorPort, 'documents' | 'workspace'>, visibility: Visibility) {
    this.#documents = documents;
    this.#workspace = withholdingWorkspace(workspace, visibility);
    this.#visibility = visibility;
  }

  /** Masks texts that speak of one file. Such a text may be Markdown: then only its code quotes values. */
  mask(texts: readonly string[], { path, isMarkdown = false }: AboutFile, signal: AbortSignal): Promise<string[]> {
    return this.#maskAll(
      texts.map((text) => ({ path, text })),
      isMarkdown,
      signal,
    );
  }

  /** Masks what is said of files, in words or as a code, each by its own file: not everybody puts in quotes what stands there. */
  async maskDiagnostics(entries: readonly DiagnosticEntry[], signal: AbortSignal): Promise<DiagnosticEntry[]> {
    const said = entries.flatMap(({ path, message, code = '' }) => [
      { path, text: message },
      { path, text: code },
    ]);
    const masked = await this.#maskAll(said, false, signal);
    return entries.map((entry, index) => {
      const [message = '', code = ''] = masked.slice(index * 2, index * 2 + 2);
      return { ...entry, message, ...(entry.code !== undefined && { code }) };
    });
  }

  async #maskAll(said: readonly SaidOfFile[], isMarkdown: boolean, signal: AbortSignal): Promise<string[]> {
    const { redact, secretLine } = this.#visibility;
    if (secretLine === undefined) {
      return said.map(({ text }) => redact(text));
    }
    const slices = new Slices();
    const quoted = new Map(said.map(({ path }) => [path, new Set<string>()]));
    for (const { path, text } of said) {
      quotedIn(text, isMarkdown).forEach(({ from, to }) => quoted.get(path)?.add(text.slice(from, to)));
      await slices.pauseIfUsedUp();
    }
    const own = new Map<string, OwnValues>();
    for (const [path, values] of quoted) {
      own.set(path, await this.#valuesOf(path, values, slices, signal));
      await slices.pauseIfUsedUp();
    }
    await this.#learn(
      [...new Set([...quoted].flatMap(([path, values]) => [...values].filter((value) => own.get(path)?.shown.has(value) !== true)))],
      signal,
    );
    const masked: string[] = [];
    for (const { path, text } of said) {
      const { secrets, shown } = own.get(path) ?? nothingKnown;
      const isShown = (value: string): boolean => shown.has(value) || this.#known.get(value)?.isShown === true;
      masked.push(redact(withoutSecrets(withoutQuoted(text, isMarkdown, isShown), secrets)));
      await slices.pauseIfUsedUp();
    }
    return masked;
  }

  /** The secrets of a file, and which of the values its text shows. A file that is no text has none of either. */
  async #valuesOf(path: string, values: ReadonlySet<string>, slices: Slices, signal: AbortSignal): Promise<OwnValues> {
    const file = await this.#secretsOf(path, signal).catch(() => undefined);
    signal.throwIfAborted();
    const shown = new Set<string>();
    for (const value of file === undefined ? [] : values) {
      if (file?.shownText.includes(value) === true) {
        shown.add(value);
      }
      await slices.pauseIfUsedUp();
    }
    return { secrets: file?.values ?? nothingKnown.secrets, shown };
  }

  /** Masks the outline of a file. What a service says of a symbol is left out where a secret stands in the symbol. */
  async maskSymbols(symbols: readonly SymbolNode[], path: string, signal: AbortSignal): Promise<SymbolNode[]> {
    const { redact, secretLine } = this.#visibility;
    const own = secretLine === undefined || symbols.length === 0 ? undefined : await this.#secretsOf(path, signal);
    const secrets = own?.values ?? nothingKnown.secrets;
    const slices = new Slices();
    const maskAll = async (nodes: readonly SymbolNode[]): Promise<SymbolNode[]> => {
      const masked: SymbolNode[] = [];
      for (const node of nodes) {
        const children = node.children.length === 0 ? [] : await maskAll(node.children);
        const detail = own?.isIn(node.range) === true ? '' : redact(withoutSecrets(node.detail, secrets));
        masked.push({ ...node, name: redact(withoutSecrets(node.name, secrets)), detail, children });
        if (slices.isUsedUp) {
          await slices.pauseIfUsedUp();
        }
      }
      return masked;
    };
    return maskAll(symbols);
  }

  async #secretsOf(path: string, signal: AbortSignal): Promise<FileSecrets> {
    const { text } = await this.#documents.read(path, signal);
    return new FileSecrets(text, await this.#visibility.hide(text));
  }

  /** Finds out which values stand in a text that the client may see. */
  async #learn(values: readonly string[], signal: AbortSignal): Promise<void> {
    const now = performance.now();
    if (this.#known.size + values.length > maxKept) {
      this.#known.clear();
    }
    const unknown = values.filter((value) => (this.#known.get(value)?.until ?? 0) < now);
    let left = unknown.filter(({ length }) => length <= maxLookedForLength).slice(0, maxLookedFor);
    for (let pages = 0; pages < maxPages && left.length > 0; pages += 1) {
      const query = { query: left.map(escaped).join('|'), isRegex: true, isCaseSensitive: true, includeIgnored: false, limit: pageLength };
      const { matches } = await this.#workspace.searchText(query, signal);
      const missing = left.filter((value) => !matches.some(({ preview }) => preview.includes(value)));
      left.filter((value) => !missing.includes(value)).forEach((value) => this.#keep(value, true));
      left = matches.length < pageLength || missing.length === left.length ? [] : missing;
    }
    unknown.filter((value) => (this.#known.get(value)?.until ?? 0) < now).forEach((value) => this.#keep(value, false));
  }

  #keep(value: string, isShown: boolean): void {
    this.#known.set(value, { isShown, until: performance.now() + keepMs });
  }
}

/** The secrets of one file. `hidden` is its text with `hiddenCharacter` for each character that is withheld. */
class FileSecrets {
  readonly shownText: string;
  readonly values: ReadonlySet<string>;
  readonly #places: readonly Part[];
  readonly #lineStarts: readonly number[];

  constructor(text: string, hidden: string) {
    this.shownText = hidden;
    this.#places = hiddenParts(hidden);
    this.values = new Set(this.#places.map(({ from, to }) => text.slice(from, to)).filter(isTelling));
    this.#lineStarts = this.#places.length === 0 ? [] : startsOf(text);
  }

  isIn({ start, end }: TextRange): boolean {
    const offset = ({ line, character }: TextRange['start']): number => (this.#lineStarts[line - 1] ?? Infinity) + character - 1;
    let low = 0;
    for (let high = this.#places.length; low < high;) {
      const middle = (low + high) >> 1;
      const isBefore = (this.#places[middle]?.to ?? 0) <= offset(start);
      low = isBefore ? middle + 1 : low;
      high = isBefore ? high : middle;
    }
    const place = this.#places[low];
    return place !== undefined && place.from < offset(end);
  }
}

function hiddenParts(hidden: string): Part[] {
  const parts: Part[] = [];
  for (let from = hidden.indexOf(hiddenCharacter); from >= 0;) {
    let to = from;
    while (hidden[to] === hiddenCharacter) {
      to += 1;
    }
    parts.push({ from, to });
    from = hidden.indexOf(hiddenCharacter, to);
  }
  return parts;
}

function startsOf(text: string): number[] {
  const starts = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    starts.push(end + 1);
  }
  return starts;
}

function withoutSecrets(text: string, secrets: ReadonlySet<string>): string {
  return secrets.size === 0 ? text : replacePlaces(text, knownPlaces(secrets, text), secretMark);
}

function withoutQuoted(text: string, isMarkdown: boolean, isShown: (value: string) => boolean): string {
  let masked = '';
  let done = 0;
  for (const { from, to } of quotedIn(text, isMarkdown)) {
    if (from >= done && !isShown(text.slice(from, to))) {
      masked += text.slice(done, from) + secretMark;
      done = to;
    }
  }
  return masked + text.slice(done);
}

function isTelling(value: string): boolean {
  return value.length >= minLength && !plain.test(value);
}

/** Words in quotes of other kinds: what has white space or brackets in it is a type or a sentence. */
const wordInQuotes = /'([^\s'"`{}()<>|&;,]{8,400})'|`([^\s'"`{}()<>|&;,]{8,400})`/g;

/** Finds the values that a text quotes, in order. */
function quotedIn(text: string, isMarkdown: boolean): readonly Part[] {
  const parts = isMarkdown ? fencedIn(text) : [{ from: 0, to: text.length }];
  const found = parts.flatMap(({ from, to }) => {
    const part = text.slice(from, to);
    const words = [...part.matchAll(wordInQuotes)].map(({ 0: whole, index }) => ({ from: index + 1, to: index + whole.length - 1 }));
    return [...inDoubleQuotes(part), ...words].map((each) => ({ from: from + each.from, to: from + each.to }));
  });
  return found.filter(({ from, to }) => isTelling(text.slice(from, to))).sort((one, other) => one.from - other.from);
}

/** The code blocks of a Markdown text. */
function fencedIn(text: string): Part[] {
  const fence = '```';
  const parts: Part[] = [];
  for (let from = text.indexOf(fence); from >= 0;) {
    const end = text.indexOf(fence, from + fence.length);
    const to = end < 0 ? text.length : end;
    parts.push({ from: from + fence.length, to });
    from = end < 0 ? -1 : text.indexOf(fence, end + fence.length);
  }
  return parts;
}

/** Pairs the quotation marks of each line, from left to right. One pass: the text may be made to be slow. */
function inDoubleQuotes(text: string): Part[] {
  const parts: Part[] = [];
  let start = -1;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\n') {
      start = -1;
    } else if (character === '\\') {
      at += 1;
    } else if (character === '"') {
      if (start >= 0) {
        parts.push({ from: start, to: at });
      }
      start = start < 0 ? at + 1 : -1;
    }
  }
  return parts;
}

function escaped(value: string): string {
  return value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
