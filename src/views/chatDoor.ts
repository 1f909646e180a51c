import * as vscode from 'vscode';
import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import { views } from '../contract/identity.ts';
import type { ChatView } from './chatView.ts';
import { Doorway, type DoorwayOptions } from './doorway.ts';

/** Of a conversation's tab. */
export const conversationTab = 'duplex.conversation';

/** Where VS Code asks for the chat: there from the start; the chat behind it comes when somebody does. */
export class ChatDoor implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #visibility = this.#lifetime.add(new Emitter<void>());
  readonly #doorway: Doorway<ChatView>;

  readonly onDidChangeVisibility = this.#visibility.event;

  constructor({ load, report }: DoorwayOptions<ChatView>) {
    this.#doorway = new Doorway({ load: async () => this.#own(await load()), report });
    this.#lifetime.add(
      // The page is kept while hidden: an answer goes on streaming, and a draft or a half-edited argument is not lost.
      vscode.window.registerWebviewViewProvider(
        views.chat,
        { resolveWebviewView: (view) => this.#doorway.enter(view, (chat) => chat.resolveWebviewView(view)) },
        { webviewOptions: { retainContextWhenHidden: true } },
      ),
    );
    this.#lifetime.add(
      vscode.window.registerWebviewPanelSerializer(conversationTab, {
        deserializeWebviewPanel: (panel, stored: unknown) => this.#doorway.enter(panel, (chat) => chat.reopenTab(panel, stored)),
      }),
    );
  }

  load(): Promise<ChatView> {
    return this.#doorway.load();
  }

  isVisible(): boolean {
    return this.#doorway.made?.isVisible() ?? false;
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #own(view: ChatView): ChatView {
    this.#lifetime.add(view);
    this.#lifetime.add(view.onDidChangeVisibility(() => this.#visibility.fire()));
    return view;
  }
}
