import type { Event } from '../../../base/events.ts';

/** Says whether a client may see a path. Where a file is opened, it is asked about where that really led. */
export type IsShown = (path: string) => boolean;

/** The texts of open documents and workspace files, and what the person has selected. */
export interface DocumentsPort {
  /**
   * Reads a text with its unsaved changes: all of it, or the part that `choose` picks. Rejects with `editor.pathNotFound`,
   * `editor.isFolder`, `editor.binary` or `editor.tooLarge`.
   */
  read(path: string, signal: AbortSignal, choose?: ChoosePart): Promise<DocumentText>;
  /**
   * Reads an image; returns `undefined` if the content is no image, whatever its name says. Rejects like `read`, and with
   * `editor.imageTooLarge`.
   */
  readImage(path: string, signal: AbortSignal): Promise<ImageFile | undefined>;
  /** Rejects with `editor.pathNotFound` like `read` would, without reading the text. */
  check(path: string): Promise<void>;
  /**
   * The selection of the text editor that was active last, also while something else has the focus; `undefined` if that editor was
   * closed.
   */
  getSelection(): EditorSelection | undefined;
  /**
   * Reads the parts that `choose` makes of the selections, in the same order; it may leave out the last ones. `isShown` is asked
   * about where the file really is.
   */
  readSelection(choose: ChooseSelected, isShown?: IsShown): Promise<SelectedTexts | undefined>;
  /** All open documents, whether or not they are shown in a tab. */
  listDocuments(): readonly OpenDocument[];
  /** Finds the client paths of workspace files that begin with a prefix, sorted. */
  findPaths(query: PathQuery, signal: AbortSignal): Promise<FoundPaths>;
  /** Fires when the result of `read` changes; the file is watched while somebody listens. */
  changesOf(path: string): Event<void>;
  /** A text that is another one once the file on the disk, or its unsaved text, is another one. */
  stateOf(path: string): string;
  readonly onDidChangeSelection: Event<void>;
  /** Fires when a document is opened, closed or renamed. */
  readonly onDidChangeDocuments: Event<void>;
}

/** A part of a text; `to` is exclusive. */
export interface TextPart {
  readonly from: number;
  readonly to: number;
}

export type ChoosePart = (whole: string) => TextPart;

/** Chooses parts of the document, given its whole text and the selections, the main one first. */
export type ChooseSelected = (whole: string, selected: readonly TextPart[]) => readonly TextPart[];

export interface PathQuery {
  readonly prefix: string;
  readonly limit: number;
  /**
   * Says whether a path is shown to the client. It is called before anything is counted, so that limits reveal nothing about
   * withheld files.
   */
  readonly isShown?: IsShown | undefined;
}

export interface FoundPaths {
  readonly paths: readonly string[];
  /** Whether everything was searched, before the limit was reached or the time was over. */
  readonly isComplete: boolean;
}

export interface DocumentText {
  readonly path: string;
  readonly uri: string;
  readonly text: string;
  readonly languageId: string;
  /** An opaque version of the whole text, equal for equal texts whether or not they are open. */
  readonly version: string;
  readonly isDirty: boolean;
  /**
   * Set if the file has another encoding than it was read with. U+FFFD then stands for what could not be read, and the file cannot
   * be changed.
   */
  readonly isLossy?: true;
  /** Set if the text is unsaved, and its file was changed or removed by somebody else since VS Code read it. */
  readonly onDisk?: 'changed' | 'gone';
  /** The path from which the text was really read, with links resolved after the file was opened. It is not shown to clients. */
  readonly realPath?: string | undefined;
}

export interface ImageFile {
  readonly path: string;
  readonly mimeType: string;
  /** The size in bytes. */
  readonly size: number;
  readonly base64: string;
  readonly version: string;
  /** Like the `realPath` of a text. */
  readonly realPath?: string | undefined;
}

/** Where something is selected. It has no text, because it changes with every step of the cursor, and a whole file may be selected. */
export interface EditorSelection {
  readonly path: string;
  readonly uri: string;
  readonly languageId: string;
  /** The version of the document. */
  readonly version: number;
  /** The selected ranges, the main one first. A cursor is an empty range. */
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

/** A range of a text. Lines and characters count from 1; the end is exclusive. */
export interface TextRange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}
