import type * as vscode from 'vscode';
import type { Author, MessageLevel } from '../../server/seen/ports/actingPort.ts';

/** What acting needs of the views: all of it that people see. */
export interface ActingViews {
  readonly reviews: ReviewPort;
  readonly notices: NoticePort;
}

/** Where the person reviews what clients want to change. */
export interface ReviewPort {
  /** Settles with the person's answer; rejects with an AbortError when `signal` withdraws the question. */
  review(change: ProposedChange, signal: AbortSignal): Promise<ReviewAnswer>;
  /** An accepted change was not made because these files changed in the meantime. */
  tellChanged(author: Author, paths: readonly string[]): void;
  /** An accepted change could not be made, and left nothing behind, or something. */
  tellNotMade(author: Author, isTakenBack: boolean): void;
}

/** Where clients show up without asking anything. */
export interface NoticePort {
  showMessage(author: Author, level: MessageLevel, message: string): void;
  /** How a terminal is called that runs a client's command. */
  terminalName(author: Author): string;
  /** Of an entry in VS Code's own preview of changes. */
  changeLabel(author: Author): string;
}

export interface ProposedChange {
  readonly author: Author;
  readonly description?: string | undefined;
  /** The client would like it saved: the person can accept and save at once. */
  readonly asksToSave: boolean;
  /** At least one; what is accepted of them is made together. */
  readonly files: readonly ProposedFile[];
}

export interface ProposedFile {
  /** `move`: with or without another text. */
  readonly kind: 'change' | 'create' | 'delete' | 'move' | 'cell';
  readonly uri: vscode.Uri;
  /** As clients write it. */
  readonly path: string;
  /** Of a move, as clients write it. */
  readonly newPath?: string | undefined;
  /** Of a notebook, from 0. */
  readonly cell?: number | undefined;
  /** False when there is nothing that could be shown as text. */
  readonly isText: boolean;
  readonly before: string;
  readonly after: string;
  /** The person's own text in the file, or in other cells of the notebook, which the diff does not tell from what is on disk. */
  readonly hasUnsaved?: boolean | undefined;
  readonly languageId?: string | undefined;
}

/** In the order of the files. */
export type ReviewAnswer = readonly FileAnswer[];

/** `text`: the person may have changed it. */
export type FileAnswer =
  | { readonly kind: 'accepted'; readonly text: string; readonly isToBeSaved: boolean }
  | { readonly kind: 'rejected'; readonly reason?: string | undefined };
