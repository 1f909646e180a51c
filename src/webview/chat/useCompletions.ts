import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChatIntents } from './chatIntents.ts';
import type { ChatStore } from './chatStore.ts';

const pauseMs = 150;
const maxShown = 20;

export interface Completions {
  readonly of: (argument: string) => readonly string[];
  readonly ask: (argument: string, values: Readonly<Record<string, string>>) => void;
  readonly close: () => void;
}

let lastRequest = 0;

/** What the server proposes for one argument at a time; only the answer to the last question counts. */
export function useCompletions(formId: string, store: ChatStore, intents: ChatIntents): Completions {
  const [found, setFound] = useState<{ readonly argument: string; readonly values: readonly string[] }>({ argument: '', values: [] });
  const [asked, timer] = [useRef({ id: 0, argument: '' }), useRef<number | undefined>(undefined)];
  useEffect(() => {
    const subscription = store.onCompletions(({ requestId, values }) => {
      if (requestId === asked.current.id) {
        setFound({ argument: asked.current.argument, values: values.slice(0, maxShown) });
      }
    });
    return () => {
      window.clearTimeout(timer.current);
      subscription.dispose();
    };
  }, [store, asked, timer]);
  return {
    of: (argument) => (found.argument === argument ? found.values : []),
    ask: (argument, values) => {
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(() => {
        lastRequest += 1;
        asked.current = { id: lastRequest, argument };
        intents.context.complete(lastRequest, formId, argument, values);
      }, pauseMs);
    },
    close: () => {
      window.clearTimeout(timer.current);
      asked.current = { id: 0, argument: '' };
      setFound({ argument: '', values: [] });
    },
  };
}
