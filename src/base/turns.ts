/** So long others wait at most. */
const maxTurnMs = 8;

/** Long work in turns, so that nobody else waits for it: by the clock, since what a step costs is often up to somebody else. */
export class Turns {
  #until = performance.now() + maxTurnMs;

  /** Whether it is the others' turn: cheaper to ask than to wait for nothing. */
  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** Waits when it is the others' turn. */
  async next(): Promise<void> {
    if (this.isOver) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      this.#until = performance.now() + maxTurnMs;
    }
  }
}

/** What `make` makes of each item of a long list, but for those it makes nothing of; in turns with others. */
export async function collectInTurns<T, U>(
  items: readonly T[],
  make: (item: T) => U | undefined,
  turns: Turns = new Turns(),
): Promise<U[]> {
  const made: U[] = [];
  for (const item of items) {
    const each = make(item);
    if (each !== undefined) {
      made.push(each);
    }
    if (turns.isOver) {
      await turns.next();
    }
  }
  return made;
}
