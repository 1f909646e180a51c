import type { CodePiece } from './highlightCode.ts';
import type { Block, Inline, TopBlock } from './parseMarkdown.ts';

/** A piece of a drawing that is small enough for one frame, and about how many elements and lines it costs. */
export interface Slice<T> {
  readonly value: T;
  readonly weight: number;
}

/** The longest text, in characters, that is read as Markdown. */
export const maxMarkdownLength = 400_000;
/** The longest code, in characters, that is highlighted. */
export const maxHighlightedLength = 60_000;

/** The most that one slice may cost. */
const maxWeight = 500;
/** The most that one text may cost; what comes after it is plain text. */
const maxTotalWeight = 20_000;
/** A text node costs about as much as a line of it; other scripts than Latin are laid out more slowly, mixed ones much more. */
const charactersPerWeight = 32;
const othersPerWeight = 4;
/** A block of code draws its text in slices of its own. */
const codeWeight = 20;
/** The mark of an item is laid out as an element of its own. */
const itemWeight = 3;

/** The most characters of one piece of plain text. */
const maxPlainCharacters = 1_500;
/** The most lines of one piece of plain text. */
const maxPlainLines = 40;
/** The most characters of one piece of code. */
const maxCodeCharacters = 2_000;
/** The most lines of one piece of code. */
const maxCodeLines = 60;

/** Cuts a text into pieces that a browser lays out in no time each, between lines where there are any. */
function plainPieces(text: string): readonly string[] {
  return cutText(text, maxPlainCharacters, maxPlainLines);
}

export function sliceText(text: string): readonly Slice<string>[] {
  return plainPieces(text).map((value) => ({ value, weight: weightOfText(value) }));
}

function codePieces(code: string): readonly string[] {
  return cutText(code, maxCodeCharacters, maxCodeLines);
}

function weightOfText(text: string): number {
  return 1 + text.length / (isLatin(text) ? charactersPerWeight : othersPerWeight);
}

function isLatin(text: string): boolean {
  return !/[^\0-\u02FF\u2000-\u22FF]/.test(text);
}

function cutText(text: string, maxCharacters: number, maxLines: number): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = endOfPiece(text, start, maxCharacters, maxLines);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

function endOfPiece(text: string, start: number, maxCharacters: number, maxLines: number): number {
  // Only as far as a piece can reach: a search for a line break through all of a long line would be one too many for each piece.
  const near = text.slice(start, start + maxCharacters);
  const length = isLatin(near) ? near.length : Math.min(near.length, maxCharacters / 3);
  let end = 0;
  for (let lines = 0; lines < maxLines; lines += 1) {
    const next = near.indexOf('\n', end) + 1;
    if (next === 0 || next > length) {
      break;
    }
    end = next;
    if (lines === maxLines - 1) {
      return start + end;
    }
  }
  if (end > 0 && start + length < text.length) {
    return start + end;
  }
  // Without a line break the cut must not go through one character.
  return start + (/[\uDC00-\uDFFF\n]/.test(text[start + length] ?? '') ? length - 1 : length);
}

/** Cuts blocks into slices. What is too large in itself, or comes after too much, is shown as the text it was written as. */
export function sliceBlocks(tops: readonly TopBlock[]): readonly Slice<Block>[] {
  const slices: Slice<Block>[] = [];
  let total = 0;
  for (const { block, source } of tops) {
    const weight = weightOf(block);
    const parts = total + weight > maxTotalWeight ? undefined : splitBlock(block);
    slices.push(...(parts ?? rawBlocks(source)).map((part) => ({ value: part, weight: weightOf(part) })));
    total += parts === undefined ? 0 : weight;
  }
  return slices;
}

/** Blocks that look like the one they were made of and are small enough; undefined when there is no such cut. */
function splitBlock(block: Block): readonly Block[] | undefined {
  if (weightOf(block) <= maxWeight) {
    return [block];
  }
  switch (block.kind) {
    case 'raw':
      return rawBlocks(block.text);
    case 'quote':
      return inGroups(block.blocks, weightOf)?.map((blocks) => ({ ...block, blocks }));
    case 'list': {
      let { start } = block;
      return inGroups(block.items, weightOfItem)?.map((items) => {
        const part = { ...block, start, items };
        start = start === undefined ? undefined : start + items.length;
        return part;
      });
    }
    case 'table': {
      // Each part has the heading again.
      const heading = block.header.reduce((sum, cell) => sum + weightOfInlines(cell) + 1, 1);
      return inGroups(block.rows, weightOfRow, heading)?.map((rows) => ({ ...block, rows }));
    }
    case 'code':
    case 'heading':
    case 'paragraph':
    case 'rule':
      return undefined;
  }
}

