import { isJsonObject, type JsonValue } from '../base/json.ts';
import { secretMark } from '../base/secretMark.ts';
import { isSecretField } from './secretFields.ts';

/** A message as it is kept: valid JSON without what is secret or too much. */
export interface ShownMessage {
  readonly text: string;
  /** Of the whole message, in characters of its JSON; what has to be escaped counts once. */
  readonly size: number;
  readonly isCut: boolean;
  readonly hasSecrets: boolean;
}

/** Text without what looks like a secret. For texts of any content, in linear time. */
export type MaskText = (text: string) => string;

const maxTextLength = 64 * 1024;
/** Looked at beyond the end of a text that is cut, so that a secret that stands there is still known as one. */
const lookAhead = 4 * 1024;
const maxDepth = 64;
/** Stands where something was left out. */
export const cutMark = '…';

/** Pure. Takes time in proportion to the message, whatever is in it. */
export function showMessage(message: unknown, mask: MaskText, maxLength = 256 * 1024): ShownMessage {
  const copying = new Copying(mask, maxLength);
  const copy = copying.copy(message, '', 0);
  return { text: JSON.stringify(copy), size: copying.size, isCut: copying.isCut, hasSecrets: copying.hasSecrets };
}

class Copying {
  size = 0;
  isCut = false;
  hasSecrets = false;
  readonly #mask: MaskText;
  #left: number;

  constructor(mask: MaskText, maxLength: number) {
    this.#mask = mask;
    this.#left = maxLength;
  }

  copy(value: unknown, name: string, depth: number): JsonValue {
    if (typeof value === 'string') {
      this.size += value.length + 2;
      return this.#copyText(value, name);
    }
    if (typeof value !== 'object' || value === null) {
      const plain = typeof value === 'number' || typeof value === 'boolean' ? value : null;
      this.#count(String(plain).length);
      return plain;
    }
    this.#count(2);
    if (depth >= maxDepth) {
      return this.#cut();
    }
    return Array.isArray(value) ? this.#copyItems(value, name, depth) : this.#copyMembers(value, depth);
  }

  /** After the end only the size goes on. */
  #copyItems(items: readonly unknown[], name: string, depth: number): JsonValue {
    const copies: JsonValue[] = [];
    for (const item of items) {
      const isFull = this.#left <= 0;
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

  #copyMembers(members: object, depth: number): JsonValue {
    const copies: [string, JsonValue][] = [];
    for (const [name, member] of Object.entries(isJsonObject(members) ? members : {})) {
      if (member === undefined) {
        continue;
      }
      const isFull = this.#left <= 0;
      this.#count(name.length + 4);
      const copy = this.copy(member, name, depth + 1);
      if (!isFull) {
        copies.push([this.#shownName(name), copy]);
      } else if (copies.at(-1)?.[0] !== cutMark) {
        copies.push([cutMark, this.#cut()]);
      }
    }
    return Object.fromEntries(copies);
  }

  #shownName(name: string): string {
    return this.#masked(name.slice(0, 1_000 + lookAhead)).slice(0, 1_000);
  }

  #copyText(text: string, name: string): string {
    if (text !== '' && isSecretField(name)) {
      this.hasSecrets = true;
      this.#left -= secretMark.length;
      return secretMark;
    }
    const length = Math.max(0, Math.min(this.#left, maxTextLength));
    this.#left -= text.length + 2;
    if (text.length <= length) {
      return this.#masked(text);
    }
    // What was looked at beyond the end is never shown, however much shorter the rest has become.
    const masked = this.#masked(text.slice(0, length + lookAhead));
    return masked.slice(0, Math.max(0, masked.length - lookAhead)) + this.#cut();
  }

  #masked(text: string): string {
    const masked = this.#mask(text);
    this.hasSecrets ||= masked !== text;
    return masked;
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
