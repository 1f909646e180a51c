import type { Event } from '../../../base/events.ts';

/** The text of open documents and workspace files, and what the person has selected. */
export interface DocumentsPort {
  /**
   * With unsaved changes: whole, or the part that `choose` picks of the whole. Rejects with `editor.pathNotFound`,
   * `editor.isFolder`, `editor.binary` or `editor.tooLarge`.
   */
  read(path: string, signal: AbortSignal, choose?: ChoosePart): Promise<DocumentText>;
  /** `undefined` for what is no image, whatever its name says. Rejects like `read`, and with `editor.imageTooLarge`. */
  readImage(path: string, signal: AbortSignal): Promise<ImageFile | undefined>;
  /** Rejects with `editor.pathNotFound` like `read`, without reading. */
  check(path: string): Promise<void>;
  /** Of the last active text editor, also while something else has the focus; none when that was closed. */
  getSelection(): EditorSelection | undefined;
  /** The texts of the parts that `choose` makes of what is selected, in the same order; it may leave out the last ones. */
  readSelection(choose: ChooseSelected): Promise<SelectedTexts | undefined>;
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

/** Of the whole document, and of it what is selected, the main part first. */
export type ChooseSelected = (whole: string, selected: readonly TextPart[]) => readonly TextPart[];

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
  /** Of the whole text: opaque, equal for equal texts whether or not they are open. */
  readonly version: string;
  readonly isDirty: boolean;
  /** Set when the file is in another encoding than it was read in: U+FFFD stands for what could not be read, and it cannot be changed. */
  readonly isLossy?: true;
  /** Where a file's text was really read, links resolved after it was opened. Not for clients. */
  readonly realPath?: string | undefined;
}

export interface ImageFile {
  readonly path: string;
  readonly mimeType: string;
  /** In bytes. */
  readonly size: number;
  readonly base64: string;
  readonly version: string;
  /** As of a text. */
  readonly realPath?: string | undefined;
}

/** Where it is, and no text: it changes with every step of the cursor, and a whole file may be selected. */
export interface EditorSelection {
  readonly path: string;
  readonly uri: string;
  readonly languageId: string;
  /** Of the document. */
  readonly version: number;
  /** The main one first. A cursor is empty. */
  readonly ranges: readonly TextRange[];
}

export interface SelectedTexts extends EditorSelection {
  readonly texts: readonly string[];
}

export interface OpenDocument {
  readonly path: string;
  readonly uri: string;
  readonly languageId: string;
}

/** 1-based; the end is exclusive. */
export interface TextRange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}
