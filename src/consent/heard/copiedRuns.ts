import { weightOf } from './letters.ts';
import type { Slices } from '../../base/slices.ts';

/** A run of letters that is in both the needle and the haystack, as positions in the needle. */
export interface CopiedRun {
  readonly start: number;
  readonly end: number;
}

/** The length of the beginnings that are looked up: short enough to begin every run that counts, long enough to be rare. */
const gramLength = 12;
/** The most places of one beginning in the needle: with more, a needle of one repeated word would take quadratic time. */
const maxPlacesOfGram = 4;
/** The most copied runs that are found in one text; the search ends with the last of them. */
const maxRuns = 200;
/** How many letters are compared between two looks at the clock. */
const sliceLength = 2_000;
const nowhere: readonly number[] = [];
const filterBits = 1 << 18;
const factor = 0x01000193;
/** `factor` to the power of `gramLength`: the weight of the letter that leaves the hashed window. */
const leaving = Array.from({ length: gramLength }).reduce<number>((power) => Math.imul(power, factor), 1);

/** The text that is looked for, with an index of all beginnings in it, made once for all haystacks. */
export class Needle {
  readonly units: Uint16Array;
  readonly #first = new Map<number, number>();
  readonly #others = new Map<number, number[]>();
  /** A Bloom filter: most letters of a haystack begin no run, which this tells cheaply. */
  readonly #filter = new Uint8Array(filterBits >> 3);

  private constructor(units: Uint16Array) {
    this.units = units;
  }

  static async of(units: Uint16Array, slices: Slices): Promise<Needle> {
    const needle = new Needle(units);
    for (let next = 0; next < units.length; next += sliceLength) {
      rollOver(units, next, Math.min(units.length, next + sliceLength), (hash, start) => {
        needle.#add(hash, start);
        return start + 1;
      });
      await slices.pauseIfUsedUp();
    }
    return needle;
  }

  placesOf(hash: number): readonly number[] {
    const bit = hash & (filterBits - 1);
    const first = ((this.#filter[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0 ? undefined : this.#first.get(hash);
    return first === undefined ? nowhere : [first, ...(this.#others.get(hash) ?? nowhere)];
  }

  #add(hash: number, start: number): void {
    if (!this.#first.has(hash)) {
      this.#first.set(hash, start);
      const bit = hash & (filterBits - 1);
      this.#filter[bit >> 3] = (this.#filter[bit >> 3] ?? 0) | (1 << (bit & 7));
      return;
    }
    const others = this.#others.get(hash) ?? [];
    if (others.length + 1 < maxPlacesOfGram) {
      this.#others.set(hash, [...others, start]);
    }
  }
}

/** Every long enough run that both have, in one pass over the haystack and in slices of work. */
export async function copiedRuns(
  needle: Needle,
  haystack: Uint16Array,
  counts: (run: CopiedRun) => boolean,
  slices: Slices,
): Promise<readonly CopiedRun[]> {
  const runs: CopiedRun[] = [];
  let next = 0;
  while (next < haystack.length && runs.length < maxRuns) {
    const end = Math.min(haystack.length, next + sliceLength);
    next = rollOver(haystack, next, end, (hash, start) => {
      const run = longestRun(needle, haystack, start, needle.placesOf(hash));
      if (run === undefined) {
        return start + 1;
      }
      const length = run.end - run.start;
      if (!counts(run)) {
        // A long run that does not count is skipped, and not searched again from each of its letters.
        return start + Math.max(1, length < 2 * gramLength ? 1 : length - gramLength);
      }
      runs.push(run);
      return runs.length < maxRuns ? start + length : haystack.length;
    });
    await slices.pauseIfUsedUp();
  }
  return runs;
}

/** Calls `visit` with the rolling hash of every beginning before `end`, and goes on where it says. Gives back where it stopped. */
function rollOver(units: Uint16Array, begin: number, end: number, visit: (hash: number, start: number) => number): number {
  let start = begin;
  let hash = 0;
  let hashedTo = begin;
  while (start < end && start + gramLength <= units.length) {
    for (; hashedTo < start + gramLength; hashedTo += 1) {
      hash = (Math.imul(hash, factor) + (units[hashedTo] ?? 0)) | 0;
    }
    const next = visit(hash, start);
    if (next === start + 1) {
      // The window moves by one letter: its first letter leaves.
      hash = (Math.imul(hash, factor) + (units[start + gramLength] ?? 0) - Math.imul(units[start] ?? 0, leaving)) | 0;
      hashedTo = next + gramLength;
    } else {
      hash = 0;
      hashedTo = next;
    }
    start = next;
  }
  return Math.max(start, end);
}

function longestRun(needle: Needle, haystack: Uint16Array, start: number, places: readonly number[]): CopiedRun | undefined {
  let longest: CopiedRun | undefined;
  for (const place of places) {
    const end = endOfRun(needle.units, place, haystack, start);
    if (end - place >= gramLength && end - place > (longest === undefined ? 0 : longest.end - longest.start)) {
      longest = { start: place, end };
    }
  }
  return longest;
}

function endOfRun(units: Uint16Array, place: number, haystack: Uint16Array, start: number): number {
  let length = 0;
  while (place + length < units.length && start + length < haystack.length && units[place + length] === haystack[start + length]) {
    length += 1;
  }
  return place + length;
}

const minWeight = 24;
const minDistinct = 6;

/** Whether a run is too long and varied to be a coincidence. */
export function isTelling(units: Uint16Array): boolean {
  return weightOf(units) >= minWeight && new Set(units).size >= minDistinct;
}
