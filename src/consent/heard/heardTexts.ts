// heard/: what servers have said in one conversation, so that a question can say which of it a tool call would pass on to another
// server. Pure, bounded, in slices of work. A copy is recognised by its letters (letters.ts, copiedRuns.ts), also when it is encoded for
// a URL, as base64 or as hexadecimal digits, up to twice (textPieces.ts), or disguised in a well-known way (disguises.ts). Text that was
// rephrased, translated, compressed, encrypted, written with look-alike letters or cut into bits of fewer than two dozen letters is not
// recognised, except for whole keys, long numbers and e-mail addresses.
// So that nothing was recognised proves nothing.
import { Sequencer } from '../../base/sequencer.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { Slices } from '../../base/slices.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { CarriedText } from '../../contract/questions/callKnowledge.ts';
import { hasSensitiveName } from '../../secrets/secretNames.ts';
import { ArgumentLetters } from './argumentLetters.ts';
import { type CopiedRun, copiedRuns, Needle } from './copiedRuns.ts';
import { lettersOf, tokensOf } from './letters.ts';
import { decodedPieces, isBinary, type TextPiece, textPieces } from './textPieces.ts';

/** What one tool call gave back. */
export interface HeardResult {
  readonly serverId: string;
  /** The server's name as people know it. */
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The result as the protocol has it, with `content` and `structuredContent`. */
  readonly result: JsonValue;
}

export interface CarriedTexts {
  readonly carried: readonly CarriedText[];
  /** How many results were compared; 0 when no other server has said anything yet. */
  readonly compared: number;
  /** Whether there was more text, in results or arguments, than was compared. */
  readonly isPartly: boolean;
}

interface Entry {
  readonly serverId: string;
  readonly server: string;
  readonly tool: string;
  readonly source: CarriedText['source'];
  readonly letters: Uint16Array;
  /** Whole words in the result that were not in the arguments of the call. */
  readonly words: ReadonlySet<string>;
  /** The arguments of the call: text that the server only echoes does not count as its words. */
  readonly given: string;
}

/** The most characters of one result that are looked at. */
const maxResultLength = 1_000_000;
/** The most letters of all results and arguments that are remembered. */
const maxTotalLetters = 4_000_000;
/** The most results of one conversation that are remembered; the oldest are forgotten. */
const maxEntries = 500;
/** The most characters of a call's arguments that are remembered beside its result. */
const maxGivenLength = 100_000;
/** The most characters of a new call's arguments that are compared with what servers said. */
const maxArgumentsLength = 400_000;
/** The most different words of one result that are remembered. */
const maxWords = 20_000;
/** The most copied texts that one question tells of, the longest first. */
const maxCarried = 8;
/** The unit between two texts of a result. It is no letter, and differs from the one in arguments, so that it never matches. */
const gapInResult = 2;

/** What servers have said in one conversation. The oldest results are forgotten when there are too many. */
export class HeardTexts {
  #entries: readonly Entry[] = [];
  #isPartly = false;
  /** Reads results one after the other. */
  readonly #reading = new Sequencer();

