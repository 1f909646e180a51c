import * as vscode from 'vscode';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { ContentWish } from '../../chat/models/contentOffers.ts';
import { ownSchemes } from '../../contract/identity.ts';
import type { ServerContent } from '../../host/features/serverContent.ts';
import { commandId } from '../commandTable.ts';
import { viewError } from '../sentences/viewErrors.ts';
import { promptPreview } from './promptText.ts';

export interface PreviewedPrompt {
  readonly wish: Extract<ContentWish, { readonly kind: 'prompt' }>;
  readonly content: readonly ServerContent[];
}

/**
 * Shows what a prompt gave as a document (`duplex-prompt:`), with code lenses to send or insert it. It is forgotten when its tab
 * is closed.
 */
export class PromptPreviews implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider, Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<vscode.Uri>());
  readonly #prompts = new Map<string, PreviewedPrompt>();

  readonly onDidChange = this.#changed.event;

  constructor() {
    const { prompt: scheme } = ownSchemes;
    this.#lifetime.add(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
    this.#lifetime.add(vscode.languages.registerCodeLensProvider({ scheme }, this));
    this.#lifetime.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#prompts.delete(uri.toString())));
  }

  /** Shows what a prompt gave; the same prompt shows its new content in the same tab. */
  async show(previewed: PreviewedPrompt): Promise<void> {
    const { server, name } = previewed.wish;
    const file = revealInvisible(`${server} ${name}`)
      .replace(/[\\/:?#%\s]+/g, ' ')
      .slice(0, 100);
    const uri = vscode.Uri.from({ scheme: ownSchemes.prompt, path: `/${file}.md` });
    this.#prompts.set(uri.toString(), previewed);
    this.#changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
  }

  /** The prompt of a code lens, or of the tab whose button was pressed, or of the tab in front. Throws an AppError when there is none. */
  requirePrompt(argument: unknown): PreviewedPrompt {
    const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
    const found = uri === undefined ? undefined : this.#prompts.get(uri.toString());
    if (found === undefined) {
      throw viewError('views.noPrompt');
    }
    return found;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const known = this.#prompts.get(uri.toString());
    return known === undefined ? '' : promptPreview(known.content, vscode.l10n.t);
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    if (!this.#prompts.has(uri.toString())) {
      return [];
    }
    const top = new vscode.Range(0, 0, 0, 0);
    const lens = (title: string, name: 'sendPromptToChat' | 'insertPrompt'): vscode.CodeLens =>
      new vscode.CodeLens(top, { title, command: commandId(name), arguments: [uri] });
    return [
      lens(`$(comment-discussion) ${vscode.l10n.t('Send to chat')}`, 'sendPromptToChat'),
      lens(`$(insert) ${vscode.l10n.t('Insert')}`, 'insertPrompt'),
    ];
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}
