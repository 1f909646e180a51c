import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/lifecycle.ts';

/** Between two lines of one resource. */
const lineMs = 60_000;

/** What was read again by itself since the last line about it. */
export interface Refreshes {
  readonly times: number;
  readonly failed: number;
}

/** Sums up for the record what a server makes be read again: it must not push the rest of the record out. */
export class RefreshRecord implements Disposable {
  readonly #clock: Clock;
  readonly #write: (refreshes: Refreshes) => void;
  #timer: Disposable | undefined;
  #times = 0;
  #failed = 0;
  #isOver = false;

  constructor(clock: Clock, write: (refreshes: Refreshes) => void) {
    this.#clock = clock;
    this.#write = write;
  }

  add(isRead: boolean): void {
    this.#times += 1;
    this.#failed += isRead ? 0 : 1;
    if (this.#isOver) {
      this.#sumUp(); // a reading that was under way
    } else {
      this.#timer ??= this.#clock.schedule(lineMs, () => this.#sumUp());
    }
  }

  /** What was not written yet is. */
  dispose(): void {
    this.#isOver = true;
    this.#sumUp();
  }

  #sumUp(): void {
    const refreshes = { times: this.#times, failed: this.#failed };
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#times = 0;
    this.#failed = 0;
    if (refreshes.times > 0) {
      this.#write(refreshes);
    }
  }
}
