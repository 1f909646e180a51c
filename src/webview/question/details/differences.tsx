import type { JSX } from 'preact';
import type { Difference } from '../../../contract/questions/questions.ts';
import { t } from '../../shared/localize.ts';
import { wholeText } from '../../shared/wholeText.ts';

export function Differences({ differences }: { readonly differences: readonly Difference[] }): JSX.Element {
  return (
    <dl class="facts differences" aria-label={t('What changed')}>
      {differences.map(({ field, before, after, isHidden = false }, index) => (
        <div class="fact" key={index}>
          <dt>{wholeText(field)}</dt>
          <dd>
            {isHidden
              ? t('(another one than before; not shown, because it may be a secret)')
              : differenceSegments(whole(before), whole(after)).map(drawSegment)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function whole(text: string | undefined): string | undefined {
  return text === undefined ? undefined : wholeText(text);
}

function drawSegment({ kind, text }: Segment, index: number): JSX.Element {
  switch (kind) {
    case 'removed':
      return (
        <del key={index}>
          <span class="screen-reader-only">{t('removed:')} </span>
          {text}
        </del>
      );
    case 'added':
      return (
        <ins key={index}>
          <span class="screen-reader-only">{t('added:')} </span>
          {text}
        </ins>
      );
    case 'same':
      return <span key={index}>{text}</span>;
  }
}

/** A piece of a changed text: what stayed, what went (struck), what came (marked). */
interface Segment {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** The most words of a text that is compared word by word; in a longer one the whole middle counts as changed. */
const maxWords = 600;
const leastInCommon = 0.3;

export function differenceSegments(before: string | undefined, after: string | undefined): readonly Segment[] {
  if (before === undefined || after === undefined || before === after) {
    return before === after ? segment('same', before ?? '') : [...segment('removed', before ?? ''), ...segment('added', after ?? '')];
  }
  const [old, fresh] = [splitWords(before), splitWords(after)];
  const start = commonLength(old, fresh);
  const end = commonLength(old.slice(start).reverse(), fresh.slice(start).reverse());
  const middle = compareWords(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end));
  const segments = merge([
    ...segment('same', old.slice(0, start).join('')),
    ...middle,
    ...segment('same', old.slice(old.length - end).join('')),
  ]);
  // Two texts that share only a few words read better one after the other.
  return isMostlyNew(segments, before, after) ? [...segment('removed', before), ...segment('added', after)] : segments;
}

function segment(kind: Segment['kind'], text: string): Segment[] {
  return text === '' ? [] : [{ kind, text }];
}

function splitWords(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

function commonLength(one: readonly string[], other: readonly string[]): number {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) {
    length += 1;
  }
  return length;
}

/** Finds the longest common subsequence of words. Above a size that would take time, the whole middle counts as changed. */
function compareWords(old: readonly string[], fresh: readonly string[]): Segment[] {
  if (old.length > maxWords || fresh.length > maxWords) {
    return [...segment('removed', old.join('')), ...segment('added', fresh.join(''))];
  }
  const width = fresh.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = fresh.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        old[row] === fresh[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const segments: Segment[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < fresh.length) {
    if (row < old.length && old[row] === fresh[column]) {
      segments.push({ kind: 'same', text: old[row] ?? '' });
      row += 1;
      column += 1;
    } else if (column >= fresh.length || (row < old.length && at(row + 1, column) >= at(row, column + 1))) {
      segments.push({ kind: 'removed', text: old[row] ?? '' });
      row += 1;
    } else {
      segments.push({ kind: 'added', text: fresh[column] ?? '' });
      column += 1;
    }
  }
  return segments;
}

function merge(segments: readonly Segment[]): Segment[] {
  const merged: Segment[] = [];
  for (const next of segments) {
    const last = merged.at(-1);
    if (last?.kind === next.kind) {
      merged[merged.length - 1] = { kind: next.kind, text: last.text + next.text };
    } else {
      merged.push(next);
    }
  }
  return merged;
}

function isMostlyNew(segments: readonly Segment[], before: string, after: string): boolean {
  const kept = segments.reduce((sum, { kind, text }) => (kind === 'same' ? sum + text.trim().length : sum), 0);
  return kept < Math.max(before.length, after.length) * leastInCommon;
}
