import type { DocumentsPort, DocumentText, TextPart } from '../../seen/ports/documentsPort.ts';

/** Lines `first` to `last` (from 1, both included) as they are, without the break after the last one. */
export function linesOf(text: string, first: number, last: number | undefined): { readonly part: TextPart; readonly totalLines: number } {
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

/** Where the rest of a text begins that was cut; with a character when it is the rest of a line. */
export interface TextRest {
  readonly line: number;
  readonly character?: number | undefined;
}

/** The beginning of a part of a text, whole lines if possible. Lines are counted from the beginning of the part. */
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
    return { part: { from, to: lineEnd }, rest: { line: 1 + countBreaks(text, from, lineEnd) } };
  }
  return { part: { from, to: from + most }, rest: { line: 1, character: most + 1 } };
}

/** The same of a whole text. */
export function cutText(text: string, most: number): { readonly shown: string; readonly rest: TextRest | undefined } {
  const { part, rest } = cutPart(text, { from: 0, to: text.length }, most);
  return { shown: text.slice(part.from, part.to), rest };
}

/** Reads the beginning of a document, so that no more of it is worked on than is shown. */
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

function countBreaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) {
    count += 1;
  }
  return count;
}
