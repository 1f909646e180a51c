import { toDisposable, type Disposable } from '../base/lifecycle.ts';

/** The calls that run in a chat, each to be stopped for itself: the answer and its other calls go on. */
export class RunningCalls {
  readonly #stops = new Map<string, () => void>();

  /** Until it is disposed. */
  add(partId: string, stop: () => void): Disposable {
    this.#stops.set(partId, stop);
    return toDisposable(() => this.#stops.delete(partId));
  }

  /** Nothing happens when it is over. */
  stop(partId: string): void {
    this.#stops.get(partId)?.();
  }
}