  /** Remembers a result. It never throws and does its work later, so that a result cannot hold up what follows the call. */
  add(result: HeardResult): void {
    void this.#reading.run(async () => {
      try {
        await this.#read(result);
      } catch {
        this.#isPartly = true;
      }
    });
  }

  /** Finds the texts in the arguments of a call of this server that came from elsewhere, the longest first. */
  async findIn(args: JsonObject, serverId: string): Promise<CarriedTexts> {
    await this.#reading.idle();
    // A server may get its own words back; words of a web page or of a secret file are named whoever gets them.
    const others = this.#entries.filter((entry) => entry.serverId !== serverId || entry.source.kind !== 'result');
    if (others.length === 0) {
      return { carried: [], compared: 0, isPartly: this.#isPartly };
    }
    const slices = new Slices();
    const { pieces, isCut } = textPieces(args, maxArgumentsLength);
    const decoded = await decodedPieces(pieces, maxArgumentsLength, slices);
    const text = await ArgumentLetters.of([...pieces, ...decoded.pieces], slices);
    const needle = await Needle.of(text.units, slices);
    const found: CarriedText[] = [];
    for (const entry of others) {
      const runs = await copiedRuns(needle, entry.letters, (run) => text.isTelling(run) && !isEcho(needle, run, entry), slices);
      found.push(...text.carriedBy(runs, entry));
      await slices.pauseIfUsedUp();
    }
    const carried = found.sort((one, other) => other.characters - one.characters).slice(0, maxCarried);
    return { carried, compared: others.length, isPartly: isCut || decoded.isCut || this.#isPartly };
  }

  async #read({ serverId, server, tool, arguments: args, result }: HeardResult): Promise<void> {
    const slices = new Slices();
    const said = textPieces(result, maxResultLength);
    const pieces = said.pieces.filter((piece) => piece.encoding === 'plain' && !isBinary(piece));
    const letters = joined(await lettersOfAll(pieces, slices));
    this.#isPartly ||= said.isCut;
    if (letters.length === 0) {
      return;
    }
    const given = textPieces(args, maxGivenLength).pieces;
    const source = sourceOf(given, pieces);
    const echoed = (await lettersOfAll(given, slices)).map(textOf).join(' ');
    const givenWords = await wordsOf(given, slices);
    const words = new Set([...(await wordsOf(pieces, slices))].filter((word) => !givenWords.has(word)));
    this.#isPartly ||= words.size >= maxWords;
    this.#entries = [...this.#entries, { serverId, server, tool, source, letters, words, given: echoed }];
    this.#dropOldest();
  }

  #dropOldest(): void {
    const sizeOf = ({ letters, given }: Entry): number => letters.length + given.length;
    let total = this.#entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
    let first = 0;
    for (; first < this.#entries.length - 1 && (total > maxTotalLetters || this.#entries.length - first > maxEntries); first += 1) {
      total -= this.#entries.slice(first, first + 1).reduce((sum, entry) => sum + sizeOf(entry), 0);
    }
    this.#isPartly ||= first > 0;
    this.#entries = this.#entries.slice(first);
  }
}

function isEcho({ units }: Needle, { start, end }: CopiedRun, { given }: Entry): boolean {
  return given.includes(textOf(units.subarray(start, end)));
}

async function lettersOfAll(pieces: readonly TextPiece[], slices: Slices): Promise<readonly Uint16Array[]> {
  const all: Uint16Array[] = [];
  for (const { text } of pieces) {
    all.push((await lettersOf(text, slices)).units);
  }
  return all;
}

async function wordsOf(pieces: readonly TextPiece[], slices: Slices): Promise<ReadonlySet<string>> {
  const words = new Set<string>();
  for (const { text } of pieces) {
    for (const { word } of tokensOf(text).slice(0, maxWords - words.size)) {
      words.add(word);
    }
    await slices.pauseIfUsedUp();
  }
  return words;
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

/** Sample files, which are meant to be shared and hold no values. */
const patternFile = /(?:^|[\\/])\.env[^\\/]*\.(?:example|sample|template|dist)$/i;

/**
 * What is known about the origin of a result: that the call was given the name of a file that usually holds secrets, or a web address,
 * or that the result names one. Whether the text really comes from there is not known.
 */
function sourceOf(given: readonly TextPiece[], said: readonly TextPiece[]): CarriedText['source'] {
  const secret = given.find(({ text, isKey }) => !isKey && text.length < 2_000 && hasSensitiveName(text) && !patternFile.test(text));
  if (secret !== undefined) {
    return { kind: 'withheldFile', name: revealInvisible(secret.text.split(/[\\/]/).at(-1) ?? secret.text).slice(0, 200) };
  }
  // The `uri` of links and of embedded resources.
  const links = said.filter(({ path, isKey }) => !isKey && /(?:^|\.)uri$/.test(path));
  const host = [...given, ...links].map(({ text }) => webHostOf(text)).find((each) => each !== undefined);
  return host === undefined ? { kind: 'result' } : { kind: 'webPage', host };
}

function webHostOf(text: string): string | undefined {
  const address = /^https?:\/\//i.test(text.trim()) && text.length < 8_000 && URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  return address === undefined ? undefined : revealInvisible(address.host).slice(0, 200);
}
