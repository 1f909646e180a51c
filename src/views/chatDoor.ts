import * as vscode from 'vscode';
import { Emitter } from '../base/events.ts';
import { Late } from '../base/late.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import { views } from '../contract/identity.ts';
import type { ChatView } from './chatView.ts';

/** Of a conversation's tab. */
export const conversationTab = 'duplex.conversation';

export interface ChatDoorOptions {
  readonly load: () => Promise<ChatView>;
  readonly report: (error: unknown) => void;
}

/** Where VS Code asks for the chat: there from the start; the chat behind it comes when somebody does. */
export class ChatDoor implements Disposable {
  readonly #options: ChatDoorOptions;
  readonly #lifetime = new DisposableStore();
  readonly #visibility = this.#lifetime.add(new Emitter<void>());
  readonly #view: Late<ChatView>;
  /** Where nothing could be shown; VS Code asks for the same place only once. */
  readonly #blank = new Set<(chat: ChatView) => void>();

  readonly onDidChangeVisibility = this.#visibility.event;

  constructor(options: ChatDoorOptions) {
    this.#options = options;
    this.#view = new Late(() => this.#load());
    this.#lifetime.add(
      // The page is kept while hidden: an answer goes on streaming, and a draft or a half-edited argument is not lost.
      vscode.window.registerWebviewViewProvider(
        views.chat,
        { resolveWebviewView: (view) => this.#enter(view, (chat) => chat.resolveWebviewView(view)) },
        { webviewOptions: { retainContextWhenHidden: true } },
      ),
    );
    this.#lifetime.add(
      vscode.window.registerWebviewPanelSerializer(conversationTab, {
        deserializeWebviewPanel: (panel, stored: unknown) => this.#enter(panel, (chat) => chat.reopenTab(panel, stored)),
      }),
    );
  }

  load(): Promise<ChatView> {
    return this.#view.get();
  }

  isVisible(): boolean {
    return this.#view.made?.isVisible() ?? false;
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  async #load(): Promise<ChatView> {
    const view = this.#lifetime.add(await this.#options.load());
    this.#lifetime.add(view.onDidChangeVisibility(() => this.#visibility.fire()));
    this.#blank.forEach((show) => show(view));
    this.#blank.clear();
    return view;
  }

  async #enter(place: vscode.WebviewView | vscode.WebviewPanel, show: (chat: ChatView) => void | Promise<void>): Promise<void> {
    const gone = new AbortController();
    place.onDidDispose(() => gone.abort());
    const enter = async (chat: ChatView): Promise<void> => (gone.signal.aborted ? undefined : show(chat));
    try {
      await enter(await this.load());
    } catch (error) {
      if (this.#view.made === undefined) {
        this.#blank.add((chat) => void enter(chat).catch(this.#options.report));
      }
      this.#options.report(error);
    }
  }
}
