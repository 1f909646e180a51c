// chat/: the host's side of the chat's pages, in the sidebar (this file) and in tabs, and what leads from the editor to the chat.
import * as vscode from 'vscode';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { ChatPlace, ChatPlaces } from '../../chat/places/chatPlaces.ts';
import { views } from '../../contract/identity.ts';
import { ChatPage, type ChatPageServices, type DraftMemory } from './chatPage.ts';
import { ChatTabs } from './chatTabs.ts';
import type { ConversationActs } from './conversationsPage.ts';
import { pageRoots, renderPage } from '../pages/webviewPage.ts';

export interface ChatViewOptions extends ChatPageServices {
  readonly places: ChatPlaces;
  readonly extensionUri: vscode.Uri;
  /** Keeps what is being written in the sidebar. */
  readonly sidebarDraft: DraftMemory;
}

/** Shows the chat in the sidebar, and conversations that the person wants larger in tabs of their own. */
export class ChatView implements Disposable {
  readonly #options: ChatViewOptions;
  readonly #lifetime = new DisposableStore();
  readonly #visibility = this.#lifetime.add(new Emitter<void>());
  readonly #tabs: ChatTabs;
  #shown: DisposableStore | undefined;
  /** The page in the sidebar. */
  #page: ChatPage | undefined;
  #view: vscode.WebviewView | undefined;
  #focusWhenReady = false;
  #draft: string | undefined;

  readonly onDidChangeVisibility = this.#visibility.event;

  constructor(options: ChatViewOptions) {
    this.#options = options;
    const { places, extensionUri } = options;
    this.#lifetime.add(places.onDidMove(() => this.#page?.show(places.sidebar)));
    this.#tabs = this.#lifetime.add(
      new ChatTabs({
        extensionUri,
        open: (id) => places.open(id),
        connect: (webview, place) => this.#connectTab(webview, place),
        onClose: (place) => places.release(place),
      }),
    );
    places.shownBy((place) => this.#isSeen(place));
    this.#lifetime.add(this.#tabs.onDidChangeVisibility(() => this.#visibility.fire()));
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const { extensionUri, places, sidebarDraft: draft } = this.#options;
    this.#shown?.dispose();
    const shown = new DisposableStore();
    this.#shown = shown;
    this.#view = view;
    view.webview.options = { enableScripts: true, localResourceRoots: pageRoots(extensionUri) };
    const newConversation = (): Promise<void> => places.showInSidebar(undefined);
    const acts = { ...this.#acts(() => places.sidebar), newConversation };
    const onReady = (): void => this.#giveFocus();
    const page = { ...this.#options, webview: view.webview, place: places.sidebar, restored: places.restored, acts, onReady, draft };
    this.#page = shown.add(new ChatPage(page));
    shown.add(view.onDidDispose(() => this.#close(shown)));
    shown.add(view.onDidChangeVisibility(() => this.#visibility.fire()));
    this.#visibility.fire();
    view.webview.html = renderPage(view.webview, extensionUri, 'chat');
  }

  /** Fills a conversation's tab that was there before the window was reloaded. */
  reopenTab(panel: vscode.WebviewPanel, stored: unknown): Promise<void> {
    return this.#tabs.reopen(panel, stored);
  }

  async focus(): Promise<void> {
    this.#focusWhenReady = true;
    await vscode.commands.executeCommand(`${views.chat}.focus`);
    this.#view?.show(false);
    this.#giveFocus();
  }

  /** Brings the chat that asks this question to the front, or else the first chat that asks anything. */
  async showQuestion(askId?: unknown): Promise<void> {
    const { places } = this.#options;
    const asking = places.all().filter(({ session }) => session.questions.list().length > 0);
    const place = asking.find(({ session }) => session.questions.list().some((each) => each.askId === askId)) ?? asking[0];
    if (place === undefined || place === places.sidebar) {
      await this.focus();
    } else {
      await this.#showTab(place.session.conversation.id);
    }
  }

  /** Shows the chat with this text added to its input. The person sends it, or changes it first. */
  async draft(text: string): Promise<void> {
    this.#draft = text;
    await this.focus();
  }

  /** The chat that a command means: that of the tab in front, or else that of the sidebar. */
  get current(): ChatPlace {
    return this.#tabs.active ?? this.#options.places.sidebar;
  }

  /** Moves the conversation of the sidebar into a tab; the sidebar begins a new one. */
  openInEditor(): Promise<void> {
    return this.#showTab(this.#options.places.sidebar.session.conversation.id);
  }

  /** Whether the person can see every chat that asks something; while none does, whether they can see any chat. */
  isVisible(): boolean {
    const places = this.#options.places.all();
    const asking = places.filter(({ session }) => session.questions.list().length > 0);
    return asking.length > 0 ? asking.every((place) => this.#isSeen(place)) : places.some((place) => this.#isSeen(place));
  }

  /** Whether the chat can be seen in the sidebar, and with it the views beside it. */
  get isInSidebar(): boolean {
    return this.#view?.visible === true;
  }

  /** Closes the tabs of all conversations, which are about to be removed. */
  async closeTabs(): Promise<void> {
    const { places } = this.#options;
    const inTabs = places.all().filter((place) => place !== places.sidebar);
    await Promise.all(inTabs.map((place) => this.#end(place)));
  }

  dispose(): void {
    this.#shown?.dispose();
    this.#lifetime.dispose();
  }

  #isSeen(place: ChatPlace): boolean {
    return place === this.#options.places.sidebar ? this.#view?.visible === true : this.#tabs.isVisible(place);
  }

  #connectTab(webview: vscode.Webview, place: ChatPlace): Disposable {
    const { places } = this.#options;
    const acts = { ...this.#acts(() => place), open: (id: string) => this.#showTab(id), newConversation: () => this.#showTab(undefined) };
    return new ChatPage({ ...this.#options, webview, place, restored: places.restored, acts });
  }

  async #showTab(id: string | undefined): Promise<void> {
    this.#tabs.show(await this.#options.places.open(id));
  }

  async #end(place: ChatPlace): Promise<void> {
    this.#tabs.close(place);
    await this.#options.places.close(place);
  }

  #acts(here: () => ChatPlace): ConversationActs {
    const { places } = this.#options;
    const keeperOf = (id: string): ChatPlace['keeper'] => (places.showing(id) ?? here()).keeper;
    return {
      keeperOf,
      // A conversation that is shown somewhere is brought to the front there.
      open: (id) => (places.showing(id) === undefined || places.isUnseen(id) ? places.showInSidebar(id) : this.#leadTo(id, here())),
      openInEditor: (id) => this.#showTab(id ?? here().session.conversation.id),
      delete: async (id) => {
        const shown = places.showing(id);
        if (shown !== undefined && shown !== here()) {
          await this.#end(shown);
        }
        await here().keeper.delete(id);
      },
    };
  }

  async #leadTo(id: string, here: ChatPlace): Promise<void> {
    const { places } = this.#options;
    const shown = places.showing(id);
    if (shown === places.sidebar && shown !== here) {
      await this.focus();
    } else if (shown !== undefined && shown !== here) {
      await this.#showTab(id);
    }
  }

  #close(shown: DisposableStore): void {
    shown.dispose();
    if (this.#shown === shown) {
      this.#shown = undefined;
      this.#page = undefined;
      this.#view = undefined;
      this.#visibility.fire();
    }
  }

  #giveFocus(): void {
    if (this.#page?.isReady === true && this.#focusWhenReady) {
      this.#focusWhenReady = false;
      this.#page.focus(this.#draft);
      this.#draft = undefined;
    }
  }
}
