/** The deepest nesting of a JSON text that is read. No honest message nests deeper, and code that walks values recursively must not run out of stack. */
export const maxLevels = 512;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Whether a JSON text nests too deep to be parsed. A few megabytes of brackets keep `JSON.parse` busy for seconds; this one look at the text does not. */
export function isTooDeep(text: string): boolean {
  return text.length >= 2 * maxLevels && new JsonScan(text, { parts: Infinity }).goOn() === 'tooDeep';
}

export interface JsonLimits {
  /** Commas, colons and opening brackets. */
  readonly parts: number;
  /** The members of one object: very many are slow to parse and to list. */
  readonly members?: number | undefined;
}

/** Looks at a JSON text before it is parsed, without parsing it: it must not nest too deep, and be within the limits. */
export class JsonScan {
  readonly #text: string;
  readonly #limits: JsonLimits;
  #at = 0;
  #depth = 0;
  #parts = 0;
  #members = 0;
  readonly #outer: number[] = [];

  constructor(text: string, limits: JsonLimits) {
    this.#text = text;
    this.#limits = limits;
  }

  /** How many were seen so far. */
  get parts(): number {
    return this.#parts;
  }

  /** Looks at the next `characters`; a string counts as one. */
  goOn(characters = Infinity): 'fine' | 'tooDeep' | 'tooManyParts' | 'unfinished' {
    const text = this.#text;
    const { parts, members = Infinity } = this.#limits;
    const pause = this.#at + characters;
    for (; this.#at < text.length; this.#at += 1) {
      if (this.#at >= pause) {
        return 'unfinished';
      }
      const code = text.charCodeAt(this.#at);
      if (code === quote) {
        this.#at = endOfString(text, this.#at);
      } else if (code === comma || code >= colon) {
        this.#count(code);
        if (this.#depth > maxLevels || this.#parts > parts || this.#members > members) {
          return this.#depth > maxLevels ? 'tooDeep' : 'tooManyParts';
        }
      }
    }
    return 'fine';
  }

  #count(code: number): void {
    const levels = levelsBy(code);
    this.#depth += levels;
    this.#parts += levels > 0 || code === comma || code === colon ? 1 : 0;
    if (code === colon) {
      this.#members += 1;
    } else if (code === openBrace) {
      this.#outer.push(this.#members);
      this.#members = 0;
    } else if (code === closeBrace) {
      this.#members = this.#outer.pop() ?? 0;
    }
  }
}

/** Whether a text is an array of more than `limit` items. It is not parsed for that: a few megabytes of `1,1,…` are expensive to parse. */
export function hasMoreItems(text: string, limit: number): boolean {
  if (!text.trimStart().startsWith('[')) {
    return false;
  }
  let depth = 0;
  let commas = 0;
  return finds(text, (code) => {
    depth += levelsBy(code);
    commas += code === comma && depth === 1 ? 1 : 0;
    return commas >= limit;
  });
}

/** Whether a JSON text has more than `limit` values, wherever they stand: very many are expensive to parse and to look at. */
export function hasMoreValues(text: string, limit: number): boolean {
  // Each value takes a character, and one more that separates it from the next.
  if (text.length < 2 * limit) {
    return false;
  }
  let values = 1;
  return finds(text, (code) => {
    values += code === comma || code === openBracket || code === openBrace ? 1 : 0;
    return values > limit;
  });
}

/** How many characters a member of an object takes at least, where there are so many that their names differ. */
const leastMember = 6;

/** Whether an object anywhere in a JSON text has more than `limit` members: even listing their names is expensive, and cannot be interrupted. */
export function hasLargeObject(text: string, limit: number): boolean {
  if (text.length < limit * leastMember) {
    return false;
  }
  const outer: number[] = [];
  let members = 0;
  return finds(text, (code) => {
    if (code === colon) {
      members += 1;
    } else if (code === openBrace) {
      outer.push(members);
      members = 0;
    } else if (code === closeBrace) {
      members = outer.pop() ?? 0;
    }
    return members > limit || outer.length > maxLevels;
  });
}

function levelsBy(code: number): number {
  return code === openBracket || code === openBrace ? 1 : code === closeBracket || code === closeBrace ? -1 : 0;
}

/** Calls `isIt` with each character outside of strings, except white space and digits, until it returns true; says whether it did. */
function finds(text: string, isIt: (code: number) => boolean): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      index = endOfString(text, index);
    } else if ((code === comma || code >= colon) && isIt(code)) {
      return true;
    }
  }
  return false;
}

/**
 * Finds the quote that ends a string. A string that is short, or has many escaped quotes, is read character by character; the rest
 * from quote to quote, which is faster.
 */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  for (let steps = shortSteps; ; steps = longSteps) {
    for (const pause = index + steps; index < pause; index += 1) {
      const code = text.charCodeAt(index);
      if (code === quote) {
        return index;
      }
      index += code === backslash ? 1 : 0;
    }
    const end = text.indexOf('"', index);
    if (end < 0) {
      return text.length;
    }
    if (!isEscaped(text, end)) {
      return end;
    }
    index = end + 1;
  }
}

const shortSteps = 16;
const longSteps = 256;

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) {
    before -= 1;
  }
  return (at - before) % 2 === 0;
}

/** Why a JSON text means something else when it is read than it says: of equal keys only the last one counts, and numbers are rounded. */
export type InexactJson = 'repeatedKey' | 'roundedNumber';

/** Says why a text, which must be JSON, is not read as it is written; undefined when it is. It takes one pass. */
export function inexactJson(text: string): InexactJson | undefined {
  const open: (Set<string> | undefined)[] = [];
  let key: string | undefined;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]|-?\d[\d.eE+-]*/g)) {
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : undefined);
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (token === ':') {
      const keys = open.at(-1);
      if (key !== undefined && keys?.has(key) === true) {
        return 'repeatedKey';
      }
      keys?.add(key ?? '');
    } else if (token.startsWith('"')) {
      // A key that is written in two ways, with and without escapes, is one key.
      key = JSON.parse(token) as string;
    } else if (!isExactNumber(token)) {
      return 'roundedNumber';
    }
  }
  return undefined;
}

/** Whether a text is a JSON number that is read as it is written. Digits after the point do not count: they are always rounded somewhere. */
export function isExactNumber(text: string): boolean {
  const value = Number(text);
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) || !Number.isFinite(value)) {
    return false;
  }
  return !/^-?\d+$/.test(text) || Number.isSafeInteger(value) || String(value) === text;
}
