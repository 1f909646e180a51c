import type { JsonObject } from '../../base/json.ts';

/** The longest first line, in characters, that is searched for the name of a file. */
const maxNameLine = 300;

/**
 * The text of a file after a block of code from an answer is applied to it, as far as its place can be found without a model. The
 * person reviews the difference in any case.
 */
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

/** What the card of the call shows of the change: only the block, because the person may have shown the rest of the file to nobody. */
export function toldOfBlock(block: string, newText: string): (args: JsonObject) => JsonObject {
  return ({ path, newText: wanted }) => ({ ...(path !== undefined && { path }), ...(wanted === newText && { block }) });
}

export interface BlockTarget {
  /** The text of the file; undefined when the file does not exist yet. */
  readonly text: string | undefined;
  /** What the person has selected in the file, by offset. */
  readonly selection?: { readonly start: number; readonly end: number } | undefined;
  readonly path: string;
}

/** Finds the lines that the block rewrites: from its first line, which has to be unique in the text, to its last line. */
function placeOf(code: readonly string[], lines: readonly string[]): { readonly first: number; readonly last: number } | undefined {
  const said = code.map((line) => line.trim()).filter((line) => line !== '');
  const first = onlyIndex(lines, said[0]);
  const lastLine = said.at(-1);
  if (said.length < 2 || first === undefined || lastLine === undefined) {
    return undefined;
  }
  // A last line such as a bracket occurs often: take the first one after the beginning with the same indentation.
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

/** Removes a first line that only names the file, unless the file itself begins with it. */
function withoutNameLine(block: string, path: string, text: string | undefined): string {
  const end = block.indexOf('\n');
  const first = end < 0 ? block : block.slice(0, end);
  if (first.length > maxNameLine) {
    return block; // too long for a file name, and slow to search
  }
  const name = /^\s*(?:\/\/|#|--|;|\/\*|<!--)\s*(\S+)\s*(?:\*\/|-->)?\s*$/.exec(first)?.[1];
  const isName = name !== undefined && name.replace(/^(?:\.\/)+/, '') === path;
  return isName && text?.startsWith(first.trim()) !== true ? (end < 0 ? '' : block.slice(end + 1)) : block;
}
