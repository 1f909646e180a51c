// changes/: changes to files for a client: what each is (this file), how they are worked out (proposals.ts, providerChanges.ts),
// shown to the person (changeReview.ts), made (applyChanges.ts) and taken back (takeBack.ts, undoEdits.ts).
import * as vscode from 'vscode';
import type { ChangeOrigin } from '../../../server/seen/ports/actingPort.ts';
import { toClientPath } from '../../shared/clientPlaces.ts';
import { editorError } from '../../shared/editorErrors.ts';
import { findNotebook } from '../../shared/openDocuments.ts';

/** The change of one file, ready to be shown to the person. */
export type FileChange = TextChange | DeletedFile | CellChange | MovedFolder;

/** A text that somebody wants to put in place of another, and maybe in another place. */
export interface TextChange {
  readonly kind: 'text';
  readonly uri: vscode.Uri;
  /** There is no document for a file that does not exist yet, nor for one that is no text and is only moved. */
  readonly document: vscode.TextDocument | undefined;
  readonly before: string;
  readonly after: string;
  readonly eol: '\n' | '\r\n';
  readonly moveTo?: vscode.Uri | undefined;
}

export interface DeletedFile {
  readonly kind: 'delete';
  readonly uri: vscode.Uri;
  /** The text that is deleted; empty when the file is no text. */
  readonly before: string;
  /** The encoding of the text; `undefined` when the file is no text. */
  readonly encoding: string | undefined;
}

export interface CellChange {
  readonly kind: 'cell';
  /** The notebook as it was found. VS Code closes one that nobody looks at after a while; opened again it is another object. */
  readonly notebook: vscode.NotebookDocument;
  readonly index: number;
  readonly before: string;
  readonly after: string;
  readonly eol: '\n' | '\r\n';
}

/** A folder that moves with all that is in it. The person is shown the list of its files, where they are and where they go. */
export interface MovedFolder {
  readonly kind: 'folder';
  readonly uri: vscode.Uri;
  readonly moveTo: vscode.Uri;
  /** The files in the folder, by their paths within it. */
  readonly files: readonly string[];
}

/** The file that a change is about. */
export function uriOf(change: FileChange): vscode.Uri {
  return change.kind === 'cell' ? change.notebook.uri : change.uri;
}

/** Where the file is once the change is made. */
export function targetOf(change: FileChange): vscode.Uri {
  return (change.kind === 'text' || change.kind === 'folder' ? change.moveTo : undefined) ?? uriOf(change);
}

export function isNewFile(change: FileChange): boolean {
  return change.kind === 'text' && change.document === undefined && change.moveTo === undefined;
}

/** Whether the change is about text: a folder, and a file that is no text, can only be moved or deleted. */
export function isTextual(change: FileChange): boolean {
  switch (change.kind) {
    case 'delete':
      return change.before !== '';
    case 'folder':
      return false;
    case 'cell':
      return true;
    case 'text':
      return isNewFile(change) || change.document !== undefined;
  }
}

/** Whether a place is inside a folder, at whatever depth. */
export function isInside(uri: vscode.Uri, folder: vscode.Uri): boolean {
  return uri.toString().startsWith(`${folder.toString().replace(/\/$/, '')}/`);
}

/** The document of a cell, in the notebook as it is open now. */
export function cellDocument(change: CellChange): vscode.TextDocument {
  return cellOf(change).document;
}

/** The cell of a change, in the notebook as it is open now. */
export function cellOf({ notebook, index }: CellChange): vscode.NotebookCell {
  return (findNotebook(notebook.uri.toString()) ?? notebook).cellAt(index);
}

export function eolOf(document: vscode.TextDocument): '\n' | '\r\n' {
  return document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
}

export function mayTouch(uri: vscode.Uri, { guard }: Pick<ChangeOrigin, 'guard'>): boolean {
  return guard?.mayTouch(toClientPath(uri)) !== false;
}

/** Opens a file as text; the result is `undefined` when there is no such file, and when it is no text. */
export async function openText(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return undefined;
  }
}

export async function demandApplied(edit: vscode.WorkspaceEdit): Promise<void> {
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw editorError('editor.notApplied');
  }
}
