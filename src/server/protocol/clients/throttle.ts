import type { Disposable } from '../../../base/lifecycle.ts';
import type { Clock } from '../../../base/clock.ts';

/** Passes a burst of events on as two: the first at once, and one more when the interval is over. */
export class Throttle implements Disposable {
  readonly #clock: Clock;
  readonly #interval: number;
  readonly #tell: () => void;
  #quietUntil = -Infinity;
  #later: Disposable | undefined;

  constructor(clock: Clock, interval: number, tell: () => void) {
    this.#clock = clock;
    this.#interval = interval;
    this.#tell = tell;
  }

  fire(): void {
    if (this.#later !== undefined) {
      return;
    }
    const wait = this.#quietUntil - this.#clock.now();
    if (wait <= 0) {
      this.#pass();
    } else {
      this.#later = this.#clock.schedule(wait, () => this.#pass());
    }
  }

  dispose(): void {
    this.#later?.dispose();
  }

  #pass(): void {
    this.#later = undefined;
    this.#quietUntil = this.#clock.now() + this.#interval;
    this.#tell();
  }
}
