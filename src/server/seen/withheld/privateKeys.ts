import type { SecretSpan } from './findSecrets.ts';

const blockStart = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const maxBlockLength = 20_000;

/** PEM blocks of private keys, whole or cut off at the end; code that only mentions the marks stays. */
export function* keyBlocks(text: string): Generator<SecretSpan> {
  const starts = [...text.matchAll(blockStart)].map(({ 0: mark, index }) => index + mark.length);
  for (const [position, from] of starts.entries()) {
    // Up to the next mark at most, so that no text is looked at twice.
    const body = text.slice(from, Math.min(from + maxBlockLength, starts[position + 1] ?? text.length));
    yield* wordsIn(body.slice(0, lengthOfKey(body)), from);
  }
}

/** All but white space and written line breaks: lines stay what they are. */
function* wordsIn(body: string, offset: number): Generator<SecretSpan> {
  for (const { 0: word, 1: lineBreak, index } of body.matchAll(/(\\[nr])|(?:[^\s\\]|\\(?![nr]))+/g)) {
    if (lineBreak === undefined) {
      yield { from: offset + index, to: offset + index + word.length };
    }
  }
}

function lengthOfKey(body: string): number {
  const end = body.indexOf('-----END');
  if (end >= 0) {
    return /[A-Za-z0-9+/]{32}/.test(body.slice(0, end)) ? end : 0;
  }
  return /^(?:\r?\n[ \t]*|\\[nr])+[A-Za-z0-9+/=]{30,}(?:(?:\r?\n[ \t]*|\\[nr])+[A-Za-z0-9+/=]{4,}(?=\s|\\|$))*/.exec(body)?.[0].length ?? 0;
}

const blockEnd = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const keyLine = /^[ \t]*[A-Za-z0-9+/=]{1,200}\r?\n$/;

/** What is left of a key whose beginning was cut off: the lines before the mark of its end. */
export function* keyRests(text: string): Generator<SecretSpan> {
  let earliest = 0;
  for (const { 0: mark, index } of text.matchAll(blockEnd)) {
    const from = startOfKeyLines(text, index, earliest);
    const rest = text.slice(from, index);
    if (/[A-Za-z0-9+/]{32}/.test(rest)) {
      yield* wordsIn(rest, from);
    }
    earliest = index + mark.length;
  }
}

function startOfKeyLines(text: string, end: number, earliest: number): number {
  let from = end;
  while (from > earliest && text[from - 1] === '\n') {
    const start = from === 1 ? 0 : text.lastIndexOf('\n', from - 2) + 1;
    if (start < earliest || !keyLine.test(text.slice(start, from))) {
      break;
    }
    from = start;
  }
  return from;
}
