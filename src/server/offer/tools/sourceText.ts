import { countLines } from './declarationText.ts';
import type { DocumentsPort, DocumentText, TextPart } from '../../seen/ports/documentsPort.ts';

/** Puts the number before each line, as in `12→text`, for models. A line break at the end begins no further line. */
export function numberedLines(text: string, firstLine: number): string {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') {
    lines.pop();
  }
  return lines.map((line, index) => `${firstLine + index}→${line}`).join('\n');
}

/** Joins the parts that are given and not empty, one below the other. */
export function joinTexts(...texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join('\n');
}

/** The parameters of `read_file` that continue at this place, in words. */
export function goOnAt({ line, character }: TextRest): string {
  return character === undefined ? `startLine ${line}` : `startLine ${line} and startCharacter ${character}`;
}

/** Characters of an answer that are reserved for what describes the source. */
const kept = 600;
const leastRoom = 100;

/**
 * Makes an answer with as much source as fits into `most` characters, as JSON and as text. `[redacted]` can be longer than the
 * secret it replaces, so an answer that came out too long is made again with less room.
 */
export async function fitSource<Answer extends object>(
  most: number,
  path: string,
  make: (room: number) => Promise<Answer>,
  toText: (answer: Answer) => string,
): Promise<Answer> {
  for (let room = Math.max(leastRoom, most - kept - 2 * path.length); ;) {
    const answer = await make(room);
    const length = Math.max(JSON.stringify(answer).length, toText(answer).length);
    if (length <= most || room === leastRoom) {
      return answer;
    }
    room = Math.max(leastRoom, Math.floor(((room * most) / length) * 0.9));
  }
}

/** The lines of a text that are wanted. Lines and characters count from 1, and the last line is included. */
export interface WantedLines {
  readonly startLine: number;
  readonly startCharacter: number;
  readonly endLine?: number | undefined;
}

export interface SourcePage {
  readonly part: TextPart;
  readonly totalLines: number;
  readonly next?: TextRest | undefined;
  /** Behind which end the wanted start lies, that of the text or that of its line, if it does. */
  readonly isPastEnd?: 'text' | 'line' | undefined;
}

/**
 * Returns the beginning of the wanted lines that fits into `most` characters, both as JSON and as numbered lines. It consists of
 * whole lines, or of a piece of the first one: it is never empty, so that paging goes on.
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

/** Finds how far the text fits; `line` is the line in which the rest begins. */
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

/** The length of a line number and of the arrow behind it. */
function numberLength(line: number): number {
  return String(line).length + 1;
}

/** Moves the end so that it does not split a surrogate pair. */
function pieceEnd(text: string, from: number, at: number): number {
  const isBetween = isHighSurrogate(text.charCodeAt(at - 1)) && isLowSurrogate(text.charCodeAt(at));
  const end = isBetween ? at - 1 : at;
  return end > from ? end : from + (isHighSurrogate(text.charCodeAt(from)) && isLowSurrogate(text.charCodeAt(from + 1)) ? 2 : 1);
}

const lineFeed = 0x0a;
const shortEscapes: ReadonlySet<number> = new Set(['"', '\\', '\b', '\f', '\n', '\r', '\t'].map((character) => character.charCodeAt(0)));

/** How many characters JSON needs for the character at this place. */
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

/** Finds the lines `first` to `last` (from 1, both included) without the line break after the last one. */
function linesOf(text: string, first: number, last: number | undefined): { readonly part: TextPart; readonly totalLines: number } {
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
  return { part: { from, to: Math.max(from, to) }, totalLines };
}

/** Where the rest of a text that was cut begins; with a character if the cut is inside a line. */
export interface TextRest {
  readonly line: number;
  readonly character?: number | undefined;
}

/** Shortens a part of a text to `most` characters, at the end of a line if possible. Lines are counted from the beginning of the part. */
export function cutPart(
  text: string,
  { from, to }: TextPart,
  most: number,
): { readonly part: TextPart; readonly rest: TextRest | undefined } {
  if (to - from <= most) {
    return { part: { from, to }, rest: undefined };
  }
  const lineEnd = text.lastIndexOf('\n', from + most - 1) + 1;
  if (lineEnd > from) {
    return { part: { from, to: lineEnd }, rest: { line: 1 + countLines(text, from, lineEnd) } };
  }
  return { part: { from, to: from + most }, rest: { line: 1, character: most + 1 } };
}

/** Shortens a whole text like `cutPart`. */
export function cutAtLine(text: string, most: number): { readonly shown: string; readonly rest: TextRest | undefined } {
  const { part, rest } = cutPart(text, { from: 0, to: text.length }, most);
  return { shown: text.slice(part.from, part.to), rest };
}

/** Reads the beginning of a document, so that no more of it is redacted than is shown. */
export async function readBeginning(
  documents: DocumentsPort,
  path: string,
  most: number,
  signal: AbortSignal,
): Promise<DocumentText & { readonly rest: TextRest | undefined }> {
  let rest: TextRest | undefined;
  const document = await documents.read(path, signal, (whole) => {
    const cut = cutPart(whole, { from: 0, to: whole.length }, most);
    rest = cut.rest;
    return cut.part;
  });
  return { ...document, rest };
}
