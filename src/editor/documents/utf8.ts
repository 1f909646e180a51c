import { Turns } from '../../base/turns.ts';

/** So far VS Code looks for zeros, which make a file binary or UTF-16. */
const lookedAtForZeros = 512;

/** About as much as fits into a turn. */
const stepLength = 1024 * 1024;

/**
 * The text of what can only be UTF-8, without a byte order mark; `undefined` for what VS Code has to look at. It would say the
 * same of most files, but ask its main process first: three times as long as to read one. A long one in turns with others.
 */
export async function decodeUtf8(bytes: Uint8Array): Promise<string | undefined> {
  if (bytes.subarray(0, lookedAtForZeros).includes(0)) {
    return undefined;
  }
  const turns = new Turns();
  const pieces: string[] = [];
  try {
    for (let from = 0; from < bytes.length;) {
      const to = endOfPiece(bytes, from + stepLength);
      // What looks like a byte order mark is one at the beginning only.
      pieces.push(new TextDecoder('utf-8', { fatal: true, ignoreBOM: from > 0 }).decode(bytes.subarray(from, to)));
      from = to;
      await turns.next();
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
