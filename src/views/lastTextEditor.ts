import * as vscode from 'vscode';
import { AppError } from '../base/errors.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';

/** The text editor the person was last in: while a webview has the focus, VS Code knows of no active one. */
export class LastTextEditor implements Disposable {
  readonly #lifetime = new DisposableStore();
  #last: vscode.TextEditor | undefined = vscode.window.activeTextEditor;

  constructor() {
    this.#lifetime.add(
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        this.#last = editor ?? this.#last;
      }),
    );
    this.#lifetime.add(
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (this.#last?.document === document) {
          this.#last = undefined;
        }
      }),
    );
  }

  get(): vscode.TextEditor | undefined {
    return this.#last;
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}

/** Replaces the selection, as typing would; one step to undo. */
export async function insertIntoLastEditor(last: LastTextEditor, text: string): Promise<void> {
  const known = last.get();
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
