import type { TextPart } from '../../seen/ports/documentsPort.ts';
import type { TextRange } from '../../seen/ports/textRange.ts';
import { goOnAt } from './sourceText.ts';
import { sourcePage } from './textPage.ts';

export interface Declaration {
  readonly part: TextPart;
  /** Of the part, before it was cut. */
  readonly range: TextRange;
  /** Only when it was cut. */
  readonly note?: string | undefined;
}

/** What else may stand on the first and the last line; on a longer line the symbol is one of many. */
const maxBeside = 200;
const maxCommentLines = 200;

/** What a symbol's range covers, as whole lines, with the comment right above it; of that what fits into `most` characters. */
export function declarationAt(text: string, range: TextRange, most: number): Declaration {
  const first = startOfLine(text, range.start.line);
  const last = startOfLine(text, range.end.line);
  const from = range.start.character - 1 <= maxBeside ? first : first + range.start.character - 1;
  const end = last + range.end.character - 1;
  const to = endOfLine(text, last) - end <= maxBeside ? Math.max(end, endOfLine(text, last)) : end;
  const above = from === first ? startOfComment(text, first) : from;
  const startLine = range.start.line - countLines(text, above, from);
  const startCharacter = from === first ? 1 : range.start.character;
  const shown: TextRange = {
    start: { line: startLine, character: startCharacter },
    end: { line: range.end.line, character: to - last + 1 },
  };
  const page = sourcePage(text.slice(0, to), { startLine, startCharacter }, most);
  const note = page.next && `Cut: call read_file with ${goOnAt(page.next)} and endLine ${range.end.line} for the rest.`;
  return { part: page.part, range: shown, ...(note !== undefined && { note }) };
}

function startOfLine(text: string, line: number): number {
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

function endOfLine(text: string, at: number): number {
  const lineBreak = text.indexOf('\n', at);
  const end = lineBreak < 0 ? text.length : lineBreak;
  return text[end - 1] === '\r' ? end - 1 : end;
}

const lineComment = /^(?:\/\/|--(?!-)|;;|#(?:\s|$)|#\[|@\w|%)/;
const blockStart = /^(?:\/\*|<!--)/;
const blockEnd = /(?:\*\/|-->)$/;
/** Behind code. */
const innerStart = /\S\s*(?:\/\*|<!--)/;

/** Where the comment, or the decorators, right above a line begin; the line itself if there is none. */
function startOfComment(text: string, first: number): number {
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

function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) {
    count += 1;
  }
  return count;
}
