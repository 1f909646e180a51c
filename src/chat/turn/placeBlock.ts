import type { JsonObject } from '../../base/json.ts';

const maxNameLine = 300;

/** Where a block of code goes in a text, as far as that can be told without a model; the person sees the diff in any case. */
export function placeBlock(block: string, { text, selection, path }: BlockTarget): string {
  const eol = text?.includes('\r\n') === true ? '\r\n' : '\n';
  const code = withoutNameLine(block, path, text).replaceAll(/\r?\n/g, eol);
  if (text === undefined || text.trim() === '') {
    return code.endsWith(eol) ? code : `${code}${eol}`;
  }
  if (selection !== undefined && selection.start < selection.end) {
    return `${text.slice(0, selection.start)}${code}${text.slice(selection.end)}`;
  }
  const lines = text.split(eol);
  const place = placeOf(code.split(eol), lines);
  if (place !== undefined) {
    return [...lines.slice(0, place.first), ...code.trimEnd().split(eol), ...lines.slice(place.last + 1)].join(eol);
  }
  return text.endsWith(eol) && !code.endsWith(eol) ? `${code}${eol}` : code;
}

/** What a card tells of the change: the block, and not the whole text of the file, of which the person may have shown nobody more. */
export function toldOfBlock(block: string, newText: string): (args: JsonObject) => JsonObject {
  return ({ path, newText: wanted }) => ({ ...(path !== undefined && { path }), ...(wanted === newText && { block }) });
}

export interface BlockTarget {
  /** None for a file that does not exist yet. */
  readonly text: string | undefined;
  /** What the person has selected in it, by offset. */
  readonly selection?: { readonly start: number; readonly end: number } | undefined;
  readonly path: string;
}

/** From the line that the block begins with to the one that it ends with, where each is there once: a part of the text, rewritten. */
function placeOf(code: readonly string[], lines: readonly string[]): { readonly first: number; readonly last: number } | undefined {
  const said = code.map((line) => line.trim()).filter((line) => line !== '');
  const first = onlyIndex(lines, said[0]);
  const lastLine = said.at(-1);
  if (said.length < 2 || first === undefined || lastLine === undefined) {
    return undefined;
  }
  // A lone bracket ends many things: the first one after the beginning that stands as far in.
  const indent = indentOf(code.findLast((line) => line.trim() !== '') ?? '') - indentOf(code.find((line) => line.trim() !== '') ?? '');
  const base = indentOf(lines[first] ?? '');
  const offset = lines.slice(first + 1).findIndex((line) => line.trim() === lastLine && indentOf(line) - base === indent);
  return offset < 0 ? undefined : { first, last: first + 1 + offset };
}

function onlyIndex(lines: readonly string[], wanted: string | undefined): number | undefined {
  const index = lines.findIndex((line) => line.trim() === wanted);
  return index < 0 || lines.findLastIndex((line) => line.trim() === wanted) !== index ? undefined : index;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** A first line that only names the file is for the reader, unless the file has it too. */
function withoutNameLine(block: string, path: string, text: string | undefined): string {
  const end = block.indexOf('\n');
  const first = end < 0 ? block : block.slice(0, end);
  if (first.length > maxNameLine) {
    return block; // no name, and looking for one in it would take long
  }
  const name = /^\s*(?:\/\/|#|--|;|\/\*|<!--)\s*(\S+)\s*(?:\*\/|-->)?\s*$/.exec(first)?.[1];
  const isName = name !== undefined && name.replace(/^(?:\.\/)+/, '') === path;
  return isName && text?.startsWith(first.trim()) !== true ? (end < 0 ? '' : block.slice(end + 1)) : block;
}
