import type { Clock } from '../base/clock.ts';
import type { Late } from '../base/late.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';

export interface KeptMessagesOptions<T> {
  /** Without it no message can be read. */
  readonly needed: Late<T>;
  readonly hear: (needed: T, raw: unknown) => void;
  readonly tell: (error: unknown) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** No page says so much before it has an answer. */
const maxKept = 100;
/** A page that said all it has to say waits for an answer: nothing else would make it be heard. */
const retryMs: readonly number[] = [1_000, 5_000, 30_000];

/** What a page says before it can be read: heard in its order as soon as it can. */
export class KeptMessages<T> implements Disposable {
  readonly #options: KeptMessagesOptions<T>;
  readonly #kept: unknown[] = [];
  #retry: Disposable | undefined;
  #isLoading = false;
  #isOver = false;

  constructor(options: KeptMessagesOptions<T>) {
    this.#options = options;
  }

  receive(raw: unknown): void {
    const { needed, log } = this.#options;
    if (this.#kept.length < maxKept || needed.made !== undefined) {
      this.#kept.push(raw);
    } else {
      log.warn('A page sent more than can be kept until it can be read; it was dropped.');
    }
    if (needed.made !== undefined) {
      this.#hearAll(needed.made);
    } else if (!this.#isLoading) {
      void this.#load(retryMs);
    }
  }

  dispose(): void {
    this.#isOver = true;
    this.#retry?.dispose();
  }

  /** Never rejects. The person is told once, not of every further attempt. */
  async #load(retries: readonly number[]): Promise<void> {
    const { needed, tell, clock } = this.#options;
    this.#retry?.dispose();
    this.#isLoading = true;
    try {
      this.#hearAll(await needed.get());
    } catch (error) {
      const [next, ...others] = retries;
      if (retries === retryMs) {
        tell(error);
      }
      if (next !== undefined && !this.#isOver) {
        this.#retry = clock.schedule(next, () => void this.#load(others));
      }
    } finally {
      this.#isLoading = false;
    }
  }

  #hearAll(needed: T): void {
    this.#retry?.dispose();
    for (const raw of this.#kept.splice(0)) {
      if (!this.#isOver) {
        this.#options.hear(needed, raw);
      }
    }
  }
}
