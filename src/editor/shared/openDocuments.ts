import { statSync } from 'node:fs';
import * as vscode from 'vscode';
import { editorError } from './editorErrors.ts';

/** Whether the person has the file open: as a document, or in a tab that was not looked at yet. */
export function isOpen(uri: vscode.Uri): boolean {
  const wanted = uri.toString();
  return (
    findTextDocument(wanted) !== undefined || findNotebook(wanted) !== undefined || openTabs().some((tab) => tab.uri.toString() === wanted)
  );
}

export function findTextDocument(uri: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => !document.isClosed && document.uri.toString() === uri);
}

export function findNotebook(uri: string): vscode.NotebookDocument | undefined {
  return vscode.workspace.notebookDocuments.find((notebook) => !notebook.isClosed && notebook.uri.toString() === uri);
}

/**
 * Whether a file of which a language service speaks is still on the disk. Services may take it for present while VS Code keeps its
 * text. Unsaved text is there, whatever the disk has.
 */
export function isStillThere(uri: vscode.Uri): boolean {
  return (
    uri.scheme !== 'file' ||
    statSync(uri.fsPath, { throwIfNoEntry: false }) !== undefined ||
    findTextDocument(uri.toString())?.isDirty === true
  );
}

export interface ShownDocument {
  readonly uri: vscode.Uri;
  readonly kind: 'text' | 'notebook' | 'custom' | 'diff';
  readonly notebookType?: string;
}

export function openTabs(): ShownDocument[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs.flatMap((tab) => documentOf(tab) ?? []));
}

/** The document that a tab shows; of a diff, its right side. */
export function documentOf(tab: vscode.Tab): ShownDocument | undefined {
  const input = tab.input;
  if (input instanceof vscode.TabInputText) {
    return { uri: input.uri, kind: 'text' };
  }
  if (input instanceof vscode.TabInputTextDiff) {
    return { uri: input.modified, kind: 'diff' };
  }
  if (input instanceof vscode.TabInputNotebook) {
    return { uri: input.uri, kind: 'notebook', notebookType: input.notebookType };
  }
  if (input instanceof vscode.TabInputNotebookDiff) {
    return { uri: input.modified, kind: 'diff', notebookType: input.notebookType };
  }
  if (input instanceof vscode.TabInputCustom) {
    return { uri: input.uri, kind: 'custom' };
  }
  return undefined;
}

/** Rejects with `editor.isFolder` if this is a folder, which says more than that there is no such file. */
export async function refuseFolder(uri: vscode.Uri, path: string): Promise<void> {
  const isFolder = await vscode.workspace.fs.stat(uri).then(
    ({ type }) => (type & vscode.FileType.Directory) !== 0,
    () => false,
  );
  if (isFolder) {
    throw editorError('editor.isFolder', { path });
  }
}
