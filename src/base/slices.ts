/** The longest slice of work, in ms, before other work gets to run. */
const maxSliceMs = 8;

/**
 * Slices cut long work into pieces of a few milliseconds, so that everything else on the same thread can run in between. The
 * clock decides, not a number of steps, because what one step costs often depends on somebody else.
 */
export class Slices {
  #until = performance.now() + maxSliceMs;

  /** Whether the current slice has taken its time. To ask this first is cheaper than to await a pause that is not due. */
  get isUsedUp(): boolean {
    return performance.now() >= this.#until;
  }

  /** Lets other work run when the current slice is used up, and then begins the next slice. */
  async pauseIfUsedUp(): Promise<void> {
    if (this.isUsedUp) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      this.#until = performance.now() + maxSliceMs;
    }
  }
}

/** Collects what `make` returns for each item of a long list, without what is undefined; the work is done in slices. */
export async function collectInSlices<T, U>(
  items: readonly T[],
  make: (item: T) => U | undefined,
  slices: Slices = new Slices(),
): Promise<U[]> {
  const made: U[] = [];
  for (const item of items) {
    const each = make(item);
    if (each !== undefined) {
      made.push(each);
    }
    if (slices.isUsedUp) {
      await slices.pauseIfUsedUp();
    }
  }
  return made;
}
