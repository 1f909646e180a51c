/** The longest a timer of Node's can be: for requests whose time is kept here. */
export const maxTimeoutMs = 2 ** 31 - 1;

/**
 * The time a call may take without a sign of life. Progress starts it anew, and it stands still while the server waits for
 * an answer of the person: somebody who reads a question must not lose the call that caused it.
 */
export class CallTimer {
  readonly #expired = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #left: number;

  /** Measured in steps, so that standing still needs no events. */
  constructor(
    readonly timeoutMs: number,
    isStandingStill: () => boolean,
  ) {
    this.#left = timeoutMs;
    const stepMs = Math.max(1, Math.min(250, timeoutMs / 4));
    this.#timer = setInterval(() => {
      if (!isStandingStill()) {
        this.#left -= stepMs;
      }
      if (this.#left <= 0) {
        clearInterval(this.#timer);
        this.#expired.abort();
      }
    }, stepMs);
  }

  get signal(): AbortSignal {
    return this.#expired.signal;
  }

  restart(): void {
    this.#left = this.timeoutMs;
  }

  dispose(): void {
    clearInterval(this.#timer);
  }
}
