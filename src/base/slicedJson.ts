import { isTooDeep } from './jsonText.ts';
import { Slices } from './slices.ts';

/** The longest text that is parsed in one go. */
const maxAtOnce = 100_000;
/** How many levels of a long text are taken apart; what lies deeper is parsed whole. */
const maxLevels = 6;
/** How many marks of a text are looked at before the clock is. */
const marksPerLook = 500;

/**
 * Parses JSON as `JSON.parse` does, with the same results and errors of the same kind, but lets other work run in between: the
 * members of long objects and arrays are parsed one by one. A text that nests too deep is an error too.
 */
export function parseInSlices(text: string, slices = new Slices()): Promise<unknown> {
  const trimmed = text.trim();
  return new SlicedParser(trimmed, slices).parse(0, trimmed.length, 0);
}

class SlicedParser {
  readonly #text: string;
  readonly #slices: Slices;

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
        const nameEnd = this.#endOfString(place);
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
      return this.#endOfString(start);
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
      place = sign === '"' ? this.#endOfString(found.index) : found.index + 1;
      depth += sign === '"' ? 0 : sign === '[' || sign === '{' ? 1 : -1;
      if (depth === 0) {
        return place;
      }
      if (marks % marksPerLook === 0 && this.#slices.isUsedUp) {
        await this.#slices.pauseIfUsedUp();
      }
    }
  }

  #endOfString(start: number): number {
    this.#pass('"', start);
    for (let end = this.#text.indexOf('"', start + 1); end !== -1; end = this.#text.indexOf('"', end + 1)) {
      let escapes = 0;
      while (this.#text[end - 1 - escapes] === '\\') {
        escapes += 1;
      }
      if (escapes % 2 === 0) {
        return end + 1;
      }
    }
    throw new SyntaxError('A string does not end.');
  }
}

const space = /[ \t\r\n]*/y;
const scalar = /[^\s,\]}]*/y;
const mark = /["[\]{}]/g;
