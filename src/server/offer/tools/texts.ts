import type { TextRange } from '../../seen/ports/textRange.ts';

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
