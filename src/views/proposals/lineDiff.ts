import type { DiffLine } from '../../contract/chat/editReview.ts';

/** The most comparisons of lines; texts that differ in more are shown as one block that goes and one that comes. */
const maxComparisons = 1_000_000;
/** How many lines that are the same are shown around a change. */
const contextLines = 3;

export interface LineDiff {
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
}

/** Compares two texts line by line. Its time is bounded, whatever the texts are. */
export function diffOfLines(before: string, after: string): LineDiff {
  const [old, now] = [linesOf(before), linesOf(after)];
  const { start, end } = sameEdges(old, now);
  const middle = changesOf(old.slice(start, old.length - end), now.slice(start, now.length - end));
  const all: readonly DiffLine[] = [...old.slice(0, start).map(same), ...middle, ...old.slice(old.length - end).map(same)];
  return {
    lines: withGaps(all),
    added: middle.filter(({ kind }) => kind === 'added').length,
    removed: middle.filter(({ kind }) => kind === 'removed').length,
  };
}

/** The last line of the new text, from 0, that a change touches. */
export function lastChangedLine(before: string, after: string): number {
  const [old, now] = [linesOf(before), linesOf(after)];
  return Math.max(0, now.length - sameEdges(old, now).end - 1);
}

/** How many lines are the same at the beginning and, of the others, at the end. */
function sameEdges(old: readonly string[], now: readonly string[]): { readonly start: number; readonly end: number } {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) {
    start += 1;
  }
  let end = 0;
  while (end < old.length - start && end < now.length - start && old[old.length - 1 - end] === now[now.length - 1 - end]) {
    end += 1;
  }
  return { start, end };
}

/** The end of the last line is no line of its own. */
function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function same(text: string): DiffLine {
  return { kind: 'same', text };
}

function changesOf(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  if (old.length * now.length > maxComparisons) {
    return [...old.map((text): DiffLine => ({ kind: 'removed', text })), ...now.map((text): DiffLine => ({ kind: 'added', text }))];
  }
  const common = commonLengths(old, now);
  const width = now.length + 1;
  const lines: DiffLine[] = [];
  let [from, to] = [0, 0];
  while (from < old.length || to < now.length) {
    const [left, right] = [old[from], now[to]];
    if (left !== undefined && left === right) {
      lines.push(same(left));
      from += 1;
      to += 1;
    } else if (left !== undefined && (right === undefined || at(common, (from + 1) * width + to) >= at(common, from * width + to + 1))) {
      lines.push({ kind: 'removed', text: left });
      from += 1;
    } else {
      lines.push({ kind: 'added', text: right ?? '' });
      to += 1;
    }
  }
  return lines;
}

/** Computes, for each pair of places, how many lines the rests of both texts have in common (longest common subsequence). */
function commonLengths(old: readonly string[], now: readonly string[]): Uint32Array {
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  for (let from = old.length - 1; from >= 0; from -= 1) {
    for (let to = now.length - 1; to >= 0; to -= 1) {
      const here = from * width + to;
      common[here] = old[from] === now[to] ? at(common, here + width + 1) + 1 : Math.max(at(common, here + width), at(common, here + 1));
    }
  }
  return common;
}

function at(numbers: Uint32Array, index: number): number {
  return numbers[index] ?? 0;
}

function withGaps(lines: readonly DiffLine[]): readonly DiffLine[] {
  const isNear = new Set<number>();
  lines.forEach(({ kind }, index) => {
    for (let near = index - contextLines; kind !== 'same' && near <= index + contextLines; near += 1) {
      isNear.add(near);
    }
  });
  return lines.flatMap((line, index) =>
    isNear.has(index) ? [line] : index === 0 || isNear.has(index - 1) ? [{ kind: 'gap', text: '' } as const] : [],
  );
}
