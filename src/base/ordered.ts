import type { Slices } from './slices.ts';

/**
 * A long list from which items are taken in order. Often only the beginning is wanted, so the rest is never sorted (a binary heap).
 * To make it takes one or two looks at every item, done in slices; each item that is taken costs a few more.
 */
export class Ordered<T> {
  /** A binary heap: no item comes before the one at half its index, so the first of all is at the front. */
  readonly #heap: T[];
  readonly #compare: (a: T, b: T) => number;

  private constructor(items: readonly T[], compare: (a: T, b: T) => number) {
    this.#heap = [...items];
    this.#compare = compare;
  }

  static async of<T>(items: readonly T[], compare: (a: T, b: T) => number, slices: Slices): Promise<Ordered<T>> {
    const ordered = new Ordered(items, compare);
    for (let at = Math.floor(items.length / 2) - 1; at >= 0; at -= 1) {
      ordered.#sink(at);
      if (slices.isUsedUp) {
        await slices.pauseIfUsedUp();
      }
    }
    return ordered;
  }

  get first(): T | undefined {
    return this.#heap[0];
  }

  /** Removes the first item and returns it. */
  next(): T | undefined {
    const [first] = this.#heap;
    const last = this.#heap.pop();
    if (last !== undefined && this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink(0);
    }
    return first;
  }

  /** Removes the first `count` items and returns them; fewer when there are no more. */
  take(count: number): T[] {
    const taken: T[] = [];
    for (let next = this.first; next !== undefined && taken.length < count; next = this.first) {
      taken.push(next);
      this.next();
    }
    return taken;
  }

  /** Moves an item down until no item below comes before it. */
  #sink(from: number): void {
    const heap = this.#heap;
    const sinking = heap[from];
    let at = from;
    for (let below = this.#firstBelow(at); sinking !== undefined && below !== undefined; below = this.#firstBelow(at)) {
      if (this.#compare(below.item, sinking) >= 0) {
        break;
      }
      heap[at] = below.item;
      at = below.at;
    }
    if (sinking !== undefined) {
      heap[at] = sinking;
    }
  }

  #firstBelow(at: number): { readonly at: number; readonly item: T } | undefined {
    const left = this.#heap[2 * at + 1];
    const right = this.#heap[2 * at + 2];
    if (left === undefined) {
      return undefined;
    }
    return right !== undefined && this.#compare(right, left) < 0 ? { at: 2 * at + 2, item: right } : { at: 2 * at + 1, item: left };
  }
}
