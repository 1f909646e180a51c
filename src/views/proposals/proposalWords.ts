import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Asker } from '../../contract/questions/callKnowledge.ts';
import type { ProposedChange, ProposedFile } from '../../editor/acting/actingViews.ts';
import type { Author } from '../../server/seen/ports/actingPort.ts';
import { nativeText } from '../nativeText.ts';

/** The most characters of the name of whoever proposes a change, and of a file. */
const maxNameLength = 60;
/** The most characters of the description of a change. */
const maxDescriptionLength = 2_000;

/** The name of the client that proposes a change. Like every text in this file that is not ours, it is made safe to show. */
export function authorName({ name }: Author): string {
  const shown = nativeText(name, maxNameLength);
  return shown === '' ? vscode.l10n.t('An unnamed program') : shown;
}

/** Who wants a change that a part of Duplex itself proposes. */
export function askerName(asker: Asker): string {
  switch (asker.kind) {
    case 'model':
      return vscode.l10n.t('{0} in the chat', nativeText(asker.name, maxNameLength));
    case 'guide':
      return vscode.l10n.t('The offline guide in the chat');
    case 'person':
      return vscode.l10n.t('You, with Run Tool');
    case 'task':
      return vscode.l10n.t('The task {0}', nativeText(asker.name, maxNameLength));
    case 'app':
      return vscode.l10n.t('An app of {0}', nativeText(asker.name, maxNameLength));
    case 'command':
      return vscode.l10n.t('A key binding or another extension');
    case 'client':
      return nativeText(asker.name, maxNameLength);
  }
}

/** The name of the client within a sentence, in quotes. */
export function quotedAuthor(author: Author): string {
  return nativeText(author.name) === '' ? authorName(author) : vscode.l10n.t('“{0}”', authorName(author));
}

/** The title of the tab with file `index` of the change. */
export function tabTitle(change: ProposedChange, index: number): string {
  const { author, files } = change;
  const file = files[index];
  const by = authorName(author);
  const name = file === undefined ? '' : shortName(file);
  if (files.length === 1) {
    switch (file?.kind) {
      case 'create':
        return vscode.l10n.t('{0} (new file proposed by {1})', name, by);
      case 'delete':
        return vscode.l10n.t('{0} (deletion proposed by {1})', name, by);
      case 'move':
        return vscode.l10n.t('{0} (move proposed by {1})', name, by);
      case 'change':
      case 'cell':
      case undefined:
        return vscode.l10n.t('{0} (proposed by {1})', name, by);
    }
  }
  switch (file?.kind) {
    case 'create':
      return vscode.l10n.t('{0} (new file proposed by {1}, {2} of {3})', name, by, index + 1, files.length);
    case 'delete':
      return vscode.l10n.t('{0} (deletion proposed by {1}, {2} of {3})', name, by, index + 1, files.length);
    case 'move':
      return vscode.l10n.t('{0} (move proposed by {1}, {2} of {3})', name, by, index + 1, files.length);
    case 'change':
    case 'cell':
    case undefined:
      return vscode.l10n.t('{0} (proposed by {1}, {2} of {3})', name, by, index + 1, files.length);
  }
}

function shortName({ path: file, newPath, cell }: ProposedFile): string {
  const name = nativeText(path.posix.basename(file), maxNameLength);
  if (newPath !== undefined) {
    const isSameFolder = path.posix.dirname(file) === path.posix.dirname(newPath);
    return isSameFolder ? `${name} → ${nativeText(path.posix.basename(newPath), maxNameLength)}` : fromTo(file, newPath);
  }
  return cell === undefined ? name : vscode.l10n.t('{0}, cell {1}', name, cell + 1);
}

function fromTo(file: string, newPath: string): string {
  return `${nativeText(file, 120)} → ${nativeText(newPath, 120)}`;
}

/** The head of the thread at the first change of file `index`. */
export function threadLabel({ files }: ProposedChange, index: number): string {
  return files.length === 1 ? vscode.l10n.t('Proposed change') : vscode.l10n.t('Proposed change {0} of {1}', index + 1, files.length);
}

