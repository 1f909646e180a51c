import * as vscode from 'vscode';
import { editorError } from './editorErrors.ts';

/** Rejects with `editor.isFolder`, which says more than that there is no such file. */
export async function refuseFolder(uri: vscode.Uri, path: string): Promise<void> {
  const isFolder = await vscode.workspace.fs.stat(uri).then(
    ({ type }) => (type & vscode.FileType.Directory) !== 0,
    () => false,
  );
  if (isFolder) {
    throw editorError('editor.isFolder', { path });
  }
}
