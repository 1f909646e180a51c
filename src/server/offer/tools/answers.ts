import * as z from 'zod';
import type { TextRange } from '../../seen/ports/documentsPort.ts';
import { cursorFor, offsetOf } from '../catalog/cursor.ts';

/** How many characters an answer holds unless the caller asks for more. The text and the structured content each have this much. */
export const usualChars = 25_000;

/** The longest reason for rejecting a proposal that is passed on to the client, in characters. */
export const maxReasonChars = 2_000;

/** The parameter that sets the size of an answer. */
export const maxChars = z.int().min(1_000).max(200_000).default(usualChars).describe('Most characters of the answer');

/** The parameters of every tool that answers in pages; `nextCursor` and `note` are members of its answer. */
export const paged = { maxChars, cursor: z.string().max(10_000).optional().describe('nextCursor of the page before') };
export const nextCursor = z.string().optional().describe('Only when there are more: pass it as cursor');
export const note = z.string().optional().describe('Why something is missing, and what to try');

/**
 * Returns the first items that fit into `most` characters, both as JSON and as text, and at least one, so that paging never stands
 * still. `kept` characters are reserved for the rest of the answer.
 */
export function fitItems<T>(items: readonly T[], most: number, toText: (item: T) => string, kept = 500): readonly T[] {
  let structure = kept;
  let text = kept;
  const fitting = items.findIndex((item) => {
    structure += JSON.stringify(item).length + 1;
    text += toText(item).length + 1;
    return structure > most || text > most;
  });
  return fitting < 0 ? items : items.slice(0, Math.max(1, fitting));
}

/**
 * An answer together with the JSON and the text that were made to measure it. They are sent as they are, so that nothing is
 * serialized twice.
 */
export class Measured<Output> {
  readonly output: Output;
  /** The output as JSON. */
  readonly structure: string;
  readonly text: string;

  constructor(output: Output, toText: (output: Output) => string) {
    this.output = output;
    this.structure = JSON.stringify(output);
    this.text = toText(output);
  }
}

/** Up to this many items are tried at once: most answers are that short and fit, and measuring item by item would cost more. */
const fewItems = 20;

/** Builds the answer with as many of the first items as fit into `most` characters, measured exactly, and with at least one. */
export function fitAnswer<T, Output>(
  items: readonly T[],
  most: number,
  build: (shown: readonly T[]) => Output,
  toText: (output: Output) => string,
): Measured<Output> {
  for (let shown = items.length > fewItems ? fitItems(items, most, () => '', 0) : items; ;) {
    const answer = new Measured(build(shown), toText);
    const size = Math.max(answer.structure.length, answer.text.length);
    if (size <= most || shown.length <= 1) {
      return answer;
    }
    const fitting = fitItems(shown, most, () => '', 0);
    const share = Math.max(1, Math.min(shown.length - 1, Math.floor((shown.length * most) / size)));
    shown = fitting.length < shown.length ? fitting : shown.slice(0, share);
  }
}

interface Page<T, Output> {
  readonly items: readonly T[];
  /** Shortens an item so that it fits on a page; it is called only for the items that may appear on this page. */
  readonly shorten?: (item: T) => T;
  readonly asked: { readonly maxChars: number; readonly cursor?: string | undefined; readonly limit?: number | undefined };
  /** Everything that decides what is in the list; a cursor made for another query is refused. */
  readonly query: readonly unknown[];
  readonly build: (shown: readonly T[], rest: { readonly nextCursor?: string }) => Output;
  readonly toText: (output: Output) => string;
}

/** The least number of characters that an item can take as JSON: braces, a name and a value. */
const leastItem = 8;

/** Cuts one page out of a list that is completely known. */
export function pageOfList<T, Output>({ items, shorten, asked, query, build, toText }: Page<T, Output>): Measured<Output> {
  const start = asked.cursor === undefined ? 0 : offsetOf(asked.cursor, query);
  // A list may have a hundred thousand items: only those that could fit are looked at.
  const fitting = items.slice(start, start + Math.min(asked.limit ?? Infinity, Math.ceil(asked.maxChars / leastItem)));
  const most = shorten === undefined ? fitting : fitting.map(shorten);
  const withRest = (shown: readonly T[]): Output => {
    const end = start + shown.length;
    return build(shown, end < items.length ? { nextCursor: cursorFor(end, query) } : {});
  };
  return fitAnswer(most, asked.maxChars, withRest, toText);
}

/** Characters reserved for the mark that says how much is missing. */
const markChars = 60;

/** Shortens a text to `most` characters and says how many are missing. Characters are counted as in JSON, where a line break takes two. */
export function clip(text: string, most: number): string {
  return fitText(text, most, (length) => `${text.slice(0, length)}… [${text.length - length} more characters]`);
}

/** Shortens the output of a program: keeps its beginning and its end, and says in between how much is missing and where to find it. */
export function cutMiddle(text: string, most: number, pointer = ''): string {
  return fitText(text, most - pointer.length, (length) => {
    const head = upToLine(text.slice(0, Math.floor(length / 3)));
    const tail = fromLine(text.slice(text.length - Math.floor((length * 2) / 3)));
    return `${head}\n[… ${text.length - head.length - tail.length} characters left out${pointer} …]\n${tail}`;
  });
}

/** Returns the text if it fits into `most` characters of JSON, otherwise the longest result of `cut` that does. */
function fitText(text: string, most: number, cut: (length: number) => string): string {
  if (text.length <= most && JSON.stringify(text).length <= most) {
    return text;
  }
  const room = Math.max(0, most - markChars);
  for (let length = Math.min(text.length, room); ;) {
    const kept = cut(length);
    const size = JSON.stringify(kept).length;
    if (size <= most || length === 0) {
      return kept;
    }
    length = Math.min(length - 1, Math.floor((length * room) / size));
  }
}

/** Ends at a line break, unless that would lose more than half of the text. */
function upToLine(text: string): string {
  const end = text.lastIndexOf('\n');
  return end > text.length / 2 ? text.slice(0, end) : text;
}

function fromLine(text: string): string {
  const start = text.indexOf('\n');
  return start >= 0 && start < text.length / 2 ? text.slice(start + 1) : text;
}

/** The functions below write answers as text for models: one line for each thing, and at the end what was left out. */

/** Writes a range as `3:7-12` within one line and as `3:7-5:2` over several. */
export function rangeText({ start, end }: TextRange): string {
  const last = end.line === start.line ? `${end.character}` : `${end.line}:${end.character}`;
  return `${start.line}:${start.character}-${last}`;
}

export function placeText({ path, range }: { readonly path: string; readonly range: TextRange }): string {
  return `${path}:${rangeText(range)}`;
}

/** Indents all lines but the first, so that they read as its continuation. */
export function indented(text: string): string {
  return text.replace(/\r?\n/g, '\n  ');
}

/** Joins the marks that apply, as in `(active, unsaved)`. */
export function marked(...marks: readonly (string | false | undefined)[]): string {
  return `(${marks.filter((mark) => mark !== undefined && mark !== false && mark !== '').join(', ')})`;
}

interface Endings {
  readonly note?: string | undefined;
  readonly nextCursor?: string | undefined;
}

export function answerText(lines: readonly string[], { note, nextCursor }: Endings): string {
  const all = [...lines];
  if (note !== undefined) {
    all.push(note);
  }
  if (nextCursor !== undefined) {
    all.push(`More: pass cursor "${nextCursor}".`);
  }
  return all.join('\n');
}
