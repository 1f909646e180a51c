import * as z from 'zod';
import type { TextRange } from '../../seen/ports/documentsPort.ts';
import { cursorFor, offsetOf } from '../catalog/cursor.ts';

/** What an answer holds unless the caller asks for more: as text, and as much again as structure. */
export const usualChars = 25_000;

/** Of what the person says to a proposal. */
export const maxReasonChars = 2_000;

export const maxChars = z.int().min(1_000).max(200_000).default(usualChars).describe('Most characters of the answer');

/** What tools with pages take, and what they give. */
export const paged = { maxChars, cursor: z.string().max(10_000).optional().describe('nextCursor of the page before') };
export const nextCursor = z.string().optional().describe('Only when there are more: pass it as cursor');
export const note = z.string().optional().describe('Why something is missing, and what to try');

/**
 * The first items that fit, both as structure and as the text made of them; one at least, so that paging goes on. `kept` is
 * for what else is in the answer.
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

/** An answer with the texts by which it was measured: they are what is sent, and are not written twice. */
export class Measured<Output> {
  readonly output: Output;
  /** As JSON. */
  readonly structure: string;
  readonly text: string;

  constructor(output: Output, toText: (output: Output) => string) {
    this.output = output;
    this.structure = JSON.stringify(output);
    this.text = toText(output);
  }
}

/** Most answers have no more items, and fit: so few are not measured one by one first. */
const fewItems = 20;

/** The answer with the first items for which it holds no more than it may, exactly; with one at least. */
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
  /** Makes one item fit on a page; only those that may come on it are made so. */
  readonly shorten?: (item: T) => T;
  readonly asked: { readonly maxChars: number; readonly cursor?: string | undefined; readonly limit?: number | undefined };
  /** What the list depends on: a cursor is good for the same list only. */
  readonly query: readonly unknown[];
  readonly build: (shown: readonly T[], rest: { readonly nextCursor?: string }) => Output;
  readonly toText: (output: Output) => string;
}

/** What an item of a page takes at least, as JSON: braces, a name and a value. */
const leastItem = 8;

/** A page of a list that is known whole. */
export function pageOf<T, Output>({ items, shorten, asked, query, build, toText }: Page<T, Output>): Measured<Output> {
  const start = asked.cursor === undefined ? 0 : offsetOf(asked.cursor, query);
  // There may be a hundred thousand.
  const fitting = items.slice(start, start + Math.min(asked.limit ?? Infinity, Math.ceil(asked.maxChars / leastItem)));
  const most = shorten === undefined ? fitting : fitting.map(shorten);
  const withRest = (shown: readonly T[]): Output => {
    const end = start + shown.length;
    return build(shown, end < items.length ? { nextCursor: cursorFor(end, query) } : {});
  };
  return fitAnswer(most, asked.maxChars, withRest, toText);
}

/** Room for a mark that says how much is missing. */
const markChars = 60;

/** The beginning of a text that would fill an answer alone. Counted as JSON has it, where a line break is two characters. */
export function clip(text: string, most: number): string {
  return fitText(text, most, (length) => `${text.slice(0, length)}… [${text.length - length} more characters]`);
}

/** Of what a program wrote: how it began and how it ended, and in between how much is missing and where it is. */
export function cutMiddle(text: string, most: number, pointer = ''): string {
  return fitText(text, most - pointer.length, (length) => {
    const head = upToLine(text.slice(0, Math.floor(length / 3)));
    const tail = fromLine(text.slice(text.length - Math.floor((length * 2) / 3)));
    return `${head}\n[… ${text.length - head.length - tail.length} characters left out${pointer} …]\n${tail}`;
  });
}

/** The text, or what `cut` makes of it when it is to be of some length, within `most` characters of JSON. */
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

/** Whole lines, unless most of it would be gone. */
function upToLine(text: string): string {
  const end = text.lastIndexOf('\n');
  return end > text.length / 2 ? text.slice(0, end) : text;
}

function fromLine(text: string): string {
  const start = text.indexOf('\n');
  return start >= 0 && start < text.length / 2 ? text.slice(start + 1) : text;
}

/** How answers are written for models: a line for each thing, what was left out at the end. */

/** `3:7-12` within a line, `3:7-5:2` over several. */
export function rangeText({ start, end }: TextRange): string {
  const last = end.line === start.line ? `${end.character}` : `${end.line}:${end.character}`;
  return `${start.line}:${start.character}-${last}`;
}

export function placeText({ path, range }: { readonly path: string; readonly range: TextRange }): string {
  return `${path}:${rangeText(range)}`;
}

/** Further lines belong to the first one. */
export function indented(text: string): string {
  return text.replace(/\r?\n/g, '\n  ');
}

/** `(a, b)`: those that hold. */
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