/** What the thread says: what happens to the file, why, and what an answer does. */
export function threadText(change: ProposedChange, index: number): string {
  const { files } = change;
  const file = files[index];
  const alsoSaves =
    change.asksToSave && file?.hasUnsaved === true && (file.kind === 'cell' || file.kind === 'change' || file.kind === 'move');
  const together = vscode.l10n.t('What you accept is made once every file has an answer.');
  return [
    file === undefined ? '' : fileSentence(file),
    alsoSaves ? vscode.l10n.t('Accepting and saving also saves your own unsaved changes of {0}.', nativeText(file.path, 120)) : '',
    descriptionOf(change, maxDescriptionLength),
    files.length > 1 ? together : '',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function fileSentence(file: ProposedFile): string {
  const name = nativeText(file.path, 120);
  switch (file.kind) {
    case 'create':
      return vscode.l10n.t('Creates {0}.', name);
    case 'delete':
      return file.isText ? vscode.l10n.t('Deletes {0}.', name) : vscode.l10n.t('Deletes {0}, which is not text.', name);
    case 'move': {
      const moved = fromTo(file.path, file.newPath ?? '');
      return file.before === file.after || !file.isText
        ? vscode.l10n.t('Moves {0}.', moved)
        : vscode.l10n.t('Moves and changes {0}.', moved);
    }
    case 'cell':
      return vscode.l10n.t('Changes cell {0} of {1}.', (file.cell ?? 0) + 1, name);
    case 'change':
      return vscode.l10n.t('Changes {0}.', name);
  }
}

/** Why the client wants it, in its own words; empty when it does not say. */
export function descriptionOf({ description = '' }: ProposedChange, maxLength: number): string {
  return nativeText(description, maxLength);
}

/** A sentence that says who proposes what. */
export function proposalSentence(change: ProposedChange): string {
  const by = quotedAuthor(change.author);
  const [file] = change.files;
  const what = filesOf(change);
  switch (change.files.length === 1 ? file?.kind : 'change') {
    case 'create':
      return vscode.l10n.t('{0} proposes a new file, {1}.', by, what);
    case 'delete':
      return vscode.l10n.t('{0} proposes to delete {1}.', by, what);
    case 'move':
      return vscode.l10n.t('{0} proposes to move {1}.', by, fromTo(file?.path ?? '', file?.newPath ?? ''));
    case 'change':
    case 'cell':
    case undefined:
      return vscode.l10n.t('{0} proposes a change to {1}.', by, what);
  }
}

export function stillOpenSentence(change: ProposedChange): string {
  return vscode.l10n.t('The change that {0} proposed to {1} still waits for your answer.', quotedAuthor(change.author), filesOf(change));
}

/** Says that `count` files of a change have not been seen yet. */
export function unseenSentence(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 file of the change has to be seen before all can be accepted.')
    : vscode.l10n.t('{0} files of the change have to be seen before all can be accepted.', count);
}

export function changedSentence(author: Author, paths: readonly string[]): string {
  const files = nativeText(paths.join(', '), 200);
  return vscode.l10n.t('{0} changed after {1} had proposed its change. Nothing was applied.', files, quotedAuthor(author));
}

export function notMadeSentence(author: Author, isTakenBack: boolean): string {
  const by = quotedAuthor(author);
  return isTakenBack
    ? vscode.l10n.t('The change that {0} proposed could not be made. Nothing was changed.', by)
    : vscode.l10n.t('The change that {0} proposed could be made and taken back only in part. Look at your files.', by);
}

/** The label of an entry in VS Code's own preview of changes. */
export function changeLabel(author: Author): string {
  return vscode.l10n.t('Proposed by {0}', authorName(author));
}

export function filesOf({ files }: ProposedChange): string {
  return files.length === 1 ? nativeText(files[0]?.path ?? '', 120) : vscode.l10n.t('{0} files', files.length);
}

/** A message of a client. The client's name comes first, so that nobody takes it for words of VS Code or Duplex. */
export function messageSentence(author: Author, message: string): string {
  return `${authorName(author)}: ${nativeText(message, 500)}`;
}
