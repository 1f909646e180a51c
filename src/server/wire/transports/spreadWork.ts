/** How long, in ms, messages are handled in one turn of the event loop before everything else in the process gets its turn. */
const maxTurnMs = 20;

/**
 * Spreads work that came all at once over several turns, in its order. Without it a crowd of clients that begin in the same moment would
 * be served in one turn, and hold up the whole extension host for as long.
 */
export class SpreadWork {
  readonly #waiting: (() => void)[] = [];
  /** When the work of this turn began. */
  #begun: number | undefined;

  /** Does the work now, or in a later turn where this one has done enough. The work must not throw. */
  run(work: () => void): void {
    if (this.#waiting.length === 0 && this.#hasTime()) {
      work();
    } else if (this.#waiting.push(work) === 1) {
      setImmediate(() => this.#goOn());
    }
  }

  #hasTime(): boolean {
    if (this.#begun === undefined) {
      this.#begun = performance.now();
      setImmediate(() => (this.#begun = undefined));
      return true;
    }
    return performance.now() - this.#begun < maxTurnMs;
  }

  #goOn(): void {
    const begun = performance.now();
    do {
      this.#waiting.shift()?.();
    } while (this.#waiting.length > 0 && performance.now() - begun < maxTurnMs);
    if (this.#waiting.length > 0) {
      setImmediate(() => this.#goOn());
    }
  }
}
