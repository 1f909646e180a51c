// heard/: what servers have said in one conversation, so that a question can say which of it goes on to somebody else. Pure,
// bounded, in slices. A copy is recognised by its letters (letters.ts, copiedRuns.ts), also in the clothes of a URL or of
// base64 (textPieces.ts). What was put into other words, translated, compressed, encrypted, spelled backwards, written with
// look-alike letters or cut into bits of fewer than two dozen letters is not: that nothing was recognised proves nothing.
import { hasSensitiveName } from '../../base/sensitiveNames.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { CarriedText } from '../../contract/callKnowledge.ts';
import { copiedRuns, isTelling, Needle, type CopiedRun } from './copiedRuns.ts';
import { lettersOf, placedLettersOf } from './letters.ts';
import { decodedPieces, isBinary, textPieces, type TextPiece } from './textPieces.ts';

/** What one call gave back. */
export interface HeardResult {
  readonly serverId: string;
  /** As people know it. */
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** As the protocol has it: `content` and `structuredContent`. */
  readonly result: JsonValue;
}

export interface CarriedTexts {
  readonly carried: readonly CarriedText[];
  /** Results that were compared; none: nobody else has said anything yet. */
  readonly compared: number;
  /** More was said, or is in the arguments, than was compared. */
  readonly isPartly: boolean;
}

interface Entry {
  readonly serverId: string;
  readonly server: string;
  readonly tool: string;
  readonly source: CarriedText['source'];
  readonly letters: Uint16Array;
  /** What the call itself was given: an echo of it is no news from the server. */
  readonly given: string;
}

const maxResultLength = 1_000_000;
const maxTotalLetters = 4_000_000;
const maxGivenLength = 100_000;
const maxArgumentsLength = 400_000;
const maxCarried = 8;
const maxExcerptLength = 160;
/** No letters: they stand between what does not belong together, and never match each other. */
const [gapInArguments, gapInResult] = [1, 2];

/** Of one conversation. The oldest results go when there are too many. */
export class HeardTexts {
  #entries: readonly Entry[] = [];
  #isPartly = false;

  add({ serverId, server, tool, arguments: args, result }: HeardResult): void {
    const said = textPieces(result, maxResultLength);
    const pieces = said.pieces.filter((piece) => !isBinary(piece));
    const letters = joined(pieces.map((piece) => lettersOf(piece.text).units));
    this.#isPartly ||= said.isCut;
    if (letters.length > 0) {
      const given = textPieces(args, maxGivenLength).pieces;
      const source = sourceOf(given, pieces);
      const echoed = given.map(({ text }) => textOf(lettersOf(text).units)).join(' ');
      this.#entries = [...this.#entries, { serverId, server, tool, source, letters, given: echoed }];
      this.#dropOldest();
    }
  }

  /** Which texts of the arguments of a call of this server came from elsewhere, the longest first. */
  async findIn(args: JsonObject, serverId: string): Promise<CarriedTexts> {
    // A server may have its own words back; those of a page or of a secret file are told whoever gets them.
    const others = this.#entries.filter((entry) => entry.serverId !== serverId || entry.source.kind !== 'result');
    const { pieces, isCut } = textPieces(args, maxArgumentsLength);
    const text = new ArgumentLetters([...pieces, ...pieces.flatMap(decodedPieces)]);
    const needle = await Needle.of(text.units);
    const found: CarriedText[] = [];
    for (const entry of others) {
      const runs = await copiedRuns(needle, entry.letters, (run) => text.isTelling(run) && !isEcho(needle, run, entry));
      found.push(...text.carriedBy(runs, entry));
    }
    const carried = found.sort((one, other) => other.characters - one.characters).slice(0, maxCarried);
    return { carried, compared: others.length, isPartly: isCut || this.#isPartly };
  }

  #dropOldest(): void {
    let total = this.#entries.reduce((sum, { letters }) => sum + letters.length, 0);
    while (total > maxTotalLetters && this.#entries.length > 1) {
      total -= this.#entries[0]?.letters.length ?? 0;
      this.#entries = this.#entries.slice(1);
      this.#isPartly = true;
    }
  }
}

function isEcho({ units }: Needle, { start, end }: CopiedRun, { given }: Entry): boolean {
  return given.includes(textOf(units.subarray(start, end)));
}

interface PlacedPiece extends TextPiece {
  readonly start: number;
  readonly places: Uint32Array;
}

