import * as vscode from 'vscode';
import type { ChangeOrigin } from '../../../server/seen/ports/actingPort.ts';
import { toClientPath } from '../../shared/clientPlaces.ts';
import { findNotebook } from '../../shared/openDocuments.ts';
import type { CellChange, FileChange } from './changeReview.ts';

/** The file that a change is about. */
export function uriOf(change: FileChange): vscode.Uri {
  return change.kind === 'cell' ? change.notebook.uri : change.uri;
}

/** Where the file is once the change is made. */
export function targetOf(change: FileChange): vscode.Uri {
  return (change.kind === 'text' ? change.moveTo : undefined) ?? uriOf(change);
}

export function isNewFile(change: FileChange): boolean {
  return change.kind === 'text' && change.document === undefined && change.moveTo === undefined;
}

/** False for what is no text, and is only moved or deleted. */
export function isTextual(change: FileChange): boolean {
  return change.kind === 'delete' ? change.before !== '' : change.kind === 'cell' || isNewFile(change) || change.document !== undefined;
}

/** The document of a cell, in the notebook as it is open now. */
export function cellDocument({ notebook, index }: CellChange): vscode.TextDocument {
  return (findNotebook(notebook.uri.toString()) ?? notebook).cellAt(index).document;
}

export function mayTouch(uri: vscode.Uri, { guard }: ChangeOrigin): boolean {
  return guard?.mayTouch(toClientPath(uri)) !== false;
}

/** `undefined` when there is no such file, and when it is no text. */
export async function openText(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return undefined;
  }
}
