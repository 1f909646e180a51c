import { createContext } from 'preact';
import type { FileReference } from '../../contract/fileReference.ts';

/** What a person can ask for inside shown text. Each is an intent to the host; the page itself opens and copies nothing. */
export interface PageActions {
  openLink(href: string): void;
  openFile(reference: FileReference): void;
  copyCode(text: string): void;
  insertCode(text: string): void;
}

export const PageActionsContext = createContext<PageActions>({
  openLink: () => {},
  openFile: () => {},
  copyCode: () => {},
  insertCode: () => {},
});
