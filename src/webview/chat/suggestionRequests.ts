import type { ContextIntents } from './contextIntents.ts';
import type { OpenTrigger } from './suggestionTrigger.ts';

/** While somebody types on, nothing is looked for; the first character is answered at once. */
const pauseMs = 120;

let lastRequest = 0;

/** Questions to the host for one list: only the answer to the last one counts. */
export class SuggestionRequests {
  readonly #intents: Pick<ContextIntents, 'suggest' | 'leave'>;
  #current = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(intents: Pick<ContextIntents, 'suggest' | 'leave'>) {
    this.#intents = intents;
  }

  isCurrent(requestId: number): boolean {
    return requestId === this.#current;
  }

  ask({ trigger, query }: OpenTrigger): void {
    clearTimeout(this.#timer);
    const send = (): void => {
      lastRequest += 1;
      this.#current = lastRequest;
      this.#intents.suggest(lastRequest, trigger, query);
    };
    if (query === '') {
      send();
    } else {
      this.#timer = setTimeout(send, pauseMs);
    }
  }

  /** Nobody wants to see it any more. */
  cancel(): void {
    clearTimeout(this.#timer);
    if (this.#current !== 0) {
      this.#current = 0;
      this.#intents.leave();
    }
  }
}