/** The letters of all arguments one after the other, so that what was cut in two is found, and where each of them stands. */
class ArgumentLetters {
  readonly units: Uint16Array;
  readonly #pieces: readonly PlacedPiece[];

  constructor(pieces: readonly TextPiece[]) {
    const units: number[] = [];
    this.#pieces = pieces.map((piece) => {
      const isApart = piece.isKey || piece.encoding !== 'plain';
      const letters = placedLettersOf(piece.text);
      units.push(...(isApart ? [gapInArguments] : []));
      const start = units.length;
      letters.units.forEach((unit) => units.push(unit));
      units.push(...(isApart ? [gapInArguments] : []));
      return { ...piece, start, places: letters.places };
    });
    this.units = Uint16Array.from(units);
  }

  isTelling(run: CopiedRun): boolean {
    return isTelling(this.units.subarray(run.start, run.end)) || this.#parts(run).some(isToken);
  }

  /** The longest of each piece. */
  carriedBy(runs: readonly CopiedRun[], { server, tool, source }: Entry): CarriedText[] {
    const longest = new Map<PlacedPiece, RunPart>();
    for (const part of runs.flatMap((run) => this.#parts(run))) {
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

  #parts({ start, end }: CopiedRun): RunPart[] {
    return this.#pieces.flatMap((piece) => {
      const [first, last] = [Math.max(start, piece.start), Math.min(end, piece.start + piece.places.length) - 1];
      return first > last ? [] : [partOf(piece, piece.places[first - piece.start] ?? 0, (piece.places[last - piece.start] ?? 0) + 1)];
    });
  }
}

/** A part of the text of one piece. */
interface RunPart {
  readonly piece: PlacedPiece;
  readonly start: number;
  readonly end: number;
}

function partOf(piece: PlacedPiece, start: number, end: number): RunPart {
  return { piece, start, end };
}

function lengthOf(part: RunPart | undefined): number {
  return part === undefined ? 0 : part.end - part.start;
}

/** A whole word that looks like a key or a number of somebody: that says enough though it is short. */
function isToken({ piece: { text }, start, end }: RunPart): boolean {
  const word = text.slice(start, end);
  const isWhole = !/[A-Za-z0-9_-]/.test(text.charAt(start - 1)) && !/[A-Za-z0-9_-]/.test(text.charAt(end));
  return isWhole && /^[A-Za-z0-9_-]{16,}$/.test(word) && /\d.*\d/.test(word) && /[A-Za-z].*[A-Za-z]/.test(word);
}

function excerptOf(text: string): string {
  return revealInvisible(text.length <= maxExcerptLength ? text : `${text.slice(0, maxExcerptLength)}…`);
}

/**
 * What is known about where a result came from. Of a secret file: a path with such a name was asked for. Of a page: an
 * address was given to the tool, or the result names one; a tool that finds its own addresses is not recognised.
 */
function sourceOf(given: readonly TextPiece[], said: readonly TextPiece[]): CarriedText['source'] {
  const secret = given.find(({ text, isKey }) => !isKey && text.length < 2_000 && hasSensitiveName(text));
  if (secret !== undefined) {
    return { kind: 'withheldFile', name: revealInvisible(secret.text.split(/[\\/]/).at(-1) ?? secret.text).slice(0, 200) };
  }
  // `uri` of links and of embedded resources.
  const links = said.filter(({ path, isKey }) => !isKey && /(?:^|\.)uri$/.test(path));
  const host = [...given, ...links].map(({ text }) => webHostOf(text)).find((each) => each !== undefined);
  return host === undefined ? { kind: 'result' } : { kind: 'webPage', host };
}

function webHostOf(text: string): string | undefined {
  const address = /^https?:\/\//i.test(text.trim()) && text.length < 8_000 && URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  return address === undefined ? undefined : revealInvisible(address.host).slice(0, 200);
}

function joined(parts: readonly Uint16Array[]): Uint16Array {
  const all = new Uint16Array(parts.reduce((sum, { length }) => sum + length + 1, 0));
  let end = 0;
  for (const part of parts.filter(({ length }) => length > 0)) {
    all.set(part, end);
    end += part.length + 1;
    all[end - 1] = gapInResult;
  }
  return all.slice(0, end);
}

function textOf(units: Uint16Array): string {
  let text = '';
  for (let start = 0; start < units.length; start += 8_192) {
    text += String.fromCharCode(...units.subarray(start, start + 8_192));
  }
  return text;
}
