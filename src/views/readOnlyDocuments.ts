import * as vscode from 'vscode';
import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import { revealInvisible } from '../base/visibleText.ts';
import { ownSchemes } from '../contract/identity.ts';

const scheme = ownSchemes.document;

/** Texts that are shown as documents and belong to no file: results, reports. Gone when their tab is closed. */
export class ReadOnlyDocuments implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<vscode.Uri>());
  readonly #texts = new Map<string, string>();

  constructor() {
    this.#lifetime.add(
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        onDidChange: this.#changed.event,
        provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()) ?? '',
      }),
    );
    this.#lifetime.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#texts.delete(uri.toString())));
  }

  /** The same name shows the new text in the same tab. */
  async show(name: string, extension: 'json' | 'md' | 'txt', text: string): Promise<vscode.TextEditor> {
    const file = `${revealInvisible(name)
      .replace(/[\\/:?#%\s]+/g, ' ')
      .slice(0, 100)}.${extension}`;
    const uri = vscode.Uri.from({ scheme, path: `/${file}` });
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    return vscode.window.showTextDocument(document, { preview: false });
  }

  /** For an editor that shows it beside something else. `name` is a path: its extension says the language. */
  add(name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme, path: `/${revealInvisible(name).replace(/[?#%]+/g, ' ')}` });
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    return uri;
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}
