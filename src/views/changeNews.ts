import { type Clock, systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/lifecycle.ts';

export interface ChangeNewsOptions {
  /** Everything that is shown now. */
  look(): string;
  /** Has it drawn anew; false when nobody draws it. */
  tell(): boolean;
  readonly clock?: Clock | undefined;
}

/** Changes this close together, in ms, are told once: what is drawn for each of them flickers. */
const newsMs = 150;

/** Tells that something would look different now. Servers change far more often than what is shown of them, many of them at once. */
export class ChangeNews implements Disposable {
  readonly #options: ChangeNewsOptions;
  #told: string;
  #soon: Disposable | undefined;

  constructor(options: ChangeNewsOptions) {
    this.#options = options;
    this.#told = options.look();
  }

  /** To be called when any server has changed. */
  note(): void {
    this.#soon ??= (this.#options.clock ?? systemClock).schedule(newsMs, () => {
      this.#soon = undefined;
      const now = this.#options.look();
      if (now !== this.#told && this.#options.tell()) {
        this.#told = now;
      }
    });
  }

  dispose(): void {
    this.#soon?.dispose();
  }
}
