import { isJsonObject, type JsonValue } from '../base/json.ts';
import { secretMark } from '../secrets/secretMarks.ts';
import { isSecretField } from '../secrets/secretNames.ts';

/** A message as it is shown: valid JSON, without secrets and cut if it is long. */
export interface ShownMessage {
  readonly text: string;
  /** The size of the whole message, in characters of its JSON; of a long one, an escaped character counts once. */
  readonly size: number;
  /** Whether the message has more than was counted. */
  readonly isSizeLeast: boolean;
  /** Whether something is left out of the text. A short message that was not looked at yet says no; hardly ever is one cut. */
  readonly isCut: boolean;
  readonly hasSecrets: boolean;
  /** How many characters it is kept with. It stays the same when the message is looked at. */
  readonly weight: number;
}

/** Replaces what looks like a secret in a text. It must take linear time for any text. */
export type MaskText = (text: string) => string;

/** The most characters that are kept of one text in a message. */
const maxTextLength = 32 * 1024;
/** The most characters that are kept of the name of a member. */
const maxNameLength = 1_000;
/** How many characters beyond a cut are masked too, so that a secret at the cut is still recognised. */
const lookAhead = 4 * 1024;
/** How many levels of a message are kept; what lies deeper is left out. */
const maxDepth = 64;
/** The most values that are looked at; the size of the rest is not counted. */
const maxValues = 20_000;
/** The mark where something was left out. */
export const ellipsis = '…';

/**
 * Keeps a message until somebody looks at it. Most pass unseen, so a short one is only written down as it is, and made ready to be
 * shown at the first look; a long one is made ready at once, because that makes it shorter. The secrets in what is only written down
 * do not leave this process.
 */
export function keepMessage(message: unknown, mask: MaskText): ShownMessage {
  return isShort(message) ? new UnseenMessage(JSON.stringify(message), mask) : toShownMessage(message, mask);
}

/** Keeps the text of a message, which must be JSON and short, as `keepMessage` does. */
export function keepText(text: string, mask: MaskText): ShownMessage {
  return new UnseenMessage(text, mask);
}

/** The most values, levels and characters of a message that is looked at later. */
const short = { values: 200, depth: 12, characters: 8 * 1024 };

/** Whether a message is surely short: it looks at no more than the limits, whatever the message is. */
function isShort(message: unknown): boolean {
  let values = 0;
  let characters = 0;
  const count = (value: unknown, depth: number): boolean => {
    values += 1;
    if (typeof value === 'string') {
      characters += value.length;
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= short.depth || (Array.isArray(value) && value.length > short.values)) {
        return false;
      }
      for (const name in value) {
        characters += name.length;
        if (!count((value as Readonly<Record<string, unknown>>)[name], depth + 1)) {
          return false;
        }
      }
    }
    return values <= short.values && characters <= short.characters;
  };
  return typeof message === 'object' && message !== null && count(message, 0);
}

/** A message of which nothing but the text is kept until somebody looks at it. */
class UnseenMessage implements ShownMessage {
  readonly size: number;
  readonly weight: number;
  readonly isSizeLeast = false;
  #shown: ShownMessage | undefined;
  #show: () => ShownMessage;

  constructor(text: string, mask: MaskText) {
    this.size = text.length;
    this.weight = text.length;
    this.#show = () => toShownMessage(JSON.parse(text), mask);
  }

  get text(): string {
    return this.#look().text;
  }

  get isCut(): boolean {
    return this.#shown?.isCut ?? false;
  }

  get hasSecrets(): boolean {
    return this.#look().hasSecrets;
  }

  #look(): ShownMessage {
    const shown = this.#shown ?? this.#show();
    this.#shown = shown;
    this.#show = () => shown; // the text as it was is let go
    return shown;
  }
}

/** Makes a message ready to be shown. Pure; the time is bounded for any message. */
export function toShownMessage(message: unknown, mask: MaskText, maxLength = 128 * 1024): ShownMessage {
  const copying = new Copying(maxLength);
  const copy = copying.copy(message, '', 0);
  const masked = maskAll(copying.texts, mask);
  const { size, isSizeLeast, isCut } = copying;
  const text = JSON.stringify(filled(copy, masked));
  return {
    text,
    weight: text.length,
    size,
    isSizeLeast,
    isCut,
    hasSecrets: copying.hasSecretFields || masked.some((text, index) => text !== copying.texts[index]),
  };
}

/** The beginning of a text without its secrets, also without one that a cut would leave a beginning of. */
export function maskedStart(text: string, maxLength: number, mask: MaskText): string {
  const near = text.slice(0, maxLength + lookAhead);
  const masked = mask(near);
  return masked.slice(0, near.length === text.length ? maxLength : Math.max(0, Math.min(maxLength, masked.length - lookAhead)));
}

/** A text of the copy, as an index into the texts that are masked together, and whether it was cut. */
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

  /** Whether the copy is full; from then on only the size is counted. */
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
      } else if (copies.at(-1) !== ellipsis) {
        copies.push(this.#cut());
      }
    }
    return copies;
  }

  /** Copies an object. Everything below the name of a secret counts as a secret. */
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
      // A schema's description of a parameter is not its value.
      const isDescribed = ownName === 'properties' && typeof member === 'object';
      const copy = this.copy(member, isSecret ? ownName : isDescribed ? '' : name, depth + 1);
      if (!isFull) {
        members.push([this.#hold(name, maxNameLength), copy]);
      } else if (members.at(-1)?.[0] !== ellipsis) {
        members.push([ellipsis, this.#cut()]);
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
    return ellipsis;
  }
}

/** White space between texts; no secret is looked for across it. */
const separator = '\u2028';
const between = `\n${separator}\n`;
/** The most texts that hold the separator themselves and are masked one by one. */
const maxApart = 100;

/** Masks all texts at once, because masking many short texts one by one takes much longer. */
function maskAll(texts: readonly string[], mask: MaskText): readonly string[] {
  const apart = new Map<number, string>();
  const joined = texts.map((text, index) => {
    if (!text.includes(separator)) {
      return text;
    }
    // No ordinary message has many such texts, so the rest is hidden whole.
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

/** The masked text of a copy. What was masked beyond the cut is never shown, however much shorter the rest has become. */
function textOf({ index, isCut }: Held, masked: readonly string[]): string {
  const text = masked[index] ?? '';
  return isCut ? text.slice(0, Math.max(0, text.length - lookAhead)) + ellipsis : text;
}
