import { setMaxListeners } from 'node:events';

/** The longest timeout that Node allows. It is given to requests whose time is kept by a CallTimer. */
export const maxTimeoutMs = 2 ** 31 - 1;

/**
 * Limits the time that a call may take without a sign of life. Progress restarts it, and it stands still while the server
 * waits for an answer of the person: whoever reads a question must not lose the call that caused it.
 */
export class CallTimer {
  readonly #timer: NodeJS.Timeout;
  readonly #wish: AbortSignal | undefined;
  readonly #stop = (): void => this.#end(this.#wish?.reason);
  /** The controller behind `signal`, made only when somebody asks for it, and that of the request under way. */
  #asked: AbortController | undefined;
  #request: AbortController | undefined;
  #left: number;
  #over: { readonly reason: unknown } | undefined;
  #hasExpired = false;

  /** The time is measured in steps, so that standing still needs no events. The call is also over when `wish` fires. */
  constructor(
    readonly timeoutMs: number,
    isStandingStill: () => boolean,
    wish?: AbortSignal,
  ) {
    this.#wish = wish;
    if (wish !== undefined) {
      // Many calls may share one signal, and each removes its listener again.
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
        this.#end(undefined);
      }
    }, stepMs);
  }

  /** Fires when the time is over, or when the call is no longer wanted. */
  get signal(): AbortSignal {
    if (this.#asked === undefined) {
      this.#asked = new AbortController();
      if (this.#over !== undefined) {
        this.#asked.abort(this.#over.reason);
      }
    }
    return this.#asked.signal;
  }

  get isOver(): boolean {
    return this.#over !== undefined;
  }

  get hasExpired(): boolean {
    return this.#hasExpired;
  }

  restart(): void {
    this.#left = this.timeoutMs;
  }

  /** The request under way, if any: it is aborted when the call is over. */
  set request(controller: AbortController | undefined) {
    this.#request = controller;
    if (this.#over !== undefined) {
      controller?.abort(this.#over.reason);
    }
  }

  dispose(): void {
    this.#wish?.removeEventListener('abort', this.#stop);
    clearInterval(this.#timer);
  }

  #end(reason: unknown): void {
    this.#over ??= { reason };
    this.#asked?.abort(reason);
    this.#request?.abort(reason);
  }
}
