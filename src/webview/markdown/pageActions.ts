import { createContext } from 'preact';
import type { FileReference } from '../../contract/fileReference.ts';

/** What a person can ask for inside shown text. Each is an intent to the host; the page itself opens and copies nothing. */
export interface PageActions {
  openLink(href: string): void;
  /** Of the server whose result is shown; a page that cannot has none. */
  readonly openResource?: ((uri: string) => void) | undefined;
  openFile(reference: FileReference): void;
  copyCode(text: string): void;
  insertCode(text: string): void;
  /** `path`: as the block names its file. */
  applyCode(itemId: string, text: string, path: string | undefined): void;
  runCode(itemId: string, text: string): void;
}

/** The answer that a text is part of, once it is finished: what a person does with its code is shown below it. */
export const AnswerContext = createContext<string | undefined>(undefined);

export const PageActionsContext = createContext<PageActions>({
  openLink: () => {},
  openFile: () => {},
  copyCode: () => {},
  insertCode: () => {},
  applyCode: () => {},
  runCode: () => {},
});
