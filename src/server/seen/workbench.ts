import type { Clock } from '../../base/clock.ts';

/**
 * The page of the VS Code window. The extension host may live on for minutes after the page was closed or reloaded, and waits while
 * the page hangs.
 */
export interface WorkbenchPort {
  /** Resolves when the page has answered; never if the page is gone. */
  ping(): Promise<void>;
}

/** How long a working page may take to answer. */
const maxAnswerMs = 2_000;
/** How long an answer counts, so that frequent questions cost nothing. */
const believedMs = 1_000;

/** Knows whether the page of the window still answers. At most one round trip to the page is under way, however many callers ask. */
export class Workbench {
  readonly #port: WorkbenchPort;
  readonly #clock: Clock;
  #ping: Promise<void> | undefined;
  #looking: Promise<boolean> | undefined;
  #known: { readonly answers: boolean; readonly until: number } | undefined;

  constructor(port: WorkbenchPort, clock: Clock) {
    this.#port = port;
    this.#clock = clock;
  }

  /** Whether the page answers; resolves within two seconds and never rejects. */
  answers(): Promise<boolean> {
    if (this.#known !== undefined && this.#clock.now() < this.#known.until) {
      return Promise.resolve(this.#known.answers);
    }
    this.#looking ??= this.#look();
    return this.#looking;
  }

  async #look(): Promise<boolean> {
    const answers = await this.#answersInTime();
    this.#known = { answers, until: this.#clock.now() + believedMs };
    this.#looking = undefined;
    return answers;
  }

  #answersInTime(): Promise<boolean> {
    return new Promise((resolve) => {
      const tooLate = this.#clock.schedule(maxAnswerMs, () => resolve(false));
      const answer = (answers: boolean): void => {
        tooLate.dispose();
        resolve(answers);
      };
      this.#pinged().then(
        () => answer(true),
        () => answer(false),
      );
    });
  }

  /** A ping that was not answered yet is not repeated: a page that comes back answers it. */
  #pinged(): Promise<void> {
    this.#ping ??= this.#port.ping().finally(() => (this.#ping = undefined));
    return this.#ping;
  }
}
