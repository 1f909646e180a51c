import { createContext } from 'preact';

/** Asks the host to open the definition that a question is about; the page provides it. */
export const ShowDefinitionContext = createContext<(askId: string) => void>(() => undefined);