function rawBlocks(text: string): readonly Block[] {
  return plainPieces(text).map((piece) => ({ kind: 'raw', text: piece }));
}

function inGroups<T>(all: readonly T[], weigh: (each: T) => number, each = 0): readonly (readonly T[])[] | undefined {
  const groups: T[][] = [];
  let room = 0;
  for (const one of all) {
    const weight = weigh(one);
    if (weight + each > maxWeight) {
      return undefined;
    }
    if (weight > room) {
      groups.push([]);
      room = maxWeight - each;
    }
    groups.at(-1)?.push(one);
    room -= weight;
  }
  return groups;
}

function weightOfAll(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + weightOf(block), 1);
}

function weightOfItem(item: readonly Block[]): number {
  return weightOfAll(item) + itemWeight;
}

function weightOfRow(row: readonly (readonly Inline[])[]): number {
  return row.reduce((sum, cell) => sum + weightOfInlines(cell) + 1, 1);
}

function weightOf(block: Block): number {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return weightOfInlines(block.children) + 1;
    case 'code':
      return codeWeight;
    case 'quote':
      return weightOfAll(block.blocks);
    case 'list':
      return block.items.reduce((sum, item) => sum + weightOfItem(item), 1);
    case 'table':
      return [block.header, ...block.rows].reduce((sum, row) => sum + weightOfRow(row), 3);
    case 'rule':
      return 1;
    case 'raw':
      return weightOfText(block.text);
  }
}

function weightOfInlines(inlines: readonly Inline[]): number {
  return inlines.reduce((sum, inline) => {
    const text = 'text' in inline ? inline.text : 'alt' in inline ? inline.alt : '';
    return sum + weightOfText(text) + ('children' in inline ? weightOfInlines(inline.children) : 0);
  }, 0);
}

/** Slices in groups of about the weight of one slice, counted from the first: what is added at the end changes the last group only. */
export function groupSlices<T>(slices: readonly Slice<T>[]): readonly (readonly T[])[] {
  const groups: T[][] = [];
  let total = maxWeight;
  for (const { value, weight } of slices) {
    if (total + weight > maxWeight) {
      groups.push([]);
      total = 0;
    }
    groups.at(-1)?.push(value);
    total += weight;
  }
  return groups;
}

/** Cuts highlighted code where plain code is cut, so that nothing moves when the colours come. */
export function sliceCode(code: string, pieces: readonly CodePiece[]): readonly Slice<readonly CodePiece[]>[] {
  let rest = pieces;
  return codePieces(code).map((text) => {
    const [value, after] = takeText(rest, text.length);
    rest = after;
    return { value, weight: weightOfCode(value) };
  });
}

/** The pieces of the first characters, and those of the others; a scope around the cut is on both sides. */
function takeText(pieces: readonly CodePiece[], length: number): readonly [taken: readonly CodePiece[], rest: readonly CodePiece[]] {
  const taken: CodePiece[] = [];
  let left = length;
  for (const [index, piece] of pieces.entries()) {
    const size = lengthOf(piece);
    if (size > left) {
      if (left === 0) {
        return [taken, pieces.slice(index)];
      }
      const [before, after] = typeof piece === 'string' ? [piece.slice(0, left), piece.slice(left)] : cutScope(piece, left);
      return [
        [...taken, before],
        [after, ...pieces.slice(index + 1)],
      ];
    }
    taken.push(piece);
    left -= size;
  }
  return [taken, []];
}

function cutScope(scope: Exclude<CodePiece, string>, length: number): readonly [CodePiece, CodePiece] {
  const [before, after] = takeText(scope.pieces, length);
  return [
    { ...scope, pieces: before },
    { ...scope, pieces: after },
  ];
}

function lengthOf(piece: CodePiece): number {
  return typeof piece === 'string' ? piece.length : piece.pieces.reduce((sum, each) => sum + lengthOf(each), 0);
}

function weightOfCode(pieces: readonly CodePiece[]): number {
  return pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? weightOfText(piece) : 1 + weightOfCode(piece.pieces)), 0);
}
