import { isTooDeep } from './jsonText.ts';
import { Slices } from './slices.ts';

/** The longest text that is parsed in one go. */
const maxAtOnce = 100_000;
/** How many levels of a long text are taken apart; what lies deeper is parsed whole. */
const maxLevels = 6;
/** How many marks of a text are looked at before the clock is. */
const marksPerLook = 500;
/** How many quotes within one string are looked at before the clock is. */
const quotesPerLook = 5_000;

/**
 * Parses JSON as `JSON.parse` does, with the same results and errors of the same kind, but lets other work run in between: the
 * members of long objects and arrays are parsed one by one, and long strings in pieces. A text that nests too deep is an error too.
 */
export function parseInSlices(text: string, slices = new Slices()): Promise<unknown> {
  const trimmed = text.trim();
  return new SlicedParser(trimmed, slices).parse(0, trimmed.length, 0);
}

class SlicedParser {
  readonly #text: string;
  readonly #slices: Slices;
  /** Where strings with many quotes end, by where they begin: each level of the text around them asks again. */
  readonly #ends = new Map<number, number>();

  constructor(text: string, slices: Slices) {
    this.#text = text;
    this.#slices = slices;
  }

  async parse(start: number, end: number, level: number): Promise<unknown> {
    const first = this.#text[start];
    const isLong = end - start > maxAtOnce && level < maxLevels;
    if (isLong && first === '[') {
      return (await this.#members(start, end, level)).map(([, value]) => value);
    }
    if (isLong && first === '{') {
      return Object.fromEntries(await this.#members(start, end, level));
    }
    if (first === '"' && end - start > maxAtOnce) {
      return this.#longString(start, end);
    }
    const piece = this.#text.slice(start, end);
    if (isTooDeep(piece)) {
      throw new SyntaxError('The text nests too deep.');
    }
    return JSON.parse(piece);
  }

  /** The members of an object, or of an array with empty names. */
  async #members(start: number, end: number, level: number): Promise<[name: string, value: unknown][]> {
    const close = this.#text[start] === '[' ? ']' : '}';
    const members: [string, unknown][] = [];
    let place = this.#skipSpace(start + 1);
    while (members.length > 0 || this.#text[place] !== close) {
      let name = '';
      if (close === '}') {
        const nameEnd = this.#endOfShort(place) ?? (await this.#endOfLong(place));
        name = JSON.parse(this.#text.slice(place, nameEnd)) as string;
        place = this.#skipSpace(this.#pass(':', this.#skipSpace(nameEnd)));
      }
      const valueEnd = await this.#endOfValue(place);
      members.push([name, await this.parse(place, valueEnd, level + 1)]);
      if (this.#slices.isUsedUp) {
        await this.#slices.pauseIfUsedUp();
      }
      place = this.#skipSpace(valueEnd);
      if (this.#text[place] === close) {
        break;
      }
      place = this.#skipSpace(this.#pass(',', place));
    }
    if (this.#pass(close, place) !== end) {
      throw new SyntaxError('There is more text after the value.');
    }
    return members;
  }

  #pass(mark: string, place: number): number {
    if (this.#text[place] !== mark) {
      throw new SyntaxError(`There is no ${mark} at ${place}.`);
    }
    return place + 1;
  }

  #skipSpace(place: number): number {
    space.lastIndex = place;
    space.test(this.#text);
    return space.lastIndex;
  }

  /** Where the value that begins here ends, as its brackets say; whether it is one, its own parsing finds out. */
  async #endOfValue(start: number): Promise<number> {
    const first = this.#text[start];
    if (first === '"') {
      return this.#endOfShort(start) ?? this.#endOfLong(start);
    }
    if (first !== '[' && first !== '{') {
      scalar.lastIndex = start;
      scalar.test(this.#text);
      return scalar.lastIndex;
    }
    let depth = 0;
    for (let place = start, marks = 1; ; marks += 1) {
      mark.lastIndex = place;
      const found = mark.exec(this.#text);
      if (found === null) {
        throw new SyntaxError('The text ends too early.');
      }
      const [sign] = found;
      place = sign === '"' ? (this.#endOfShort(found.index) ?? (await this.#endOfLong(found.index))) : found.index + 1;
      depth += sign === '"' ? 0 : sign === '[' || sign === '{' ? 1 : -1;
      if (depth === 0) {
        return place;
      }
      if (marks % marksPerLook === 0 && this.#slices.isUsedUp) {
        await this.#slices.pauseIfUsedUp();
      }
    }
  }

  /** Where the string ends that begins here; undefined where more quotes are in it than can be looked at in one go. */
  #endOfShort(start: number): number | undefined {
    this.#pass('"', start);
    let end = start;
    for (let quotes = 0; quotes < quotesPerLook; quotes += 1) {
      end = this.#nextQuote(end + 1);
      if (!this.#isEscaped(end, start)) {
        return end + 1;
      }
    }
    return this.#ends.get(start);
  }

  async #endOfLong(start: number): Promise<number> {
    let end = this.#nextQuote(start + 1);
    for (let quotes = 1; this.#isEscaped(end, start); quotes += 1) {
      if (quotes % quotesPerLook === 0 && this.#slices.isUsedUp) {
        await this.#slices.pauseIfUsedUp();
      }
      end = this.#nextQuote(end + 1);
    }
    this.#ends.set(start, end + 1);
    return end + 1;
  }

  #nextQuote(place: number): number {
    const quote = this.#text.indexOf('"', place);
    if (quote === -1) {
      throw new SyntaxError('A string does not end.');
    }
    return quote;
  }

  /** Whether the character at a place belongs to the escape before it. Nothing before `since` counts. */
  #isEscaped(place: number, since: number): boolean {
    let escapes = 0;
    while (place - 1 - escapes > since && this.#text[place - 1 - escapes] === '\\') {
      escapes += 1;
    }
    return escapes % 2 === 1;
  }

  /** A string in pieces that are strings too: none begins within an escape. */
  async #longString(start: number, end: number): Promise<string> {
    const pieces: string[] = [];
    this.#pass('"', end - 1);
    for (let place = start + 1; place < end - 1;) {
      const next = this.#cut(place, end - 1);
      pieces.push(JSON.parse(`"${this.#text.slice(place, next)}"`) as string);
      place = next;
      if (this.#slices.isUsedUp) {
        await this.#slices.pauseIfUsedUp();
      }
    }
    return pieces.join('');
  }

  #cut(place: number, end: number): number {
    const next = place + maxAtOnce;
    if (next >= end) {
      return end;
    }
    // The longest escape has six characters: \u and four digits.
    for (let back = 1; back < 6; back += 1) {
      if (this.#text[next - back] === '\\' && !this.#isEscaped(next - back, place - 1)) {
        return back === 1 || this.#text[next - back + 1] === 'u' ? next - back : next;
      }
    }
    return next;
  }
}

const space = /[ \t\r\n]*/y;
const scalar = /[^\s,\]}]*/y;
const mark = /["[\]{}]/g;
