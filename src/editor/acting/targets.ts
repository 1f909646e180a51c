import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { pathNotFound } from '../../base/pathNotFound.ts';
import { fromClientPath } from '../shared/clientUris.ts';
import { editorError } from '../shared/editorErrors.ts';

/** The document a client means, open or from disk. Unsaved text wins. */
export async function openDocument(path: string): Promise<vscode.TextDocument> {
  const document = await findDocument(path);
  if (document === undefined) {
    throw pathNotFound(path);
  }
  return document;
}

/** `undefined` for a file that does not exist yet. */
export async function findDocument(path: string): Promise<vscode.TextDocument | undefined> {
  const uri = fromClientPath(path);
  refuseNotebook(uri, path);
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

export async function statOf(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
  try {
    return await vscode.workspace.fs.stat(uri);
  } catch {
    return undefined;
  }
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

function refuseNotebook(uri: vscode.Uri, path: string): void {
  const isOpen = vscode.workspace.notebookDocuments.some((notebook) => notebook.uri.toString() === uri.toString());
  if (isOpen || uri.path.toLowerCase().endsWith('.ipynb') || uri.scheme === 'vscode-notebook-cell') {
    throw editorError('editor.notebook', { path });
  }
}
