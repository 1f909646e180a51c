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
  /** At least one; they are answered together. */
  readonly files: readonly ProposedFile[];
}

export interface ProposedFile {
  readonly uri: vscode.Uri;
  /** As clients write it. */
  readonly path: string;
  readonly isNew: boolean;
  readonly before: string;
  readonly after: string;
  readonly languageId?: string | undefined;
}

/** `texts` in the order of the files: the person may have changed them. */
export type ReviewAnswer =
  { readonly kind: 'accepted'; readonly texts: readonly string[] } | { readonly kind: 'rejected'; readonly reason?: string | undefined };
