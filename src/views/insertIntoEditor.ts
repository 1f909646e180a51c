import * as vscode from 'vscode';
import { AppError } from '../base/errors.ts';
import type { LastTextEditor } from '../editor/documents/lastTextEditor.ts';

/** Replaces the selection, as typing would; one step to undo. */
export async function insertIntoLastEditor(last: LastTextEditor, text: string): Promise<void> {
  const known = last.editor;
  if (known === undefined) {
    throw new AppError('views.noEditor', vscode.l10n.t('There is no text editor to insert into. Open a file first.'));
  }
  const editor = await vscode.window.showTextDocument(known.document, { viewColumn: known.viewColumn ?? vscode.ViewColumn.Active });
  await editor.edit((edit) => {
    for (const selection of editor.selections) {
      edit.replace(selection, text);
    }
  });
}
