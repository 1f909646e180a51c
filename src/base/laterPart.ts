import { abortError, atMost } from './abort.ts';
import { Late } from './late.ts';
import { DisposableStore, type Disposable } from './lifecycle.ts';

export interface Part extends Disposable {
  start(): Promise<void>;
  /** What needs time to end, also of one that has not started. Calling it twice is harmless. */
  stop(): Promise<void>;
}

/** How long one that could not start may hold up the next. */
const maxStopMs = 10_000;

/** A part that is made and started when it is first wanted: once, anew when that failed, and never after the end. */
export class LaterPart<T extends Part> implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #started: Late<T>;
  #begun: T | undefined;
  #isOver = false;

  constructor(create: () => Promise<T>) {
    this.#started = new Late(() => this.#begin(create));
  }

  get(): Promise<T> {
    return this.#started.get();
  }

  /** Also of one that is still starting. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#begun?.stop();
  }

  dispose(): void {
    this.#isOver = true;
    this.#lifetime.dispose();
  }

  async #begin(create: () => Promise<T>): Promise<T> {
    this.#requireTime();
    const part = await create();
    try {
      this.#requireTime();
      this.#begun = this.#lifetime.add(part);
      await part.start();
      return part;
    } catch (error) {
      // The next one opens the same files: what this one has not written yet comes before.
      await Promise.allSettled([atMost(part.stop(), maxStopMs)]);
      this.#begun = undefined;
      this.#lifetime.release(part);
      part.dispose();
      throw error;
    }
  }

  #requireTime(): void {
    if (this.#isOver) {
      throw abortError();
    }
  }
}
