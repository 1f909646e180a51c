import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ProposedChange } from '../editor/acting/actingViews.ts';
import type { Author } from '../server/seen/ports/actingPort.ts';
import { nativeText } from './nativeText.ts';

const maxNameLength = 60;

/** Everything a person reads about what clients want to change. All of it comes from outside. */
export function authorName({ name }: Author): string {
  const shown = nativeText(name, maxNameLength);
  return shown === '' ? vscode.l10n.t('An unnamed program') : shown;
}

/** In a sentence. */
export function quotedAuthor(author: Author): string {
  return nativeText(author.name) === '' ? authorName(author) : `“${authorName(author)}”`;
}

/** Of the tab with file `index` of the change. */
export function tabTitle({ author, files }: ProposedChange, index: number): string {
  const name = nativeText(path.posix.basename(files[index]?.path ?? ''), maxNameLength);
  const by = authorName(author);
  if (files.length > 1) {
    return vscode.l10n.t('{0} (proposed by {1}, {2} of {3})', name, by, index + 1, files.length);
  }
  return files[index]?.isNew === true
    ? vscode.l10n.t('{0} (new file proposed by {1})', name, by)
    : vscode.l10n.t('{0} (proposed by {1})', name, by);
}

/** The one sentence about a change: who, what, why. */
export function proposalSentence(change: ProposedChange): string {
  const by = quotedAuthor(change.author);
  const what = filesOf(change);
  const why = nativeText(change.description ?? '', 300);
  return why === ''
    ? vscode.l10n.t('{0} proposes a change to {1}.', by, what)
    : vscode.l10n.t('{0} proposes a change to {1}: {2}', by, what, why);
}

export function stillOpenSentence(change: ProposedChange): string {
  return vscode.l10n.t('The change that {0} proposed to {1} still waits for your answer.', quotedAuthor(change.author), filesOf(change));
}

export function changedSentence(author: Author, paths: readonly string[]): string {
  const files = nativeText(paths.join(', '), 200);
  return vscode.l10n.t('{0} changed after {1} had proposed its change. Nothing was applied.', files, quotedAuthor(author));
}

/** Of an entry in VS Code's own preview of changes. */
export function changeLabel(author: Author): string {
  return vscode.l10n.t('Proposed by {0}', authorName(author));
}

export function filesOf({ files }: ProposedChange): string {
  return files.length === 1 ? nativeText(files[0]?.path ?? '', 120) : vscode.l10n.t('{0} files', files.length);
}

/** Plain text, with the client's name first, so that nobody takes it for VS Code's or Duplex's own words. */
export function messageSentence(author: Author, message: string): string {
  return `${authorName(author)}: ${nativeText(message, 500)}`;
}
