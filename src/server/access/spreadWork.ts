/** The most pieces of waiting work that one turn of the event loop is prepared for. */
const maxPieces = 64;

/** Says whether a turn of the event loop has done enough: by how many pieces of work it did, and how long ago it began with them, in ms. */
type IsEnough = (done: number, ms: number) => boolean;

/**
 * Spreads work that came all at once over several turns, in its order. Without it a crowd of clients that begin in the same moment would
 * be served in one turn, and hold up the whole extension host for as long.
 */
export class SpreadWork {
  readonly #isEnough: IsEnough;
  readonly #waiting: (() => void)[] = [];
  #done = 0;
  #begun = 0;

  /** Without being told what is enough it counts: 25 pieces a turn, each of which is about as much work. */
  constructor(isEnough: IsEnough = (done) => done >= 25) {
    this.#isEnough = isEnough;
  }

  /** Does the work now and returns true, or does it in a later turn, when this one has done enough or other work waits already. */
  run(work: () => void): boolean {
    if (this.#waiting.length > 0 || !this.#mayDoMore()) {
      this.#waiting.push(work);
      return false;
    }
    work();
    return true;
  }

  #mayDoMore(): boolean {
    const now = performance.now();
    if (this.#done === 0) {
      this.#begun = now;
      setImmediate(this.#endTurn);
    } else if (this.#isEnough(this.#done, now - this.#begun)) {
      return false;
    }
    this.#done += 1;
    return true;
  }

  /** Each piece that waits has an immediate of its own: what its promises still do is then done before the next piece, and counts. */
  readonly #endTurn = (): void => {
    this.#done = 0;
    for (let piece = Math.min(this.#waiting.length, maxPieces); piece > 0; piece -= 1) {
      setImmediate(this.#goOn);
    }
  };

  readonly #goOn = (): void => {
    if (this.#waiting.length > 0 && this.#mayDoMore()) {
      this.#waiting.shift()?.();
    }
  };
}

/** What clients say, for as long in a turn as nobody notices: all clients share one thread. */
export const handling = new SpreadWork((_done, ms) => ms >= 10);

/** What many clients are told at once. */
export const telling = new SpreadWork();
