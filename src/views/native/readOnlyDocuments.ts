import * as vscode from 'vscode';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import { ownSchemes } from '../../contract/identity.ts';

const scheme = ownSchemes.document;
const markdownExtension = 'vscode.markdown-language-features';
const markdownPreview = 'vscode.markdown.preview.editor';

/** Shows texts that belong to no file, such as results and reports, as documents. A text is forgotten when its tab is closed. */
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

  /** Shows a text; the same name shows its new text in the same tab. */
  async show(name: string, extension: 'json' | 'md' | 'txt', text: string): Promise<vscode.TextEditor> {
    const document = await vscode.workspace.openTextDocument(this.add(fileName(name, extension), text));
    return vscode.window.showTextDocument(document, { preview: false });
  }

  /** Shows Markdown in VS Code's preview, or as text where that extension is disabled. */
  async showRendered(name: string, text: string): Promise<void> {
    // Whether its command exists says nothing: it is registered only when the extension runs.
    if (vscode.extensions.getExtension(markdownExtension) === undefined) {
      await this.show(name, 'md', text);
      return;
    }
    const uri = this.add(fileName(name, 'md'), text);
    await vscode.commands.executeCommand('vscode.openWith', uri, markdownPreview, { preview: false });
  }

  /**
   * Keeps a text and returns its URI, for an editor that shows it beside something else. The extension of `name` decides the
   * language.
   */
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

function fileName(name: string, extension: string): string {
  const plain = revealInvisible(name).replace(/[\\/:?#%\s]+/g, ' ');
  return `${plain.slice(0, 100)}.${extension}`;
}
