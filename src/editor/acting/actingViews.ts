import type * as vscode from 'vscode';
import type { Author, MessageLevel } from '../../server/seen/ports/actingPort.ts';

/** What acting needs of the views: everything about it that people see. */
export interface ActingViews {
  readonly reviews: ReviewPort;
  readonly notices: NoticePort;
}

/** Where the person reviews what clients want to change. */
export interface ReviewPort {
  /** The promise settles with the person's answer, and rejects with an AbortError when `signal` withdraws the question. */
  review(change: ProposedChange, signal: AbortSignal): Promise<ReviewAnswer>;
  /** Tells the person that an accepted change was not made because these files changed in the meantime. */
  tellChanged(author: Author, paths: readonly string[]): void;
  /** Tells the person that an accepted change could not be made. `isTakenBack`: nothing of it is left. */
  tellNotMade(author: Author, isTakenBack: boolean): void;
}

/** Where clients show up in the window without asking anything. */
export interface NoticePort {
  showMessage(author: Author, level: MessageLevel, message: string): void;
  /** The name of a terminal that runs a client's command. */
  terminalName(author: Author): string;
  /** The label of an entry in VS Code's own preview of changes. */
  changeLabel(author: Author): string;
}

export interface ProposedChange {
  readonly author: Author;
  readonly description?: string | undefined;
  /** The client would like the files saved: the person can accept and save at once. */
  readonly asksToSave: boolean;
  /** There is at least one file. What is accepted of them is made together. */
  readonly files: readonly ProposedFile[];
}

export interface ProposedFile {
  /** A move may change the text, too. */
  readonly kind: 'change' | 'create' | 'delete' | 'move' | 'cell';
  readonly uri: vscode.Uri;
  /** The path as clients write it. */
  readonly path: string;
  /** The path after a move, as clients write it. */
  readonly newPath?: string | undefined;
  /** The index of a notebook's cell, from 0. */
  readonly cell?: number | undefined;
  /** Whether the file can be shown as text. */
  readonly isText: boolean;
  readonly before: string;
  readonly after: string;
  /**
   * The file, or another cell of the notebook, has unsaved text of the person's, which the diff does not tell from what is on
   * disk.
   */
  readonly hasUnsaved?: boolean | undefined;
  readonly languageId?: string | undefined;
}

/** One answer for each file, in the order of the files. */
export type ReviewAnswer = readonly FileAnswer[];

/** `text` is what the person left of the proposal: they may have changed it. */
export type FileAnswer =
  | { readonly kind: 'accepted'; readonly text: string; readonly isToBeSaved: boolean }
  | { readonly kind: 'rejected'; readonly reason?: string | undefined };
