import type { TextPart } from '../../seen/ports/documentsPort.ts';
import { linesOf, type TextRest } from './textLines.ts';

/** What of a text is wanted: lines from 1, both included, and where in the first one to begin, from 1. */
export interface WantedLines {
  readonly startLine: number;
  readonly startCharacter: number;
  readonly endLine?: number | undefined;
}

export interface SourcePage {
  readonly part: TextPart;
  readonly totalLines: number;
  readonly next?: TextRest | undefined;
  /** Set when the text ends before the place to begin at. */
  readonly isPastEnd?: 'text' | 'line' | undefined;
}

/**
 * The beginning of what is wanted that fits into `most` characters, both as JSON and as numbered lines. Whole lines, or a piece
 * of the first one: there is always some of it, so that paging goes on.
 */
export function sourcePage(text: string, { startLine, startCharacter, endLine }: WantedLines, most: number): SourcePage {
  const { part, totalLines } = linesOf(text, startLine, endLine);
  const nothing = { part: { from: part.to, to: part.to }, totalLines };
  if (startLine > totalLines) {
    return { ...nothing, isPastEnd: 'text' };
  }
  const from = part.from + startCharacter - 1;
  const lineEnd = text.indexOf('\n', part.from);
  if (from > (lineEnd < 0 ? text.length : lineEnd)) {
    return { ...nothing, isPastEnd: 'line' };
  }
  const fitting = fitLines(text, { from, to: Math.max(from, part.to) }, startLine, most);
  const isInsideLine = fitting.line === startLine && fitting.to < part.to;
  const character = isInsideLine ? fitting.to - part.from + 1 : undefined;
  return {
    part: { from, to: fitting.to },
    totalLines,
    ...(fitting.to < part.to && { next: { line: fitting.line, character } }),
  };
}

/** `line`: the one that the rest begins in. */
function fitLines(text: string, { from, to }: TextPart, firstLine: number, most: number): { readonly to: number; readonly line: number } {
  let line = firstLine;
  let lineStart = from;
  let asJson = 0;
  let asLines = numberLength(line);
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    asJson += escapedLength(text, at, code);
    asLines += 1;
    if (asJson > most || asLines > most) {
      return lineStart > from ? { to: lineStart, line } : { to: pieceEnd(text, from, at), line };
    }
    if (code === lineFeed) {
      line += 1;
      lineStart = at + 1;
      asLines += numberLength(line);
    }
  }
  return { to, line };
}

/** With what stands between the number and the line. */
function numberLength(line: number): number {
  return String(line).length + 1;
}

/** Not between the halves of a character. */
function pieceEnd(text: string, from: number, at: number): number {
  const isBetween = isHighSurrogate(text.charCodeAt(at - 1)) && isLowSurrogate(text.charCodeAt(at));
  const end = isBetween ? at - 1 : at;
  return end > from ? end : from + (isHighSurrogate(text.charCodeAt(from)) && isLowSurrogate(text.charCodeAt(from + 1)) ? 2 : 1);
}

const lineFeed = 0x0a;
const shortEscapes: ReadonlySet<number> = new Set(['"', '\\', '\b', '\f', '\n', '\r', '\t'].map((character) => character.charCodeAt(0)));

/** How many characters JSON needs for it. */
function escapedLength(text: string, at: number, code: number): number {
  if (shortEscapes.has(code)) {
    return 2;
  }
  const isAlone =
    (isHighSurrogate(code) && !isLowSurrogate(text.charCodeAt(at + 1))) ||
    (isLowSurrogate(code) && !isHighSurrogate(text.charCodeAt(at - 1)));
  return code < 0x20 || isAlone ? 6 : 1;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
