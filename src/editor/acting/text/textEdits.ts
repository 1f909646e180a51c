import { editorError } from '../../shared/editorErrors.ts';
import type { RangeEdit } from '../../../server/seen/ports/actingPort.ts';
import type { TextRange } from '../../../server/seen/ports/documentsPort.ts';

type Eol = '\n' | '\r\n';

/** The most characters a text may have after edits; as many as a file may have bytes to be read. */
const maxLength = 20 * 1024 * 1024;

/** A replacement from `start` up to, but not including, `end`, in UTF-16 code units. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** The text with the line ends of the document, and without a byte order mark: that belongs to the file, not to the text. */
export function withEol(text: string, eol: Eol): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n|\r|\n/g, eol);
}

/** The text with all edits made at once. Throws on ranges outside of the text and on edits that overlap. */
export function applyRangeEdits(text: string, edits: readonly RangeEdit[], eol: Eol): string {
  return applySpans(text, spansOfRanges(text, edits, eol));
}

/** A replacement with a name by which an error can tell it. */
export interface NamedSpan extends Span {
  readonly name: string;
}

export function spansOfRanges(text: string, edits: readonly RangeEdit[], eol: Eol): NamedSpan[] {
  if (edits.length === 0) {
    return [];
  }
  const lines = lineSpans(text);
  return edits.map(({ range, newText }) => {
    const start = offsetOf(range.start, lines, range);
    const end = offsetOf(range.end, lines, range);
    if (end < start) {
      throw editorError('editor.rangeReversed', { range: describe(range) });
    }
    return { start, end, newText: withEol(newText, eol), name: `the range ${describe(range)}` };
  });
}

/**
 * Makes all replacements at once; those at the same place in the order given. Throws when some overlap, and when the text becomes
 * too large.
 */
export function applySpans(text: string, spans: readonly NamedSpan[]): string {
  const sorted = spans.map((span, index) => ({ ...span, index })).sort((a, b) => a.start - b.start || a.end - b.end || a.index - b.index);
  let length = text.length;
  for (const [index, span] of sorted.entries()) {
    const before = sorted[index - 1];
    if (before !== undefined && span.start < before.end) {
      throw editorError('editor.editsOverlap', { edit: span.name, other: before.name });
    }
    length += span.newText.length - (span.end - span.start);
  }
  if (length > Math.max(maxLength, text.length)) {
    throw editorError('editor.newTextTooLarge', { limit: maxLength / 1024 / 1024 });
  }
  return splice(text, sorted);
}

/** The smallest single replacement that turns one text into the other, so that cursors, folds and breakpoints elsewhere stay. */
export function smallestReplacement(before: string, after: string): Span {
  const most = Math.min(before.length, after.length);
  let prefix = 0;
  while (prefix < most && before[prefix] === after[prefix]) {
    prefix += 1;
  }
  let suffix = 0;
  while (suffix < most - prefix && before[before.length - 1 - suffix] === after[after.length - 1 - suffix]) {
    suffix += 1;
  }
  // Neither a line end nor a surrogate pair is cut in two.
  while (prefix > 0 && (isInsidePair(before, prefix) || isInsidePair(after, prefix))) {
    prefix -= 1;
  }
  while (suffix > 0 && (isInsidePair(before, before.length - suffix) || isInsidePair(after, after.length - suffix))) {
    suffix -= 1;
  }
  return { start: prefix, end: before.length - suffix, newText: after.slice(prefix, after.length - suffix) };
}

function isInsidePair(text: string, offset: number): boolean {
  const pair = text.slice(offset - 1, offset + 1);
  return pair === '\r\n' || /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(pair);
}

function splice(text: string, sorted: readonly Span[]): string {
  let end = 0;
  const pieces = sorted.flatMap((span) => {
    const kept = text.slice(end, span.start);
    end = span.end;
    return [kept, span.newText];
  });
  return [...pieces, text.slice(end)].join('');
}

/** The start and end of each line, without its line end. */
function lineSpans(text: string): readonly { readonly start: number; readonly end: number }[] {
  const spans: { start: number; end: number }[] = [];
  let start = 0;
  for (const match of text.matchAll(/\r\n|\r|\n/g)) {
    spans.push({ start, end: match.index });
    start = match.index + match[0].length;
  }
  spans.push({ start, end: text.length });
  return spans;
}

function offsetOf(position: TextRange['start'], lines: ReturnType<typeof lineSpans>, range: TextRange): number {
  const line = lines[position.line - 1];
  if (line === undefined) {
    // The start of the line after the last one is where a text ends for many clients.
    const last = lines.at(-1);
    if (last !== undefined && position.line === lines.length + 1 && position.character === 1) {
      return last.end;
    }
    throw editorError('editor.rangeBehindText', { range: describe(range), lineCount: lines.length });
  }
  const offset = line.start + position.character - 1;
  if (offset > line.end) {
    throw editorError('editor.rangeBehindLine', { range: describe(range), line: position.line, length: line.end - line.start });
  }
  return offset;
}

function describe({ start, end }: TextRange): string {
  return `${start.line}:${start.character}-${end.line}:${end.character}`;
}
