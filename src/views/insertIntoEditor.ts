import * as vscode from 'vscode';
import type { LastTextEditor } from '../editor/documents/lastTextEditor.ts';
import { viewError } from './sentences/viewErrors.ts';

/** Replaces the selection, as typing would; one step to undo. */
export async function insertIntoLastEditor(last: LastTextEditor, text: string): Promise<void> {
  const known = last.editor;
  if (known === undefined) {
    throw viewError('views.noEditor');
  }
  const editor = await vscode.window.showTextDocument(known.document, { viewColumn: known.viewColumn ?? vscode.ViewColumn.Active });
  const isDone = await editor.edit((edit) => {
    for (const selection of editor.selections) {
      edit.replace(selection, text);
    }
  });
  if (!isDone) {
    throw viewError('views.notInserted'); // it cannot be written, or was changed meanwhile
  }
}
