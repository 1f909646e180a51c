import { Slices } from '../../base/slices.ts';

/** So far VS Code looks for zeros, which make a file binary or UTF-16. */
const lookedAtForZeros = 512;

/** About as much as fits into a turn. */
const stepBytes = 1024 * 1024;

/**
 * The text of what can only be UTF-8, without a byte order mark; `undefined` for what VS Code has to look at. It would say the
 * same of most files, but ask its main process first: three times as long as to read one. A long one in turns with others.
 */
export async function decodeUtf8(bytes: Uint8Array): Promise<string | undefined> {
  if (bytes.subarray(0, lookedAtForZeros).includes(0)) {
    return undefined;
  }
  const slices = new Slices();
  const pieces: string[] = [];
  try {
    for (let from = 0; from < bytes.length;) {
      const to = endOfPiece(bytes, from + stepBytes);
      // What looks like a byte order mark is one at the beginning only.
      pieces.push(new TextDecoder('utf-8', { fatal: true, ignoreBOM: from > 0 }).decode(bytes.subarray(from, to)));
      from = to;
      await slices.pauseIfUsedUp();
    }
  } catch {
    return undefined;
  }
  return pieces.join('');
}

/** Not within a character, if it is one. */
function endOfPiece(bytes: Uint8Array, most: number): number {
  if (most >= bytes.length) {
    return bytes.length;
  }
  const isWithin = (at: number): boolean => ((bytes[at] ?? 0) & 0xc0) === 0x80;
  const before = [0, 1, 2, 3].find((steps) => !isWithin(most - steps)) ?? 0;
  return most - before;
}

/**
 * By what it begins with. A name alone makes no image: text would leave the editor without its secrets taken out. So must
 * not what only begins like one, and every real image has a zero byte in it.
 */
export function imageType(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  const type = signatures.find(([pattern]) => pattern.test(start))?.[1];
  return type !== undefined && bytes.includes(0) ? type : undefined;
}

const signatures: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[^]{4}WEBP/, 'image/webp'],
];

/** By what it begins and ends with; and no plain text either. */
export function isPdf(bytes: Uint8Array): boolean {
  const begin = String.fromCharCode(...bytes.subarray(0, 8));
  const end = String.fromCharCode(...bytes.subarray(-1_024));
  return begin.startsWith('%PDF-') && end.includes('%%EOF') && bytes.some((byte) => byte === 0 || byte > 127);
}

/** About as much as fits into a turn. */
const stepCharacters = 250_000;

/** The place of the first half of a character; `undefined` when all are whole. */
export async function firstHalf(text: string): Promise<number | undefined> {
  const slices = new Slices();
  for (let start = 0; start < text.length; start += stepCharacters) {
    const end = Math.min(text.length, start + stepCharacters);
    for (let at = start; at < end; at += 1) {
      const code = text.charCodeAt(at);
      const isWhole =
        code < 0xd800 || code > 0xdfff || (code < 0xdc00 ? isSecondHalf(text.charCodeAt(at + 1)) : isFirstHalf(text.charCodeAt(at - 1)));
      if (!isWhole) {
        return at;
      }
    }
    await slices.pauseIfUsedUp();
  }
  return undefined;
}

/** The first place of `text` where `other` has something else; `undefined` when it begins with all of it. */
export async function firstDifference(text: string, other: string): Promise<number | undefined> {
  const slices = new Slices();
  for (let start = 0; start < text.length; start += stepCharacters) {
    const end = Math.min(text.length, start + stepCharacters);
    if (text.slice(start, end) !== other.slice(start, end)) {
      let at = start;
      while (text[at] === other[at]) {
        at += 1;
      }
      return at;
    }
    await slices.pauseIfUsedUp();
  }
  return undefined;
}

function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isSecondHalf(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
