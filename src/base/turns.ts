/** So long others wait at most. */
const maxTurnMs = 8;

/** Long work in turns, so that nobody else waits for it: by the clock, since what a step costs is often up to somebody else. */
export class Turns {
  #until = performance.now() + maxTurnMs;

  /** Waits when it is the others' turn. */
  async next(): Promise<void> {
    if (performance.now() >= this.#until) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      this.#until = performance.now() + maxTurnMs;
    }
  }
}
