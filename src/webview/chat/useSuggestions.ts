import { useEffect, useRef, useState } from 'preact/hooks';
import type { ContextSuggestion } from '../../contract/chat/attachments.ts';
import type { ChatIntents } from './chatIntents.ts';
import type { ChatStore } from './chatStore.ts';
import { SuggestionRequests, thatFit } from './suggestionRequests.ts';
import { findTrigger, type OpenTrigger } from './suggestionTrigger.ts';

export interface Suggestions {
  /** Empty when there is no list to show. */
  readonly items: readonly ContextSuggestion[];
  readonly active: number;
  readonly trigger: OpenTrigger | undefined;
  /** After every change of the text or the caret. */
  readonly look: (text: string, caret: number) => void;
  readonly move: (step: number) => void;
  readonly point: (index: number) => void;
  /** Until another trigger is typed. */
  readonly dismiss: () => void;
}

interface Shown {
  readonly trigger: OpenTrigger | undefined;
  readonly items: readonly ContextSuggestion[];
  readonly active: number;
}

const nothing: Shown = { trigger: undefined, items: [], active: 0 };

/** Asks the host for what fits what is typed after `@`, `/` or `#`. */
export function useSuggestions(store: ChatStore, intents: ChatIntents): Suggestions {
  const [shown, setShown] = useState<Shown>(nothing);
  const [requests] = useState(() => new SuggestionRequests(intents.context));
  const dismissedAt = useRef<number | undefined>(undefined);
  useEffect(() => {
    const subscription = store.onSuggestions(({ requestId, items }) => {
      setShown((now) => {
        const fitting = requests.fitting(requestId, items, now.trigger?.query ?? '');
        return fitting === undefined ? now : { ...now, items: fitting, active: 0 };
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
  return {
    ...shown,
    look,
    move: (step) => setShown((now) => ({ ...now, active: (now.active + step + now.items.length) % Math.max(1, now.items.length) })),
    point: (index) => setShown((now) => ({ ...now, active: index })),
    dismiss: () => close(shown.trigger?.start),
  };
}

/** A caret that moves fires as often as a key. */
function isSame(one: OpenTrigger, other: OpenTrigger | undefined): boolean {
  return one.start === other?.start && one.query === other.query && one.trigger === other.trigger;
}
