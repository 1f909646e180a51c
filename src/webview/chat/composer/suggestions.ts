import { useEffect, useRef, useState } from 'preact/hooks';
import type { ContextSuggestion, SuggestionTrigger } from '../../../contract/chat/attachments.ts';
import type { ChatIntents, ContextIntents } from '../chatIntents.ts';
import type { ChatStore } from '../chatStore.ts';
import { commandsFor, type ShownSuggestion } from './chatCommands.ts';

export interface Suggestions {
  /** The suggestions to show; empty when there is no list. */
  readonly items: readonly ShownSuggestion[];
  readonly active: number;
  readonly trigger: OpenTrigger | undefined;
  /** Updates the suggestions for the text at the caret; it must be called after every change of either. */
  readonly look: (text: string, caret: number) => void;
  readonly move: (step: number) => void;
  readonly point: (index: number) => void;
  /** Closes the list until another trigger is typed. */
  readonly dismiss: () => void;
}

interface Shown {
  readonly trigger: OpenTrigger | undefined;
  /** What the host found. */
  readonly items: readonly ContextSuggestion[];
  readonly active: number;
}

const nothing: Shown = { trigger: undefined, items: [], active: 0 };

/** Asks the host for suggestions that fit what is typed after `@`, `/` or `#`. */
export function useSuggestions(store: ChatStore, intents: ChatIntents): Suggestions {
  const [shown, setShown] = useState<Shown>(nothing);
  const [requests] = useState(() => new SuggestionRequests(intents.context));
  const dismissedAt = useRef<number | undefined>(undefined);
  useEffect(() => {
    const subscription = store.onSuggestions(({ requestId, items }) => {
      setShown((now) => {
        const fitting = requests.fitting(requestId, items, now.trigger?.query ?? '');
        // Who has moved to one of the chat's own commands meanwhile stays there.
        const own = commandsFor(now.trigger?.trigger, now.trigger?.query ?? '').length;
        return fitting === undefined ? now : { ...now, items: fitting, active: now.active < own ? now.active : 0 };
      });
    });
    return () => {
      requests.cancel();
      subscription.dispose();
    };
  }, [store, requests]);

  const close = (at: number | undefined): void => {
    dismissedAt.current = at;
    requests.cancel();
    setShown(nothing);
  };
  const look = (text: string, caret: number): void => {
    const found = findTrigger(text, caret);
    if (found === undefined || found.start === dismissedAt.current) {
      close(found?.start);
    } else if (!isSame(found, shown.trigger)) {
      dismissedAt.current = undefined;
      const items = shown.trigger?.start === found.start ? thatFit(shown.items, found.query) : [];
      setShown({ trigger: found, items, active: 0 });
      requests.ask(found);
    }
  };
  const items = allItems(shown);
  return {
    ...shown,
    items,
    look,
    move: (step) => setShown((now) => ({ ...now, active: (now.active + step + items.length) % Math.max(1, items.length) })),
    point: (index) => setShown((now) => ({ ...now, active: index })),
    dismiss: () => close(shown.trigger?.start),
  };
}

/** The commands of the chat itself come first: they are there at once, and what the host finds never moves them. */
function allItems({ trigger, items }: Shown): readonly ShownSuggestion[] {
  return [...commandsFor(trigger?.trigger, trigger?.query ?? ''), ...items];
}

/** Whether the trigger is the same: a moving caret is reported as often as a key. */
function isSame(one: OpenTrigger, other: OpenTrigger | undefined): boolean {
  return one.start === other?.start && one.query === other.query && one.trigger === other.trigger;
}

/** The pause in typing, in ms, before the host is asked; the first character asks at once. */
const pauseMs = 120;

let lastRequest = 0;

/** The requests to the host for one list of suggestions: only the answer to the last one counts. */
export class SuggestionRequests {
  readonly #intents: Pick<ContextIntents, 'suggest' | 'leave'>;
  #current = 0;
  #asked = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(intents: Pick<ContextIntents, 'suggest' | 'leave'>) {
    this.#intents = intents;
  }

  /** The suggestions of an answer that fit what is typed by now; undefined when it answers an older request. */
  fitting(requestId: number, items: readonly ContextSuggestion[], query: string): readonly ContextSuggestion[] | undefined {
    if (requestId !== this.#current) {
      return undefined;
    }
    // An answer for fewer letters comes late: its first suggestion would be taken for the first one that fits.
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

  /** Cancels the request: nobody wants to see the list any more. */
  cancel(): void {
    clearTimeout(this.#timer);
    if (this.#current !== 0) {
      this.#current = 0;
      this.#intents.leave();
    }
  }
}

/** The suggestions for fewer letters that still fit, until the answer for these letters is there: a quick Enter means one of them. */
function thatFit(items: readonly ContextSuggestion[], query: string): readonly ContextSuggestion[] {
  return items.filter(({ name }) => hasLetters(name, query));
}

function hasLetters(name: string, query: string): boolean {
  let at = -1;
  return Array.from(query.toLowerCase()).every((letter) => (at = name.toLowerCase().indexOf(letter, at + 1)) >= 0);
}

/** A character that opens suggestions, and what is typed after it up to the caret. */
interface OpenTrigger {
  readonly trigger: SuggestionTrigger;
  readonly query: string;
  /** The position of the character in the text. */
  readonly start: number;
  readonly end: number;
}

/** How many characters before the caret are searched for a trigger. */
const maxQuery = 100;

/**
 * Finds the trigger at the caret: `@` and `#` at the beginning of a word, `/` at the beginning of the message. Anywhere else the
 * character is part of a path or a sum.
 */
export function findTrigger(text: string, caret: number): OpenTrigger | undefined {
  const near = text.slice(Math.max(0, caret - maxQuery), caret);
  const found = /(?:^|[\s([{"'“‘])([@#/])([^\s@#]*)$/u.exec(near);
  const [trigger, query] = [found?.[1], found?.[2]];
  if (trigger === undefined || query === undefined) {
    return undefined;
  }
  const start = caret - query.length - 1;
  if (trigger === '/' && text.slice(0, start).trim() !== '') {
    return undefined;
  }
  return { trigger: trigger as SuggestionTrigger, query, start, end: caret };
}

export interface EditedText {
  readonly text: string;
  readonly caret: number;
}

/**
 * Replaces the trigger by the name of what was chosen. Alone in the message it leaves nothing, since the chip says it; within a
 * sentence the name stays, or the sentence would lose a word.
 */
export function replaceTrigger(text: string, { start, end }: Pick<OpenTrigger, 'start' | 'end'>, name: string): EditedText {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const isAlone = before.trim() === '' && after.trim() === '';
  const left = isAlone || name === '' ? '' : after.startsWith(' ') ? name : `${name} `;
  return { text: isAlone ? '' : `${before}${left}${after}`, caret: isAlone ? 0 : before.length + left.length };
}

/** Inserts a trigger for the Attach button, as if the person had typed it at the caret. */
export function insertTrigger(text: string, caret: number, trigger: SuggestionTrigger): EditedText {
  const before = text.slice(0, caret);
  const space = before === '' || /\s$/u.test(before) ? '' : ' ';
  return { text: `${before}${space}${trigger}${text.slice(caret)}`, caret: caret + space.length + 1 };
}
