// Where a declaration is in a text, with what belongs to it.
import type { TextRange } from '../../seen/ports/documentsPort.ts';

/**
 * The first and the last line are shown whole if at most this many other characters stand on them. A longer line probably has many
 * symbols.
 */
export const maxBeside = 200;
/** The most lines of a comment that are shown with its symbol. */
const maxCommentLines = 200;

/** Words before a name that belong to its declaration, though many language services leave them out of its range. */
const declaring: ReadonlySet<string> = new Set(
  'abstract async const declare default export final let local override private protected pub public readonly static type val var'.split(
    ' ',
  ),
);

/**
 * The range of a text that a new declaration takes the place of: that of the symbol, with the words that declare it. The comment
 * above is part of it only if the new text begins with one too, and so are the indentation, and the semicolon and the line end
 * behind it. So what read_symbol shows can be changed and given back, and so can a declaration without its surroundings.
 */
export function replacedDeclaration(text: string, range: TextRange, newText: string): TextRange {
  // Lines are counted by line feeds here, and by VS Code in other ways, too.
  if (/\r(?!\n)/.test(text)) {
    return range;
  }
  const first = startOfLine(text, range.start.line);
  const start = first + range.start.character - 1;
  const lastLine = startOfLine(text, range.end.line);
  const symbolEnd = lastLine + range.end.character - 1;
  const end = endWith(text, symbolEnd, newText);
  const words = text.slice(first, start).trim();
  const isAlone = words === '' || (isEndOfStatement(text, symbolEnd) && words.split(/\s+/).every((word) => declaring.has(word)));
  if (start - first > maxBeside || !isAlone) {
    return { start: range.start, end: placeAt(text, end) };
  }
  const from = isComment(newText) ? startOfComment(text, first) : first;
  const isIndented = /^[ \t]/.test(newText);
  return { start: placeAt(text, isIndented ? from : from + indentationAt(text, from)), end: placeAt(text, end) };
}

function isComment(newText: string): boolean {
  const beginning = newText.slice(0, maxBeside).trimStart();
  return lineComment.test(beginning) || blockStart.test(beginning);
}

/** Whether a statement ends here, so that the words before its name declare nothing else. */
function isEndOfStatement(text: string, end: number): boolean {
  return /^;?\s*(?:$|\/)/.test(text.slice(end, Math.min(endOfLine(text, end), end + maxBeside)));
}

/** The end of what is replaced: with the semicolon or comma, and with the line end, that the new text has, too. */
function endWith(text: string, end: number, newText: string): number {
  const last = newText.slice(-maxBeside).trimEnd().at(-1) ?? '';
  const afterMark = [';', ','].includes(last) && text[end] === last && text[end - 1] !== last ? end + 1 : end;
  const lineEnd = endOfLine(text, afterMark);
  if (!newText.endsWith('\n') || text.slice(afterMark, Math.min(lineEnd, afterMark + maxBeside)).trim() !== '') {
    return afterMark;
  }
  const lineBreak = text.indexOf('\n', lineEnd);
  return lineBreak < 0 ? afterMark : lineBreak + 1;
}

function indentationAt(text: string, at: number): number {
  return /^[ \t]*/.exec(text.slice(at, endOfLine(text, at)))?.[0].length ?? 0;
}

function placeAt(text: string, offset: number): TextRange['start'] {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  return { line: countLines(text, 0, lineStart) + 1, character: offset - lineStart + 1 };
}

export function startOfLine(text: string, line: number): number {
  let at = 0;
  for (let count = 1; count < line; count += 1) {
    const lineBreak = text.indexOf('\n', at);
    if (lineBreak < 0) {
      return text.length;
    }
    at = lineBreak + 1;
  }
  return at;
}

export function endOfLine(text: string, at: number): number {
  const lineBreak = text.indexOf('\n', at);
  const end = lineBreak < 0 ? text.length : lineBreak;
  return text[end - 1] === '\r' ? end - 1 : end;
}

const lineComment = /^(?:\/\/|--(?!-)|;;|#(?:\s|$)|#\[|@\w|%)/;
const blockStart = /^(?:\/\*|<!--)/;
const blockEnd = /(?:\*\/|-->)$/;
/** A comment that begins behind code. */
const innerStart = /\S\s*(?:\/\*|<!--)/;

/** Finds where the comment or the decorators right above a line begin; returns the start of the line itself if there are none. */
export function startOfComment(text: string, first: number): number {
  let start = first;
  let isInBlock = false;
  for (let count = 0, at = first; count < maxCommentLines && at > 0; count += 1) {
    const lineStart = text.lastIndexOf('\n', at - 2) + 1;
    const line = text.slice(lineStart, Math.min(at - 1, lineStart + maxBeside)).trim();
    const isBlockEnd = blockEnd.test(line) && !innerStart.test(line);
    if (isInBlock ? isBlockEnd : !isBlockEnd && !lineComment.test(line)) {
      return start;
    }
    isInBlock = (isInBlock || isBlockEnd) && !blockStart.test(line);
    at = lineStart;
    start = isInBlock ? start : lineStart;
  }
  return start;
}

export function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) {
    count += 1;
  }
  return count;
}
