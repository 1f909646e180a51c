/** Lines `first` to `last` (from 1, both included) as they are, without the break after the last one. */
export function linesOf(text: string, first: number, last: number | undefined): { readonly text: string; readonly totalLines: number } {
  let totalLines = 1;
  let from = first === 1 ? 0 : text.length;
  let to = text.length;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (totalLines === last) {
      to = text[at - 1] === '\r' ? at - 1 : at;
    }
    totalLines += 1;
    if (totalLines === first) {
      from = at + 1;
    }
  }
  return { text: text.slice(from, Math.max(from, to)), totalLines };
}

export interface CutText {
  readonly shown: string;
  /** Where the rest begins; none when nothing was cut. */
  readonly rest?: { readonly line: number; readonly isInsideLine: boolean } | undefined;
}

/** The beginning of a text, whole lines if possible. `firstLine` is the number of its first line. */
export function cutText(text: string, most: number, firstLine = 1): CutText {
  if (text.length <= most) {
    return { shown: text };
  }
  const lineEnd = text.lastIndexOf('\n', most - 1) + 1;
  const isInsideLine = lineEnd === 0;
  const shown = text.slice(0, isInsideLine ? most : lineEnd);
  return { shown, rest: { line: firstLine + countBreaks(shown), isInsideLine } };
}

function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    count += 1;
  }
  return count;
}
