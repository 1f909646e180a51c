import { isJsonObject, type JsonValue } from '../base/json.ts';
import { secretMark } from '../secrets/secretMarks.ts';
import { isSecretField } from '../secrets/secretNames.ts';

/** A message as it is kept: valid JSON without what is secret or too much. */
export interface ShownMessage {
  readonly text: string;
  /** Of the whole message, in characters of its JSON; what has to be escaped counts once. */
  readonly size: number;
  /** There was more than could be counted. */
  readonly isSizeLeast: boolean;
  readonly isCut: boolean;
  readonly hasSecrets: boolean;
}

/** Text without what looks like a secret. For texts of any content, in linear time. */
export type MaskText = (text: string) => string;

const maxTextLength = 32 * 1024;
const maxNameLength = 1_000;
/** Looked at beyond the end of a text that is cut, so that a secret that stands there is still known as one. */
const lookAhead = 4 * 1024;
const maxDepth = 64;
/** Beyond this many values nothing is looked at any more, not even how much it is. */
const maxValues = 20_000;
/** Stands where something was left out. */
export const cutMark = '…';

/** Pure. Takes a bounded time, whatever is in it. */
export function showMessage(message: unknown, mask: MaskText, maxLength = 128 * 1024): ShownMessage {
  const copying = new Copying(maxLength);
  const copy = copying.copy(message, '', 0);
  const masked = maskAll(copying.texts, mask);
  const { size, isSizeLeast, isCut } = copying;
  return {
    text: JSON.stringify(filled(copy, masked)),
    size,
    isSizeLeast,
    isCut,
    hasSecrets: copying.hasSecretFields || masked.some((text, index) => text !== copying.texts[index]),
  };
}

/** A text of the copy: which of those that are masked together, and whether it was longer. */
class Held {
  readonly index: number;
  readonly isCut: boolean;

  constructor(index: number, isCut: boolean) {
    this.index = index;
    this.isCut = isCut;
  }
}

type Copy = null | boolean | number | string | Held | readonly Copy[] | { readonly members: readonly (readonly [Held | string, Copy])[] };

class Copying {
  size = 0;
  isSizeLeast = false;
  isCut = false;
  hasSecretFields = false;
  readonly texts: string[] = [];
  #left: number;
  #values = 0;

  constructor(maxLength: number) {
    this.#left = maxLength;
  }

  copy(value: unknown, name: string, depth: number): Copy {
    this.#values += 1;
    if (typeof value === 'string') {
      this.size += value.length + 2;
      return this.#copyText(value, name);
    }
    if (typeof value !== 'object' || value === null) {
      const plain = typeof value === 'number' || typeof value === 'boolean' ? value : null;
      this.#count(plain === null ? 4 : String(plain).length);
      return typeof plain === 'number' && isSecretField(name) ? this.#mark() : plain;
    }
    this.#count(2);
    if (depth >= maxDepth) {
      return this.#cut();
    }
    return Array.isArray(value) ? this.#copyItems(value, name, depth) : this.#copyMembers(value, name, depth);
  }

  /** After the end only the size goes on, for a while. */
  get #isFull(): boolean {
    return this.#left <= 0;
  }

  #isEnough(): boolean {
    const isEnough = this.#values >= maxValues;
    this.isSizeLeast ||= isEnough;
    this.isCut ||= isEnough;
    return isEnough;
  }

  #copyItems(items: readonly unknown[], name: string, depth: number): Copy {
    const copies: Copy[] = [];
    for (const item of items) {
      if (this.#isEnough()) {
        break;
      }
      const isFull = this.#isFull;
      const copy = this.copy(item, name, depth + 1);
      this.#count(1);
      if (!isFull) {
        copies.push(copy);
      } else if (copies.at(-1) !== cutMark) {
        copies.push(this.#cut());
      }
    }
    return copies;
  }

  /** Under the name of a secret everything is one. */
  #copyMembers(object: object, ownName: string, depth: number): Copy {
    const members: [Held | string, Copy][] = [];
    const isSecret = isSecretField(ownName);
    for (const name in object) {
      const member = isJsonObject(object) ? object[name] : undefined;
      if (this.#isEnough()) {
        break;
      }
      if (member === undefined) {
        continue;
      }
      const isFull = this.#isFull;
      this.#count(name.length + 4);
      // What a schema says of a parameter is no value of it.
      const isDescribed = ownName === 'properties' && typeof member === 'object';
      const copy = this.copy(member, isSecret ? ownName : isDescribed ? '' : name, depth + 1);
      if (!isFull) {
        members.push([this.#hold(name, maxNameLength), copy]);
      } else if (members.at(-1)?.[0] !== cutMark) {
        members.push([cutMark, this.#cut()]);
      }
    }
    return { members };
  }

  #copyText(text: string, name: string): Copy {
    if (this.#isFull) {
      return this.#cut();
    }
    if (text !== '' && isSecretField(name)) {
      this.#left -= secretMark.length;
      return this.#mark();
    }
    const held = this.#hold(text, Math.min(this.#left, maxTextLength));
    this.#left -= text.length + 2;
    return held;
  }

  #mark(): Copy {
    this.hasSecretFields = true;
    return secretMark;
  }

  #hold(text: string, maxLength: number): Held {
    const isCut = text.length > maxLength;
    this.isCut ||= isCut;
    this.texts.push(isCut ? text.slice(0, maxLength + lookAhead) : text);
    return new Held(this.texts.length - 1, isCut);
  }

  #count(length: number): void {
    this.size += length;
    this.#left -= length;
  }

  #cut(): string {
    this.isCut = true;
    return cutMark;
  }
}

/** White space, with a line break, over which no secret is looked for. */
const separator = '\u2028';
const between = `\n${separator}\n`;
/** Of texts that have the separator themselves. */
const maxApart = 100;

/** All at once: to look at each of many short texts by itself takes very much longer. */
function maskAll(texts: readonly string[], mask: MaskText): readonly string[] {
  const apart = new Map<number, string>();
  const joined = texts.map((text, index) => {
    if (!text.includes(separator)) {
      return text;
    }
    // Nobody honest has many of them: rather nothing of those.
    apart.set(index, apart.size < maxApart ? mask(text) : secretMark);
    return '';
  });
  const masked = mask(joined.join(between)).split(between);
  return texts.map((_, index) => apart.get(index) ?? (masked.length === texts.length ? masked[index] : undefined) ?? secretMark);
}

function filled(copy: Copy, masked: readonly string[]): JsonValue {
  if (copy instanceof Held) {
    return textOf(copy, masked);
  }
  if (typeof copy !== 'object' || copy === null) {
    return copy;
  }
  if ('members' in copy) {
    return Object.fromEntries(
      copy.members.map(([name, member]) => [typeof name === 'string' ? name : textOf(name, masked), filled(member, masked)]),
    );
  }
  return copy.map((item) => filled(item, masked));
}

/** What was looked at beyond the end is never shown, however much shorter the rest has become. */
function textOf({ index, isCut }: Held, masked: readonly string[]): string {
  const text = masked[index] ?? '';
  return isCut ? text.slice(0, Math.max(0, text.length - lookAhead)) + cutMark : text;
}
