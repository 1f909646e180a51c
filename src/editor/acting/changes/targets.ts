import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import * as vscode from 'vscode';
import { messageOf } from '../../../base/errors.ts';
import { pathNotFound } from '../../../platform/paths/clientPath.ts';
import { fromClientPath } from '../../shared/clientPlaces.ts';
import { editorError } from '../../shared/editorErrors.ts';
import { findNotebook, findTextDocument } from '../../shared/openDocuments.ts';
import { isSameEntry } from './diskEntries.ts';

/** The document a client means, open or from disk. Unsaved text wins. */
export async function openDocument(path: string): Promise<vscode.TextDocument> {
  const document = await findDocument(path);
  if (document === undefined) {
    throw pathNotFound(path);
  }
  return document;
}

/** The document a client means, or `undefined` for a file that does not exist yet. */
export async function findDocument(path: string): Promise<vscode.TextDocument | undefined> {
  const uri = fromClientPath(path);
  if (isNotebook(uri)) {
    throw editorError('editor.notebook', { path });
  }
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined) {
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
    return await vscode.workspace.openTextDocument(uri);
  } catch (error) {
    throw editorError('editor.notText', { path, reason: messageOf(error) }, { cause: error });
  }
}

/** The notebook a client means, open or from disk; it is not shown. */
export async function openNotebook(path: string): Promise<vscode.NotebookDocument> {
  const uri = fromClientPath(path);
  const open = findNotebook(uri.toString());
  if (open !== undefined) {
    return open;
  }
  if ((await statOf(uri)) === undefined) {
    throw pathNotFound(path);
  }
  try {
    return await vscode.workspace.openNotebookDocument(uri);
  } catch (error) {
    throw editorError('editor.notNotebook', { path }, { cause: error });
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
