import type { Slices } from '../../base/slices.ts';

/**
 * What is left of a text when layout, punctuation, case and characters without a shape are taken away: a copy that was
 * re-indented, quoted, escaped as JSON or sprinkled with invisible characters is still the same letters.
 */
export interface Letters {
  /** Code units. */
  readonly units: Uint16Array;
  /** For each of them: where in the text it stood. Left out where nobody asks. */
  readonly places?: Uint32Array;
}

/** By code unit below 128: the letter or digit in lower case, 0 for everything else. */
const asciiLetters = Uint8Array.from({ length: 128 }, (_, code) => {
  const text = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(text) ? text.charCodeAt(0) : 0;
});
const backslash = 0x5c;
/** `\n` in JSON is a line break, not a letter: n, r, t, b, f. */
const escapes = new Set(Array.from('nrtbf', (letter) => letter.charCodeAt(0)));

/** Between two looks at the clock. */
const stepLength = 4_096;

/** One pass, in turns. */
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

/** 0 for what is no letter: spaces and punctuation beyond ASCII, format characters, variation selectors, tag characters. */
function wideLetter(code: number): number {
  if (code < 0xc0 || (code >= 0x2000 && code <= 0x2bff) || (code >= 0x3000 && code <= 0x303f) || (code >= 0xfe00 && code <= 0xfe0f)) {
    return 0;
  }
  if (code === 0xfeff || code === 0xdb40 || (code >= 0xdc00 && code <= 0xdc7f)) {
    return 0;
  }
  // The wide forms of ASCII.
  if (code >= 0xff01 && code <= 0xff5e) {
    return asciiLetters[code - 0xfee0] ?? 0;
  }
  const lower = String.fromCharCode(code).toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : code;
}

/** From here on one character says as much as several letters: Chinese, Japanese, Korean. */
const firstDense = 0x2e80;

/** How much a run of letters says, in letters of an alphabet. */
export function weightOf(units: Uint16Array): number {
  return units.reduce((sum, unit) => sum + (unit >= firstDense ? 2 : 1), 0);
}

/** A whole word that says enough though it is short: a key, a number of somebody or something, an e-mail address. */
export interface Token {
  /** The same for every way to write it. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** Every one of them begins where no other such character stands before it, and is bounded: one pass whatever the text. */
const patterns: readonly { readonly pattern: RegExp; readonly counts: (word: string) => boolean }[] = [
  // Keys and numbers of things: what is longer is found by its letters.
  { pattern: /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{9,200}(?![A-Za-z0-9_-])/g, counts: isIdentifier },
  // Numbers in groups, as those of cards are written.
  { pattern: /(?<![A-Za-z0-9_-])\d(?:[ -]?\d){12,30}(?![A-Za-z0-9_-])/g, counts: () => true },
  { pattern: /(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,6}/g, counts: () => true },
];

const minDigits = 9;
const minLetters = 12;

/** Only of digits from nine on; of letters too from twelve on, where there is a digit in it: no word of a language has one. */
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
