import { weightOf } from './letters.ts';
import type { Slices } from '../../base/slices.ts';

/** A run of letters of the needle that stands in the haystack too, as positions in the needle. */
export interface CopiedRun {
  readonly start: number;
  readonly end: number;
}

/** Short enough to begin every run that counts, long enough to be rare. */
const gramLength = 12;
/** Of one beginning in the needle: more would let a needle of one repeated word cost its square. */
const maxPlacesOfGram = 4;
const maxRuns = 200;
/** Letters between two looks at the clock. */
const sliceLength = 2_000;
const nowhere: readonly number[] = [];
const filterBits = 1 << 18;
const factor = 0x01000193;
/** `factor` to the power of `gramLength`: what the letter that leaves the window counts for. */
const leaving = Array.from({ length: gramLength }).reduce<number>((power) => Math.imul(power, factor), 1);

/** The beginnings of all runs that could be found, once for all haystacks. */
export class Needle {
  readonly units: Uint16Array;
  readonly #first = new Map<number, number>();
  readonly #others = new Map<number, number[]>();
  /** Most letters of a haystack begin nothing: that is seen here, for little. */
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

/** Every long enough run that both have, in one pass over the haystack; others have their turn after every slice. */
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
        // A long one that counts for nothing is not gone through again from each of its letters.
        return start + Math.max(1, length < 2 * gramLength ? 1 : length - gramLength);
      }
      runs.push(run);
      return runs.length < maxRuns ? start + length : haystack.length;
    });
    await slices.pauseIfUsedUp();
  }
  return runs;
}

/** Calls `visit` with the hash of every gram that begins before `end`; goes on where it says. Returns where it stopped. */
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
      // The window moves by one: its first letter leaves.
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

/** Long and varied enough that it is no accident. */
export function isTelling(units: Uint16Array): boolean {
  return weightOf(units) >= minWeight && new Set(units).size >= minDistinct;
}
