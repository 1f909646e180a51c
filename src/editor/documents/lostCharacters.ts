import { Turns } from '../../base/turns.ts';

/** About as much as fits into a turn. */
const stepLength = 250_000;

/** The place of the first half of a character; `undefined` when all are whole. */
export async function firstHalf(text: string): Promise<number | undefined> {
  const turns = new Turns();
  for (let start = 0; start < text.length; start += stepLength) {
    const end = Math.min(text.length, start + stepLength);
    for (let at = start; at < end; at += 1) {
      const code = text.charCodeAt(at);
      const isWhole =
        code < 0xd800 || code > 0xdfff || (code < 0xdc00 ? isSecondHalf(text.charCodeAt(at + 1)) : isFirstHalf(text.charCodeAt(at - 1)));
      if (!isWhole) {
        return at;
      }
    }
    await turns.next();
  }
  return undefined;
}

/** The first place of `text` where `other` has something else; `undefined` when it begins with all of it. */
export async function firstDifference(text: string, other: string): Promise<number | undefined> {
  const turns = new Turns();
  for (let start = 0; start < text.length; start += stepLength) {
    const end = Math.min(text.length, start + stepLength);
    if (text.slice(start, end) !== other.slice(start, end)) {
      let at = start;
      while (text[at] === other[at]) {
        at += 1;
      }
      return at;
    }
    await turns.next();
  }
  return undefined;
}

function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isSecondHalf(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
