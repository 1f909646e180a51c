import type { Slices } from '../../base/slices.ts';

/**
 * The letters of a text: what is left without layout, punctuation, case and invisible characters. A copy that was re-indented, quoted,
 * escaped as JSON or mixed with invisible characters has the same letters.
 */
export interface Letters {
  /** The letters, as UTF-16 code units. */
  readonly units: Uint16Array;
  /** Where in the text each letter was, if that is needed. */
  readonly places?: Uint32Array;
}

/** For each code unit below 128 the letter or digit in lower case, or 0 for everything else. */
const asciiLetters = Uint8Array.from({ length: 128 }, (_, code) => {
  const text = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(text) ? text.charCodeAt(0) : 0;
});
const backslash = 0x5c;
/** The letters that after a backslash stand for white space in JSON, and are no letters then. */
const escapes = new Set(Array.from('nrtbf', (letter) => letter.charCodeAt(0)));

/** How many characters are read between two looks at the clock. */
const stepLength = 4_096;

/** The letters of a text, in one pass and in slices of work. */
export async function lettersOf(text: string, slices: Slices): Promise<Letters> {
  const { units, length } = await readLetters(text, undefined, slices);
  return { units: units.slice(0, length) };
}

export async function placedLettersOf(text: string, slices: Slices): Promise<Required<Letters>> {
  const places = new Uint32Array(text.length);
  const { units, length } = await readLetters(text, places, slices);
  return { units: units.slice(0, length), places: places.slice(0, length) };
}

interface ReadLetters {
  readonly units: Uint16Array;
  readonly length: number;
}

async function readLetters(text: string, places: Uint32Array | undefined, slices: Slices): Promise<ReadLetters> {
  const units = new Uint16Array(text.length);
  let length = 0;
  let index = 0;
  while (index < text.length) {
    for (const end = Math.min(text.length, index + stepLength); index < end; index += 1) {
      const code = text.charCodeAt(index);
      if (code === backslash && escapes.has(text.charCodeAt(index + 1))) {
        index += 1;
        continue;
      }
      const letter = code < 128 ? (asciiLetters[code] ?? 0) : wideLetter(code);
      if (letter !== 0) {
        units[length] = letter;
        if (places !== undefined) {
          places[length] = index;
        }
        length += 1;
      }
    }
    await slices.pauseIfUsedUp();
  }
  return { units, length };
}

/** The letter beyond ASCII, or 0 for spaces, punctuation, format characters, variation selectors and tag characters. */
function wideLetter(code: number): number {
  if (code < 0xc0 || (code >= 0x2000 && code <= 0x2bff) || (code >= 0x3000 && code <= 0x303f) || (code >= 0xfe00 && code <= 0xfe0f)) {
    return 0;
  }
  if (code === 0xfeff || code === 0xdb40 || (code >= 0xdc00 && code <= 0xdc7f)) {
    return 0;
  }
  // The full-width forms of ASCII count as the plain ones.
  if (code >= 0xff01 && code <= 0xff5e) {
    return asciiLetters[code - 0xfee0] ?? 0;
  }
  const lower = String.fromCharCode(code).toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : code;
}

/** The first code unit of Chinese, Japanese and Korean characters, which say as much as several letters. */
const firstDense = 0x2e80;

/** How much a run of letters says, counted in letters of an alphabet. */
export function weightOf(units: Uint16Array): number {
  return units.reduce((sum, unit) => sum + (unit >= firstDense ? 2 : 1), 0);
}

/** A short word that identifies something by itself: a key, a long number, an e-mail address. */
export interface Token {
  /** The word in a form that is the same for every way to write it. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** What such words look like. Each pattern begins at a word boundary and is bounded, so that it takes one pass over any text. */
const patterns: readonly { readonly pattern: RegExp; readonly counts: (word: string) => boolean }[] = [
  // Keys and long numbers; longer texts are found by their letters.
  { pattern: /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{9,200}(?![A-Za-z0-9_-])/g, counts: isIdentifier },
  // Numbers in groups, such as those of credit cards.
  { pattern: /(?<![A-Za-z0-9_-])\d(?:[ -]?\d){12,30}(?![A-Za-z0-9_-])/g, counts: () => true },
  { pattern: /(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,6}/g, counts: () => true },
];

const minDigits = 9;
const minLetters = 12;

/**
 * Whether a word is an identifier: nine or more digits, or twelve or more characters with a digit among them, which words of a language
 * do not have.
 */
function isIdentifier(word: string): boolean {
  return /^\d+$/.test(word) ? word.length >= minDigits : word.length >= minLetters && /\d/.test(word);
}

export function tokensOf(text: string): readonly Token[] {
  return patterns.flatMap(({ pattern, counts }) =>
    Array.from(text.matchAll(pattern), ({ 0: found, index }) => ({
      word: found.replace(/[\s_-]/g, '').toLowerCase(),
      start: index,
      end: index + found.length,
    })).filter(({ word }) => counts(word)),
  );
}
