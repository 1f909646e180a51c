import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import * as vscode from 'vscode';
import { neverAborted } from '../../../base/abort.ts';
import { isAppError, messageOf } from '../../../base/errors.ts';
import { pathNotFound } from '../../../platform/paths/clientPath.ts';
import type { ChangeGuard } from '../../../server/seen/ports/actingPort.ts';
import { checkedDocument, type CheckedLook, checkedNotebook } from '../../documents/checkedDocument.ts';
import { fromClientPath, toClientPath } from '../../shared/clientPlaces.ts';
import { editorError } from '../../shared/editorErrors.ts';
import { findNotebook, findTextDocument } from '../../shared/openDocuments.ts';
import { isSameEntry } from './diskEntries.ts';

/** Says what a client may touch; a document that turns out to be elsewhere looks absent. */
type Guard = Pick<ChangeGuard, 'mayTouch'> | undefined;

/** The document a client means, open or from disk. Unsaved text wins. */
export async function openDocument(path: string, guard: Guard): Promise<vscode.TextDocument> {
  const document = await findDocument(path, guard);
  if (document === undefined) {
    throw pathNotFound(path);
  }
  return document;
}

/** The document a client means, or `undefined` for a file that does not exist yet. */
export async function findDocument(path: string, guard: Guard): Promise<vscode.TextDocument | undefined> {
  const uri = fromClientPath(path);
  if (isNotebook(uri)) {
    throw editorError('editor.notebook', { path });
  }
  const open = findTextDocument(uri.toString());
  if (open !== undefined && (open.isDirty || uri.scheme !== 'file')) {
    return open;
  }
  const stat = await statOf(uri);
  if (stat === undefined) {
    return undefined;
  }
  if ((stat.type & vscode.FileType.Directory) !== 0) {
    throw editorError('editor.isFolder', { path });
  }
  try {
    return await checkedText(uri, guard);
  } catch (error) {
    if (isAppError(error)) {
      throw error;
    }
    throw editorError('editor.notText', { path, reason: messageOf(error) }, { cause: error });
  }
}

/** Opens a file as text, as it is on the disk; rejects like VS Code for what is no text. */
export function checkedText(uri: vscode.Uri, guard: Guard): Promise<vscode.TextDocument> {
  return checkedDocument(uri, checkedLook(uri, guard));
}

function checkedLook(uri: vscode.Uri, guard: Guard): CheckedLook {
  const isShown = guard === undefined ? undefined : (place: string): boolean => guard.mayTouch(place);
  return { path: toClientPath(uri), isShown, signal: neverAborted() };
}

/** The notebook a client means, open or from disk; it is not shown. Unsaved cells win. */
export async function openNotebook(path: string, guard: Guard): Promise<vscode.NotebookDocument> {
  const uri = fromClientPath(path);
  if (findNotebook(uri.toString()) === undefined && (await statOf(uri)) === undefined) {
    throw pathNotFound(path);
  }
  try {
    return await checkedNotebook(uri, checkedLook(uri, guard));
  } catch (error) {
    throw isAppError(error) ? error : editorError('editor.notNotebook', { path }, { cause: error });
  }
}

export function isNotebook(uri: vscode.Uri): boolean {
  return findNotebook(uri.toString()) !== undefined || uri.path.toLowerCase().endsWith('.ipynb') || uri.scheme === 'vscode-notebook-cell';
}

export async function statOf(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
  try {
    return await vscode.workspace.fs.stat(uri);
  } catch {
    return undefined;
  }
}

/**
 * Whether `source` can be moved to `target`. Where case does not matter, a file that only changes the case of its name is in its
 * own way, and may move.
 */
export async function isFree(target: vscode.Uri, source: vscode.Uri): Promise<boolean> {
  if (target.toString() === source.toString() || findTextDocument(target.toString()) !== undefined) {
    return false;
  }
  return (
    (await statOf(target)) === undefined ||
    (target.scheme === 'file' && source.scheme === 'file' && (await isSameEntry(target.fsPath, source.fsPath)))
  );
}

/** Rejects when the person themselves could not change the file. */
export async function refuseReadOnly(document: vscode.TextDocument, path: string): Promise<void> {
  const { uri } = document;
  if (document.isUntitled) {
    return;
  }
  const stat = await statOf(uri);
  const isMarked = stat?.permissions !== undefined && (stat.permissions & vscode.FilePermission.Readonly) !== 0;
  const isWritable = vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== false && !isMarked;
  if (!isWritable || (uri.scheme === 'file' && stat !== undefined && !(await mayWrite(uri.fsPath)))) {
    throw editorError('editor.readOnly', { path });
  }
}

async function mayWrite(file: string): Promise<boolean> {
  try {
    await access(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
