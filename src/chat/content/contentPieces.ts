import { countInvisible, revealInContent, revealInvisible } from '../../base/visibleText.ts';
import { secretMark } from '../../base/secretMark.ts';
import type { Turns } from '../../base/turns.ts';
import type { FoundSecret } from '../../contract/sentContent.ts';
import { cutToBytes } from '../toolResults.ts';
import type { ChatContent, SecretPlace } from './chatContent.ts';

/** A secret that begins before the end is known by what follows. */
const lookAhead = 32 * 1024;
const maxBefore = 24;
/** So much is written out at once. */
const maxStep = 16 * 1024;
/** Names, addresses and types are no place for more. */
const maxShort = 1_000;
const shortLookAhead = 4 * 1024;

export type HeldSecret = FoundSecret & { readonly value: string };

/**
 * A text as it is sent, in pieces: nothing hidden in it, a number in the place of each secret, and no more of it than there is
 * room for. What is counted is what is sent.
 */
export class ContentPieces {
  readonly pieces: (string | number)[] = [];
  readonly secrets: HeldSecret[] = [];
  /** With the marks in the places of secrets. */
  bytes = 0;
  invisible = 0;
  /** Of the server's text that is not in it. */
  leftBytes = 0;
  readonly #room: number;
  readonly #firstSecret: number;
  readonly #turns: Turns;
  /** Whatever the person says about the secrets. */
  #mostBytes = 0;

  constructor(room: number, firstSecret: number, turns: Turns) {
    this.#room = room;
    this.#firstSecret = firstSecret;
    this.#turns = turns;
  }

  get mostBytes(): number {
    return this.#mostBytes;
  }

  async fill(text: string, secretsIn: ChatContent['secretsIn']): Promise<void> {
    const end = cutToBytes(text.slice(0, this.#room), this.#room).text.length;
    const found = await secretsIn(text.slice(0, end + lookAhead));
    await this.#turns.next();
    const places = together(text, found).filter(({ from }) => from < end);
    let at = 0;
    for (const { from, to } of [...places, { from: end, to: end }]) {
      const reached = await this.#addText(text, at, from);
      const next = Math.min(to, end);
      const isFull = reached < from || !this.#addSecret(text.slice(at, from), text.slice(from, next));
      at = isFull ? reached : next;
      if (isFull) {
        break;
      }
    }
    this.leftBytes = at < text.length ? Buffer.byteLength(text.slice(at)) : 0;
  }

  /** How far it came. */
  async #addText(text: string, from: number, to: number): Promise<number> {
    let at = from;
    for (let step = maxStep; at < to;) {
      const given = text.slice(at, wholeCharacters(text, Math.min(to, at + step), to));
      const shown = revealInContent(given);
      const size = Buffer.byteLength(shown);
      if (this.#mostBytes + size <= this.#room) {
        this.#push(shown, size, size);
        this.invisible += countInvisible(given);
        at += given.length;
        await this.#turns.next();
      } else if (step > 1) {
        step = Math.floor(step / 2);
      } else {
        break;
      }
    }
    return at;
  }

  /** Whether there was room for it. An empty one needs none. */
  #addSecret(textBefore: string, given: string): boolean {
    if (given === '') {
      return true;
    }
    const value = revealInContent(given);
    const most = Math.max(Buffer.byteLength(value), secretMark.length);
    if (this.#mostBytes + most > this.#room) {
      return false;
    }
    const [line = ''] = revealInvisible(textBefore.slice(-4 * maxBefore))
      .split('\n')
      .slice(-1);
    this.secrets.push({ value, length: value.length, before: line.slice(-maxBefore).trimStart() });
    this.invisible += countInvisible(given);
    this.#push(this.#firstSecret + this.secrets.length - 1, secretMark.length, most);
    return true;
  }

  #push(piece: string | number, size: number, most: number): void {
    const last = this.pieces.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') {
      this.pieces[this.pieces.length - 1] = last + piece;
    } else {
      this.pieces.push(piece);
    }
    this.bytes += size;
    this.#mostBytes += most;
  }
}

/** For short texts of a server that are shown and sent around the content: an address may carry a password. */
export async function withoutSecrets(text: string, secretsIn: ChatContent['secretsIn']): Promise<string> {
  let [shown, done] = ['', 0];
  for (const { from, to } of await secretsIn(text)) {
    shown += text.slice(done, from) + secretMark;
    done = to;
  }
  return shown + text.slice(done);
}

/** The same with nothing hidden in it, and cut: a name, an address, a type, a reason. */
export async function shortText(text: string, secretsIn: ChatContent['secretsIn'], maxBytes = Number.MAX_SAFE_INTEGER): Promise<string> {
  const near = text.slice(0, maxShort + shortLookAhead);
  const shown = revealInvisible(await withoutSecrets(near, secretsIn));
  if (near.length === text.length && shown.length <= maxShort && Buffer.byteLength(shown) <= maxBytes) {
    return shown;
  }
  const ellipsis = '…';
  const room = maxBytes - Buffer.byteLength(ellipsis);
  if (room < 0) {
    return '';
  }
  return `${cutToBytes(shown.slice(0, maxShort).replace(/[\uD800-\uDBFF]$/, ''), room).text}${ellipsis}`;
}

/** The lines of one key are one secret to a person. */
function together(text: string, places: readonly SecretPlace[]): readonly SecretPlace[] {
  const joined: SecretPlace[] = [];
  for (const place of places) {
    const last = joined.at(-1);
    if (last !== undefined && /^(?:\s|\\[nr]){0,16}$/.test(text.slice(last.to, Math.min(place.from, last.to + 32)))) {
      joined[joined.length - 1] = { from: last.from, to: place.to };
    } else {
      joined.push(place);
    }
  }
  return joined;
}

/** A little further where a step would part what is one: a pair, a line break, a picture and what colours it. */
function wholeCharacters(text: string, at: number, end: number): number {
  let to = at;
  while (to < end && to < at + 4 && /^(?:[\uD800-\uDBFF][\uDC00-\uDFFF]|\r\n|[^]\uFE0F)$/.test(text.slice(to - 1, to + 1))) {
    to += 1;
  }
  return to;
}
