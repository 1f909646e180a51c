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
