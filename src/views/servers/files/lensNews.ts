import { type Clock, systemClock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/lifecycle.ts';

export interface LensNewsOptions {
  /** Everything that the lenses say now. */
  look(): string;
  /** Has them drawn anew; false when nobody draws any. */
  tell(): boolean;
  readonly clock?: Clock | undefined;
}

/** Changes this close together, in ms, are told once: lenses that are drawn for each of them flicker. */
const newsMs = 150;

/** Tells that lenses would say something else now. Servers change far more often than that, many of them at once. */
export class LensNews implements Disposable {
  readonly #options: LensNewsOptions;
  #told: string;
  #soon: Disposable | undefined;

  constructor(options: LensNewsOptions) {
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
