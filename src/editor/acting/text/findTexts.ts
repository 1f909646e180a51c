import { Slices } from '../../../base/slices.ts';

/** Where a text occurs in another: every place, also where it overlaps itself. */
export interface Places {
  /** How often the text occurs. */
  readonly count: number;
  /** The first places, in order. */
  readonly offsets: readonly number[];
}

interface Needle {
  readonly text: string;
  count: number;
  readonly offsets: number[];
}

/** The lengths, in characters, of the beginnings of texts that are hashed: of each text the longest that fits. */
const windows = [32, 16, 8, 4, 2, 1] as const;
const base = 0x01000193;
/** About as much work, in characters, as fits into one slice of time. */
const stepCost = 250_000;
/** What one comparison counts for, whatever comes of it. */
const lookCost = 8;
/** The most work that is done: a few seconds of it. */
const maxCost = 2_000_000_000;

/**
 * Looks for many texts in one, with one pass for each window instead of one for each text. The result is `undefined` when that is
 * too much work: texts can be made to look alike everywhere. No text may be empty; `most` places of each are kept.
 */
export async function findTexts(text: string, wanted: readonly string[], most: number): Promise<ReadonlyMap<string, Places> | undefined> {
  const needles = new Map<string, Needle>();
  for (const each of wanted) {
    needles.set(each, { text: each, count: 0, offsets: [] });
  }
  const slices = new Slices();
  let left = maxCost;
  for (const window of windows) {
    const beginningAlike = [...needles.values()].filter(({ text: { length } }) => window === windowOf(length));
    if (beginningAlike.length > 0) {
      const scan = new Scan(text, beginningAlike, window, most);
      while (!scan.isDone) {
        left -= scan.step();
        if (left < 0) {
          return undefined;
        }
        await slices.pauseIfUsedUp();
      }
    }
  }
  return needles;
}

function windowOf(length: number): number {
  return windows.find((window) => window <= length) ?? 1;
}

/** One pass over the text, for all wanted texts with the same window. */
class Scan {
  readonly #text: string;
  readonly #window: number;
  readonly #most: number;
  readonly #byHash = new Map<number, Needle[]>();
  /** Whether any wanted text may have a hash, by a part of the hash: one look here rules out most places. */
  readonly #mayBe = new Uint8Array(0x10000);
  /** The factor of a character's share in the hash when it leaves the window. */
  readonly #leaving: number;
  #at = 0;
  #hash: number;

  constructor(text: string, needles: readonly Needle[], window: number, most: number) {
    this.#text = text;
    this.#window = window;
    this.#most = most;
    let leaving = 1;
    for (let index = 0; index < window; index += 1) {
      leaving = Math.imul(leaving, base);
    }
    this.#leaving = leaving;
    for (const needle of needles) {
      const hash = hashOf(needle.text, window);
      const alike = this.#byHash.get(hash) ?? [];
      alike.push(needle);
      this.#byHash.set(hash, alike);
      this.#mayBe[fold(hash)] = 1;
    }
    this.#hash = hashOf(text, window);
  }

  get isDone(): boolean {
    return this.#at > this.#text.length - this.#window;
  }

  /** Goes on for a while, and returns how much work that was. */
  step(): number {
    const text = this.#text;
    const last = text.length - this.#window;
    let cost = 0;
    let hash = this.#hash;
    let at = this.#at;
    for (; at <= last && cost < stepCost; at += 1) {
      cost += 1;
      if (this.#mayBe[fold(hash)] === 1) {
        cost += this.#compare(hash, at);
      }
      const arriving = text.charCodeAt(at + this.#window); // NaN after the end, where the hash is not used any more
      hash = (Math.imul(hash, base) + arriving - Math.imul(text.charCodeAt(at), this.#leaving)) | 0;
    }
    this.#hash = hash;
    this.#at = at;
    return cost;
  }

  #compare(hash: number, at: number): number {
    let cost = 0;
    for (const needle of this.#byHash.get(hash) ?? []) {
      cost += lookCost;
      if (this.#mayEndAt(needle.text, at)) {
        cost += needle.text.length;
        if (this.#text.startsWith(needle.text, at)) {
          needle.count += 1;
          if (needle.offsets.length < this.#most) {
            needle.offsets.push(at);
          }
        }
      }
    }
    return cost;
  }

  /** Whether the middle and the end of the text fit this place. Texts often begin alike, and this tells most of them apart. */
  #mayEndAt(needle: string, at: number): boolean {
    const middle = needle.length >>> 1;
    const last = needle.length - 1;
    return this.#text.charCodeAt(at + last) === needle.charCodeAt(last) && this.#text.charCodeAt(at + middle) === needle.charCodeAt(middle);
  }
}

function hashOf(text: string, window: number): number {
  let hash = 0;
  for (let index = 0; index < window && index < text.length; index += 1) {
    hash = (Math.imul(hash, base) + text.charCodeAt(index)) | 0;
  }
  return hash;
}

function fold(hash: number): number {
  return (hash ^ (hash >>> 16)) & 0xffff;
}
