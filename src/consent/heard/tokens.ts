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
