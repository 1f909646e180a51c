import type { Event } from '../../../base/events.ts';
import type { TextRange } from './textRange.ts';

/** The text of open documents and workspace files, and what the person has selected. */
export interface DocumentsPort {
  /**
   * With unsaved changes: whole, or the part that `choose` picks of the whole. Rejects with `editor.pathNotFound`,
   * `editor.binary` or `editor.tooLarge`.
   */
  read(path: string, signal: AbortSignal, choose?: ChoosePart): Promise<DocumentText>;
  /** Rejects with `editor.pathNotFound` like `read`, without reading. */
  check(path: string): Promise<void>;
  /** Of the last active text editor, also while something else has the focus; none when that was closed. */
  getSelection(): EditorSelection | undefined;
  /** Everything that is open, shown in a tab or not. */
  listDocuments(): readonly OpenDocument[];
  /** Client paths of workspace files that begin like this, sorted. */
  findPaths(query: PathQuery, signal: AbortSignal): Promise<FoundPaths>;
  /** Fires when `read` would answer otherwise; a file is watched while somebody listens. */
  changesOf(path: string): Event<void>;
  readonly onDidChangeSelection: Event<void>;
  /** A document was opened, closed or renamed. */
  readonly onDidChangeDocuments: Event<void>;
}

/** From a character to another, which is not part of it. */
export interface TextPart {
  readonly from: number;
  readonly to: number;
}

export type ChoosePart = (whole: string) => TextPart;

export interface PathQuery {
  readonly prefix: string;
  readonly limit: number;
  /** Asked before anything is counted, so that the limit tells nothing of what is withheld. */
  readonly isShown?: ((path: string) => boolean) | undefined;
}

export interface FoundPaths {
  readonly paths: readonly string[];
  /** False when the limit or the time was over before everything was looked at. */
  readonly isComplete: boolean;
}

export interface DocumentText {
  readonly path: string;
  readonly uri: string;
  readonly text: string;
  readonly languageId: string;
  /** Of the open document; for a file that is not open, a number that changes with it. */
  readonly version: number;
  readonly isDirty: boolean;
  /** Where a file's text was really read, links resolved after it was opened. Not for clients. */
  readonly realPath?: string | undefined;
}

export interface EditorSelection {
  readonly path: string;
  readonly uri: string;
  readonly languageId: string;
  /** The main one first. */
  readonly selections: readonly { readonly range: TextRange; readonly text: string }[];
}

export interface OpenDocument {
  readonly path: string;
  readonly uri: string;
  readonly languageId: string;
}
