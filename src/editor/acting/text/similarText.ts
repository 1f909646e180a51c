import { Slices } from '../../../base/slices.ts';

/** Why a text was not found: how it does occur, or which line is most like it. Lines count from 1; no line is quoted. */
export type NearMiss =
  | { readonly kind: 'lineNumbers' | 'whiteSpace' | 'letterCase'; readonly line: number }
  | { readonly kind: 'similarLine'; readonly line: number }
  | { readonly kind: 'nothing' };

/** Finds out why a text does not occur. Takes linear time, in slices between which others get their turn. */
export async function findNearMiss(text: string, wanted: string): Promise<NearMiss> {
  const slices = new Slices();
  const whiteSpace = await lineOfLoose(text, wanted, exact, slices);
  if (whiteSpace !== undefined) {
    return { kind: 'whiteSpace', line: whiteSpace };
  }
  const letterCase = await lineOfLoose(text, wanted, lower, slices);
  if (letterCase !== undefined) {
    return { kind: 'letterCase', line: letterCase };
  }
  const bare = withoutLineNumbers(wanted);
  const numbered = bare === undefined ? undefined : await lineOfLoose(text, bare, exact, slices);
  if (numbered !== undefined) {
    return { kind: 'lineNumbers', line: numbered };
  }
  const line = await mostSimilarLine(text, wanted, slices);
  return line === undefined ? { kind: 'nothing' } : { kind: 'similarLine', line };
}

/** A line as `read_file` writes it for a model: its number, and the text behind it. */
const numberedLine = /^[ \t]*\d{1,7}(?:\t|: ?| ?[|→] ?)/;

function withoutLineNumbers(wanted: string): string | undefined {
  const lines = wanted.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  return lines.length > 0 && lines.every((line) => numberedLine.test(line))
    ? lines.map((line) => line.replace(numberedLine, '')).join('\n')
    : undefined;
}

type Fold = (code: number) => number;
const exact: Fold = (code) => code;
const lower: Fold = (code) =>
  code < 0x80 ? (code >= 0x41 && code <= 0x5a ? code + 0x20 : code) : String.fromCharCode(code).toLowerCase().charCodeAt(0);

const stepLength = 100_000;

/**
 * The line where the wanted text begins when white space is ignored in both. The algorithm is that of Knuth, Morris and Pratt, so
 * that no text makes it slow.
 */
async function lineOfLoose(text: string, wanted: string, fold: Fold, slices: Slices): Promise<number | undefined> {
  const needle = Array.from({ length: wanted.length }, (_, index) => wanted.charCodeAt(index))
    .filter((code) => !isWhite(code))
    .map(fold);
  if (needle.length === 0) {
    return undefined;
  }
  const fallbacks = fallbacksOf(needle);
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (at % stepLength === 0) {
      await slices.pauseIfUsedUp();
    }
    const code = text.charCodeAt(at);
    if (isWhite(code)) {
      continue;
    }
    matched = advance(needle, fallbacks, matched, fold(code));
    if (matched === needle.length) {
      return linesAt(text, [startOf(text, at, needle.length)])[0];
    }
  }
  return undefined;
}

/** For each beginning of the wanted text: the length of the longest shorter beginning that it ends with. */
function fallbacksOf(needle: readonly number[]): Int32Array {
  const fallbacks = new Int32Array(needle.length);
  for (let index = 1; index < needle.length; index += 1) {
    fallbacks[index] = advance(needle, fallbacks, fallbacks[index - 1] ?? 0, needle[index] ?? 0);
  }
  return fallbacks;
}

function advance(needle: readonly number[], fallbacks: Int32Array, matched: number, code: number): number {
  let length = matched;
  while (length > 0 && needle[length] !== code) {
    length = fallbacks[length - 1] ?? 0;
  }
  return needle[length] === code ? length + 1 : length;
}

/** The place that is `count` characters other than white space before `last`, which counts as one. */
function startOf(text: string, last: number, count: number): number {
  let left = count;
  let at = last;
  for (; at > 0; at -= 1) {
    left -= isWhite(text.charCodeAt(at)) ? 0 : 1;
    if (left === 0) {
      break;
    }
  }
  return at;
}

function isWhite(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0 || code === 0xfeff || (code >= 0x2000 && code <= 0x200b);
}

/** The lines, from 1, of places that are in order. */
export function linesAt(text: string, offsets: readonly number[]): number[] {
  let line = 1;
  let at = 0;
  return offsets.map((offset) => {
    for (; at < offset; at += 1) {
      const code = text.charCodeAt(at);
      line += code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a) ? 1 : 0;
    }
    return line;
  });
}

/** The most characters of a line that is compared; a longer one counts as not similar. */
const maxLineLength = 500;
/** A line that shares less than this with the wanted one is no help. */
const leastAlike = 0.5;

/** The line that shares the most words with the first line of the wanted text. */
async function mostSimilarLine(text: string, wanted: string, slices: Slices): Promise<number | undefined> {
  const first = wanted.split(/\r\n|\r|\n/, 100).find((line) => line.trim() !== '');
  const words = new Set(wordsOf((first ?? '').slice(0, maxLineLength)));
  if (words.size === 0) {
    return undefined;
  }
  let best = { line: 0, alike: 0 };
  let line = 0;
  for (let start = 0; start < text.length;) {
    if (line % 500 === 0) {
      await slices.pauseIfUsedUp();
    }
    line += 1;
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    const alike = end - start > maxLineLength ? 0 : likeness(words, wordsOf(text.slice(start, end)));
    best = alike > best.alike ? { line, alike } : best;
    start = end + 1;
  }
  return best.alike < leastAlike ? undefined : best.line;
}

function likeness(words: ReadonlySet<string>, others: readonly string[]): number {
  const shared = new Set(others.filter((word) => words.has(word))).size;
  return shared / Math.max(words.size, others.length);
}

function wordsOf(line: string): string[] {
  return line.toLowerCase().match(/[\p{L}\p{N}_$]{1,100}/gu) ?? [];
}
