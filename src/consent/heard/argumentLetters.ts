import { revealInvisible } from '../../base/visibleText.ts';
import type { CarriedText } from '../../contract/questions/callKnowledge.ts';
import { isTelling, type CopiedRun } from './copiedRuns.ts';
import { placedLettersOf, type Token, tokensOf } from './letters.ts';
import type { TextPiece } from './textPieces.ts';
import type { Slices } from '../../base/slices.ts';

interface PlacedPiece extends TextPiece {
  readonly start: number;
  readonly places: Uint32Array;
}

/** A part of the text of one piece. */
interface PiecePart {
  readonly piece: PlacedPiece;
  readonly start: number;
  readonly end: number;
}

/** What is needed here of a remembered result. */
interface Said extends Pick<CarriedText, 'server' | 'tool' | 'source'> {
  readonly words: ReadonlySet<string>;
}

/** The most characters of a copied text that a question shows. */
const maxExcerptLength = 160;
/** The unit between two texts of the arguments. It is no letter, and differs from the one in results, so that it never matches. */
const gapInArguments = 1;

/** The letters of all arguments in a row, so that a text that was split over two arguments is found, and where each letter comes from. */
export class ArgumentLetters {
  readonly units: Uint16Array;
  /** The pieces, ordered by where they start. */
  readonly #pieces: readonly PlacedPiece[];
  readonly #tokens: readonly (PiecePart & Pick<Token, 'word'>)[];

  private constructor(units: Uint16Array, pieces: readonly PlacedPiece[], tokens: readonly (PiecePart & Pick<Token, 'word'>)[]) {
    this.units = units;
    this.#pieces = pieces;
    this.#tokens = tokens;
  }

  static async of(pieces: readonly TextPiece[], slices: Slices): Promise<ArgumentLetters> {
    const units: number[] = [];
    const placed: PlacedPiece[] = [];
    const tokens: (PiecePart & Pick<Token, 'word'>)[] = [];
    for (const each of pieces) {
      const isApart = each.isKey || each.encoding !== 'plain';
      const letters = await placedLettersOf(each.text, slices);
      units.push(...(isApart ? [gapInArguments] : []));
      const piece = { ...each, start: units.length, places: letters.places };
      letters.units.forEach((unit) => units.push(unit));
      units.push(...(isApart ? [gapInArguments] : []));
      placed.push(piece);
      tokensOf(each.text).forEach((token) => tokens.push({ ...token, piece }));
    }
    return new ArgumentLetters(Uint16Array.from(units), placed, tokens);
  }

  isTelling({ start, end }: CopiedRun): boolean {
    return isTelling(this.units.subarray(start, end));
  }

  /** The texts that were carried over, only the longest of each piece. */
  carriedBy(runs: readonly CopiedRun[], { server, tool, source, words }: Said): CarriedText[] {
    const longest = new Map<PlacedPiece, PiecePart>();
    for (const part of [...runs.flatMap((run) => this.#parts(run)), ...this.#tokens.filter(({ word }) => words.has(word))]) {
      if (part.end - part.start > lengthOf(longest.get(part.piece))) {
        longest.set(part.piece, part);
      }
    }
    return [...longest.values()].map(({ piece, start, end }) => ({
      server: revealInvisible(server),
      tool: revealInvisible(tool),
      source,
      path: revealInvisible(piece.path),
      encoding: piece.encoding,
      excerpt: excerptOf(piece.text.slice(start, end)),
      characters: end - start,
    }));
  }

  #parts({ start, end }: CopiedRun): PiecePart[] {
    const parts: PiecePart[] = [];
    for (let index = this.#pieceAt(start); index < this.#pieces.length; index += 1) {
      const piece = this.#pieces[index];
      if (piece === undefined || piece.start >= end) {
        break;
      }
      const [first, last] = [Math.max(start, piece.start) - piece.start, Math.min(end - piece.start, piece.places.length) - 1];
      if (first <= last) {
        parts.push({ piece, start: piece.places[first] ?? 0, end: (piece.places[last] ?? 0) + 1 });
      }
    }
    return parts;
  }

  /** The index of the last piece that begins at or before a place. */
  #pieceAt(place: number): number {
    let [low, high] = [0, this.#pieces.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      [low, high] = (this.#pieces[middle]?.start ?? 0) <= place ? [middle + 1, high] : [low, middle];
    }
    return Math.max(0, low - 1);
  }
}

function lengthOf(part: PiecePart | undefined): number {
  return part === undefined ? 0 : part.end - part.start;
}

function excerptOf(text: string): string {
  return revealInvisible(text.length <= maxExcerptLength ? text : `${text.slice(0, maxExcerptLength)}…`);
}
