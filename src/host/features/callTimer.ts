import { setMaxListeners } from 'node:events';

/** The longest a timer of Node's can be: for requests whose time is kept here. */
export const maxTimeoutMs = 2 ** 31 - 1;

/**
 * The time a call may take without a sign of life. Progress starts it anew, and it stands still while the server waits for
 * an answer of the person: somebody who reads a question must not lose the call that caused it.
 */
export class CallTimer {
  readonly #over = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #wish: AbortSignal | undefined;
  readonly #stop = (): void => this.#over.abort(this.#wish?.reason);
  #left: number;
  #hasExpired = false;

  /** Measured in steps, so that standing still needs no events. `wish`: the call is over when this fires, too. */
  constructor(
    readonly timeoutMs: number,
    isStandingStill: () => boolean,
    wish?: AbortSignal,
  ) {
    this.#wish = wish;
    if (wish !== undefined) {
      // Many calls may share one, and each takes its listener away again.
      setMaxListeners(0, wish);
      wish.addEventListener('abort', this.#stop);
    }
    if (wish?.aborted === true) {
      this.#stop();
    }
    this.#left = timeoutMs;
    const stepMs = Math.max(1, Math.min(250, timeoutMs / 4));
    this.#timer = setInterval(() => {
      if (!isStandingStill()) {
        this.#left -= stepMs;
      }
      if (this.#left <= 0) {
        clearInterval(this.#timer);
        this.#hasExpired = true;
        this.#over.abort();
      }
    }, stepMs);
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  get hasExpired(): boolean {
    return this.#hasExpired;
  }

  restart(): void {
    this.#left = this.timeoutMs;
  }

  dispose(): void {
    this.#wish?.removeEventListener('abort', this.#stop);
    clearInterval(this.#timer);
  }
}
