import { setTimeout as sleep } from 'node:timers/promises';

/** Time between two readings of a list that keeps changing. */
const gapMs = 100;

/** Many notices within a moment cause one reading; one that comes while it reads causes another. */
export class Refresher {
  readonly #read: () => Promise<void>;
  readonly #signal: AbortSignal;
  #isStale = false;
  #isRunning = false;

  /** `read` reports its own failures. */
  constructor(read: () => Promise<void>, signal: AbortSignal) {
    this.#read = read;
    this.#signal = signal;
  }

  request(): void {
    this.#isStale = true;
    if (!this.#isRunning) {
      this.#isRunning = true;
      void this.#run();
    }
  }

  async #run(): Promise<void> {
    try {
      while (this.#isStale && !this.#signal.aborted) {
        await sleep(gapMs, undefined, { signal: this.#signal, ref: false });
        this.#isStale = false;
        await this.#read();
      }
    } catch {
      // Only the sleep rejects, and only when the connection is gone: there is nothing left to read.
    } finally {
      this.#isRunning = false;
    }
  }
}
