import type { Clock } from '../../base/clock.ts';

/** The window's own page. Its extensions may live on for minutes after it was closed or reloaded, and wait while it hangs. */
export interface WorkbenchPort {
  /** Settles when the page has answered; for a page that is gone, never. */
  ping(): Promise<void>;
}

/** How long a page that works may take to say so. */
const maxAnswerMs = 2_000;
/** How long that is believed: whoever asks may ask as often as they like. */
const believedMs = 1_000;

/** Knows whether the window's page still answers. However many ask, at most one round trip to it is under way. */
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

  /** Within two seconds. Never rejects. */
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

  /** One that was not answered yet is not sent again: a page that comes back answers it. */
  #pinged(): Promise<void> {
    this.#ping ??= this.#port.ping().finally(() => (this.#ping = undefined));
    return this.#ping;
  }
}
