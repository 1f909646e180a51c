import type { ContextSuggestion } from '../../contract/chat/attachments.ts';
import type { ContextIntents } from './contextIntents.ts';
import type { OpenTrigger } from './suggestionTrigger.ts';

/** While somebody types on, nothing is looked for; the first character is answered at once. */
const pauseMs = 120;

let lastRequest = 0;

/** Questions to the host for one list: only the answer to the last one counts. */
export class SuggestionRequests {
  readonly #intents: Pick<ContextIntents, 'suggest' | 'leave'>;
  #current = 0;
  #asked = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(intents: Pick<ContextIntents, 'suggest' | 'leave'>) {
    this.#intents = intents;
  }

  /** What an answer has for what is typed by now; nothing when it answers something else. */
  fitting(requestId: number, items: readonly ContextSuggestion[], query: string): readonly ContextSuggestion[] | undefined {
    if (requestId !== this.#current) {
      return undefined;
    }
    // An answer to fewer letters comes late: the first of all would be taken for the first of those that fit.
    return query === this.#asked ? items : thatFit(items, query);
  }

  ask({ trigger, query }: OpenTrigger): void {
    clearTimeout(this.#timer);
    const send = (): void => {
      lastRequest += 1;
      this.#current = lastRequest;
      this.#asked = query;
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

/** Of what was found for fewer letters, until the answer for these is there: a quick Enter means that. */
export function thatFit(items: readonly ContextSuggestion[], query: string): readonly ContextSuggestion[] {
  return items.filter(({ name }) => hasLetters(name, query));
}

function hasLetters(name: string, query: string): boolean {
  let at = -1;
  return Array.from(query.toLowerCase()).every((letter) => (at = name.toLowerCase().indexOf(letter, at + 1)) >= 0);
}
