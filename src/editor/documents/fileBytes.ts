import { Slices } from '../../base/slices.ts';

/** The number of bytes in which VS Code looks for zeros, which make a file binary or UTF-16. */
const lookedAtForZeros = 512;

/** About as many bytes as can be decoded in one slice of time. */
const stepBytes = 1024 * 1024;

/**
 * Decodes bytes that can only be UTF-8, without their byte order mark; the result is `undefined` where VS Code has to decide. VS
 * Code would give the same text for most files, but asks its main process first, which takes three times as long as to read one. A
 * long text is decoded in slices, between which others get their turn.
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

/** The end of a piece of about this length, moved back so that it is not within a character. */
function endOfPiece(bytes: Uint8Array, most: number): number {
  if (most >= bytes.length) {
    return bytes.length;
  }
  const isWithin = (at: number): boolean => ((bytes[at] ?? 0) & 0xc0) === 0x80;
  const before = [0, 1, 2, 3].find((steps) => !isWithin(most - steps)) ?? 0;
  return most - before;
}

/** Whether this is a PDF, by what it begins and ends with. Plain text is none, whatever it begins with. */
export function isPdf(bytes: Uint8Array): boolean {
  const begin = String.fromCharCode(...bytes.subarray(0, 8));
  const end = String.fromCharCode(...bytes.subarray(-1_024));
  return begin.startsWith('%PDF-') && end.includes('%%EOF') && bytes.some((byte) => byte === 0 || byte > 127);
}

/** About as many characters as can be looked at in one slice of time. */
const stepCharacters = 250_000;

/** The place of the first half of a surrogate pair that stands alone; `undefined` when all characters are whole. */
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

/** The first place where `other` differs from `text`; `undefined` when `other` begins with all of `text`. */
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
