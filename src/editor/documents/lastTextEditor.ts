import * as vscode from 'vscode';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { ownSchemes } from '../../contract/identity.ts';

/**
 * Schemes of text editors that show no document: output channels and input boxes are text editors, too, and a prompt's preview is
 * there to be inserted elsewhere.
 */
const otherSchemes: ReadonlySet<string> = new Set([
  'output',
  'log',
  'vscode-log',
  'comment',
  'vscode-interactive-input',
  'debug',
  ownSchemes.prompt,
]);

/**
 * The text editor that was active last: a chat or a terminal that takes the focus does not change what the person works on,
 * though VS Code then knows of no active one.
 */
export class LastTextEditor implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  #editor: vscode.TextEditor | undefined;

  /** Fires for another editor, and for another text or selection in the same one. */
  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#take(vscode.window.activeTextEditor);
    this.#lifetime.add(vscode.window.onDidChangeActiveTextEditor((editor) => this.#take(editor)));
    this.#lifetime.add(vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.#tell(textEditor)));
    this.#lifetime.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === this.#editor?.document) {
          this.#changed.fire();
        }
      }),
    );
    this.#lifetime.add(vscode.workspace.onDidCloseTextDocument((document) => this.#forget(document)));
    this.#lifetime.add(vscode.window.tabGroups.onDidChangeTabs(({ closed }) => this.#forgetUnlessShown(closed.length > 0)));
  }

  get editor(): vscode.TextEditor | undefined {
    return this.#editor;
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #take(editor: vscode.TextEditor | undefined): void {
    if (editor !== undefined && editor !== this.#editor && !otherSchemes.has(editor.document.uri.scheme)) {
      this.#editor = editor;
      this.#changed.fire();
    }
  }

  #tell(editor: vscode.TextEditor): void {
    if (editor === this.#editor) {
      this.#changed.fire();
    }
  }

  #forget(document: vscode.TextDocument): void {
    if (document === this.#editor?.document) {
      this.#editor = undefined;
      this.#changed.fire();
    }
  }

  /** Forgets the editor once no tab shows it: a document may live on for a while after its tab was closed. */
  #forgetUnlessShown(hasClosed: boolean): void {
    const editor = this.#editor;
    if (hasClosed && editor !== undefined && !isShown(editor.document.uri)) {
      this.#forget(editor.document);
    }
  }
}

function isShown(uri: vscode.Uri): boolean {
  const name = uri.toString();
  const hasTab = vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => {
      if (input instanceof vscode.TabInputTextDiff) {
        return input.modified.toString() === name || input.original.toString() === name;
      }
      return input instanceof vscode.TabInputText && input.uri.toString() === name;
    }),
  );
  return hasTab || vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === name);
}
