import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';

/** One request: ends when the person stops it, or when it has been silent for too long. */
export class Attempt implements Disposable {
  isIdle = false;
  readonly signal: AbortSignal;
  readonly #outer: AbortSignal;
  readonly #silence = new AbortController();
  readonly #clock: Clock;
  readonly #idleMs: number;
  #timer: Disposable | undefined;

  constructor(outer: AbortSignal, clock: Clock, idleMs: number) {
    this.#outer = outer;
    this.#clock = clock;
    this.#idleMs = idleMs;
    this.signal = AbortSignal.any([outer, this.#silence.signal]);
    this.touch();
  }

  get isStopped(): boolean {
    return this.#outer.aborted;
  }

  touch(): void {
    this.#timer?.dispose();
    if (this.signal.aborted) {
      return;
    }
    this.#timer = this.#clock.schedule(this.#idleMs, () => {
      this.isIdle = true;
      this.#silence.abort();
    });
  }

  dispose(): void {
    this.#timer?.dispose();
    // A consumer that leaves early must not leave a request behind.
    this.#silence.abort();
  }
}
