import { Slices } from '../../../base/slices.ts';
import { hiddenCharacter, knownPlaces, replacePlaces, secretMark } from '../../../secrets/secretMarks.ts';
import type { TextRange } from '../ports/documentsPort.ts';
import type { EditorPort } from '../ports/editorPort.ts';
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

  /** Masks texts that speak of a file, or of any. Such a text may be Markdown: then only its code quotes values. */
  async mask(
    texts: readonly string[],
    about: { readonly path?: string; readonly isMarkdown?: boolean },
    signal: AbortSignal,
  ): Promise<string[]> {
    const { redact, secretLine } = this.#visibility;
    if (secretLine === undefined) {
      return texts.map(redact);
    }
    // A file that is no text has no secrets of its own.
    const own = about.path === undefined ? undefined : await this.#secretsOf(about.path, signal).catch(() => undefined);
    signal.throwIfAborted();
    const { isMarkdown = false } = about;
    const quoted = new Set(texts.flatMap((text) => quotedIn(text, isMarkdown).map(({ from, to }) => text.slice(from, to))));
    await this.#learn(
      [...quoted].filter((value) => own?.shownText.includes(value) !== true),
      signal,
    );
    const isShown = (value: string): boolean => own?.shownText.includes(value) === true || this.#known.get(value)?.isShown === true;
    const slices = new Slices();
    const masked: string[] = [];
    for (const text of texts) {
      masked.push(redact(withoutSecrets(withoutQuoted(text, isMarkdown, isShown), own)));
      await slices.pauseIfUsedUp();
    }
    return masked;
  }

  /** Masks messages that each speak of a file of their own. Only files of which a message quotes a value are read for that. */
  async maskEach(said: readonly { readonly path: string; readonly message: string }[], signal: AbortSignal): Promise<string[]> {
    const { redact, secretLine } = this.#visibility;
    if (secretLine === undefined) {
      return said.map(({ message }) => redact(message));
    }
    const owns = new Map<string, FileSecrets | undefined>();
    const unknown = new Set<string>();
    for (const { path, message } of said) {
      const values = quotedIn(message, false).map(({ from, to }) => message.slice(from, to));
      if (values.length > 0 && !owns.has(path)) {
        owns.set(path, await this.#secretsOf(path, signal).catch(() => undefined));
        signal.throwIfAborted();
      }
      values.filter((value) => owns.get(path)?.shownText.includes(value) !== true).forEach((value) => unknown.add(value));
    }
    await this.#learn([...unknown], signal);
    return said.map(({ path, message }) => {
      const own = owns.get(path);
      const isShown = (value: string): boolean => own?.shownText.includes(value) === true || this.#known.get(value)?.isShown === true;
      return redact(withoutSecrets(withoutQuoted(message, false, isShown), own));
    });
  }

  /** Masks texts at once; `undefined` where it has to be looked up first whether a value may be shown. */
  maskKnown(texts: readonly string[]): string[] | undefined {
    const { redact, secretLine } = this.#visibility;
    if (secretLine === undefined) {
      return texts.map(redact);
    }
    const now = performance.now();
    const values = texts.flatMap((text) => quotedIn(text, false).map(({ from, to }) => text.slice(from, to)));
    if (values.some((value) => (this.#known.get(value)?.until ?? 0) < now)) {
      return undefined;
    }
    const isShown = (value: string): boolean => this.#known.get(value)?.isShown === true;
    return texts.map((text) => redact(withoutQuoted(text, false, isShown)));
  }

  /** Masks the outline of a file. What a service says of a symbol is left out where a secret stands in the symbol. */
  async maskSymbols(symbols: readonly SymbolNode[], path: string, signal: AbortSignal): Promise<SymbolNode[]> {
    const { redact, secretLine } = this.#visibility;
    const own = secretLine === undefined || symbols.length === 0 ? undefined : await this.#secretsOf(path, signal);
    const slices = new Slices();
    const maskAll = async (nodes: readonly SymbolNode[]): Promise<SymbolNode[]> => {
      const masked: SymbolNode[] = [];
      for (const node of nodes) {
        const children = node.children.length === 0 ? [] : await maskAll(node.children);
        const detail = own?.isIn(node.range) === true ? '' : redact(withoutSecrets(node.detail, own));
        masked.push({ ...node, name: redact(withoutSecrets(node.name, own)), detail, children });
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

function withoutSecrets(text: string, secrets: FileSecrets | undefined): string {
  return secrets === undefined || secrets.values.size === 0 ? text : replacePlaces(text, knownPlaces(secrets.values, text), secretMark);
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
