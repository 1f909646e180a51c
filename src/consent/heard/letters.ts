import type { Turns } from '../../base/turns.ts';

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
export async function lettersOf(text: string, turns: Turns): Promise<Letters> {
  const { units, length } = await readLetters(text, undefined, turns);
  return { units: units.slice(0, length) };
}

export async function placedLettersOf(text: string, turns: Turns): Promise<Required<Letters>> {
  const places = new Uint32Array(text.length);
  const { units, length } = await readLetters(text, places, turns);
  return { units: units.slice(0, length), places: places.slice(0, length) };
}

interface ReadLetters {
  readonly units: Uint16Array;
  readonly length: number;
}

async function readLetters(text: string, places: Uint32Array | undefined, turns: Turns): Promise<ReadLetters> {
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
    await turns.next();
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
