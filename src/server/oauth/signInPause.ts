import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/events.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';

/** How many questions about new programs can be refused, one after the other, before all new ones wait. */
const refusalsBeforePause = 3;
/** The first pause; it doubles with each further refusal, up to `maxPauseMs`. */
const firstPauseMs = 60_000;
/** The longest pause before a new program can ask. */
const maxPauseMs = 60 * 60_000;

/**
 * The time in which no program that was never approved can ask to sign in. A program can register again under another name, so a
 * limit for each would be none: after some refusals all of them wait, until the person lets the next one ask.
 */
export class SignInPause implements Disposable {
  readonly #clock: Clock;
  readonly #owned = new DisposableStore();
  readonly #changed = this.#owned.add(new Emitter<void>());
  #refusals = 0;
  #notBefore = -Infinity;
  #end: Disposable | undefined;

  /** Fires when a pause begins or ends. */
  readonly onDidChange = this.#changed.event;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How long new programs have to wait still, in ms; 0 if they can ask. */
  get remainingMs(): number {
    return Math.max(0, this.#notBefore - this.#clock.now());
  }

  /** Counts a question about a new program that the person refused, or that was withdrawn before they answered. */
  refused(): void {
    const now = this.#clock.now();
    const hasBeenQuiet = now - this.#notBefore > 2 * maxPauseMs && this.#notBefore > -Infinity;
    this.#refusals = hasBeenQuiet ? 1 : this.#refusals + 1;
    const further = this.#refusals - refusalsBeforePause;
    if (further >= 0) {
      this.#wait(Math.min(firstPauseMs * 2 ** further, maxPauseMs));
    }
  }

  /** A program was allowed, so the questions are wanted. */
  allowed(): void {
    this.#refusals = 0;
    this.#wait(0);
  }

  /** Ends the pause. It comes back, and longer, when the next one is refused, too. */
  letNextAsk(): void {
    this.#wait(0);
  }

  dispose(): void {
    this.#end?.dispose();
    this.#owned.dispose();
  }

  #wait(ms: number): void {
    this.#end?.dispose();
    this.#end = ms === 0 ? undefined : this.#clock.schedule(ms, () => this.#changed.fire());
    this.#notBefore = this.#clock.now() + ms;
    this.#changed.fire();
  }
}
