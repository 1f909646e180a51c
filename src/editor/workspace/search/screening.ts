import { previewOf, type LinePreview } from '../../../base/previewText.ts';
import type { LineMatch } from './searchEngine.ts';

/**
 * What may be told of one file. Patterns are matched against `shownText`, never against what is withheld: whether and how far
 * a pattern matches there would tell a right guess from a wrong one.
 */
export class Screening {
  /** The file as it may be shown; `undefined` when nothing in it is withheld. */
  readonly shownText: string | undefined;
  readonly #lines: readonly string[];
  /** Of the line that was asked about last: one line may have very many matches. */
  #edges: { readonly line: number; readonly before: number; readonly after: number; readonly shift: number } | undefined;

  /** `text` is the whole file: some secrets are longer than a line. */
  constructor(text: string, redacted: string) {
    this.shownText = redacted === text ? undefined : redacted;
    this.#lines = redacted === text ? [] : text.split('\n');
  }

  /** A match in `shownText` as one in the file; `undefined` for one that touches what is withheld, or lies between two such places. */
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
    // Counted in the file, too, unless it begins before what is withheld.
    const begins = previewStart !== undefined && previewStart > shown.length - after ? previewStart + whole : previewStart;
    const preview = { ...part, ...(begins !== undefined && { previewStart: begins }) };
    return { match: { ...match, character: character + shift, endCharacter: endCharacter + shift }, preview };
  }

  /** How much of the line is the same at both ends, and how much longer the real one is. */
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
