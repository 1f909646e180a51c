import * as vscode from 'vscode';
import type { ChangeOrigin } from '../../server/seen/ports/actingPort.ts';
import { pathNotFound } from '../../base/pathNotFound.ts';
import { refuseLostCharacters } from '../documents/encodings.ts';
import { toClientPath } from '../shared/clientUris.ts';
import { editorError } from '../shared/editorErrors.ts';
import { cellDocument, isNewFile, isTextual, mayTouch, openText, targetOf, uriOf } from './changeParts.ts';
import type { FileChange } from './changeReview.ts';
import { isFree, openNotebook, refuseReadOnly, statOf } from './targets.ts';

/** A change, and what tells whether the file is still the one that was shown, where its text does not. */
export interface ShownChange {
  readonly change: FileChange;
  readonly mark: string | undefined;
}

export async function markShown(change: FileChange): Promise<ShownChange> {
  return { change, mark: change.kind === 'cell' ? undefined : await fileMark(change.uri) };
}

/** Rejects what nobody has to be asked about. */
export async function refuseImpossible(changes: readonly FileChange[], origin: ChangeOrigin): Promise<void> {
  for (const change of changes) {
    // A formatter or a language service may have taken its time since this was looked at.
    for (const uri of [uriOf(change), targetOf(change)]) {
      if (!mayTouch(uri, origin)) {
        throw pathNotFound(toClientPath(uri));
      }
    }
    if (change.kind !== 'delete' && (await origin.guard?.losesWithheld(change.before, change.after)) === true) {
      throw editorError('editor.withheldText');
    }
    await refuseUnwritable(change);
    if (change.kind === 'text' && (isNewFile(change) || change.before !== change.after)) {
      await refuseLostCharacters(change.uri, change.document, change.after);
    }
  }
}

/** The person answered about what they saw: another text is another question, and another file under its name too. */
export async function demandSame(
  shown: readonly ShownChange[],
  origin: ChangeOrigin,
  tell: (paths: readonly string[]) => void,
): Promise<void> {
  const isHidden = ({ change }: ShownChange): boolean => ![uriOf(change), targetOf(change)].every((uri) => mayTouch(uri, origin));
  const stale: string[] = [];
  for (const each of shown) {
    // A file that is withheld by now is not read; nor is what was read used, if it was while reading.
    if (isHidden(each) || !(await isSame(each)) || isHidden(each)) {
      stale.push(toClientPath(uriOf(each.change)));
    }
  }
  if (stale.length > 0) {
    tell(stale);
    const hidden = shown.find(isHidden);
    throw hidden === undefined
      ? editorError('editor.changedDuringReview', { path: stale.join('", "') })
      : pathNotFound(toClientPath(uriOf(hidden.change)));
  }
}

async function refuseUnwritable(change: FileChange): Promise<void> {
  const uri = uriOf(change);
  const path = toClientPath(uri);
  if (change.kind === 'text' && change.document !== undefined && change.before !== change.after) {
    await refuseReadOnly(change.document, path);
  } else if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) {
    throw editorError('editor.readOnly', { path });
  }
}

async function isSame({ change, mark }: ShownChange): Promise<boolean> {
  if (change.kind === 'cell') {
    // VS Code may have closed it since: what counts is the cell in its place.
    const notebook = await openNotebook(toClientPath(change.notebook.uri)).catch(() => undefined);
    return notebook !== undefined && change.index < notebook.cellCount && cellDocument(change).getText() === change.before;
  }
  if (isNewFile(change)) {
    return (await statOf(change.uri)) === undefined && !isOpen(change.uri);
  }
  const isUntouched = isTextual(change)
    ? (await openText(change.uri))?.getText() === change.before
    : mark !== undefined && (await fileMark(change.uri)) === mark;
  return isUntouched && (change.kind === 'delete' || change.moveTo === undefined || (await isFree(change.moveTo, change.uri)));
}

function isOpen(uri: vscode.Uri): boolean {
  return vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString() && !document.isClosed);
}

/** Of what is no text: the file, and what is unsaved of it. */
async function fileMark(uri: vscode.Uri): Promise<string | undefined> {
  const stat = await statOf(uri);
  const open = [...vscode.workspace.textDocuments, ...vscode.workspace.notebookDocuments];
  const unsaved = open.filter((document) => document.isDirty && document.uri.toString() === uri.toString());
  return stat === undefined ? undefined : [stat.mtime, stat.size, ...unsaved.map(({ version }) => version)].join(' ');
}
