import * as vscode from 'vscode';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { ChatPlace } from '../../chat/places/chatPlaces.ts';
import { titleOf } from '../../chat/store/storedText.ts';
import { tabTypes } from '../../contract/identity.ts';
import { nativeText } from '../nativeText.ts';
import { pageRoots, renderPage } from '../pages/webviewPage.ts';

/** The most characters of a conversation's title in the title of a tab. */
const maxTabTitle = 40;

export interface ChatTabsOptions {
  readonly extensionUri: vscode.Uri;
  /** Opens the conversation of a tab that is there again after a reload of the window. */
  readonly open: (conversationId: string | undefined) => Promise<ChatPlace>;
  /** Connects the page of a tab with the chat that it shows. */
  readonly connect: (webview: vscode.Webview, place: ChatPlace) => Disposable;
  /** Called when the person closed the tab of this chat. */
  readonly onClose: (place: ChatPlace) => void;
}

/** Keeps conversations in editor tabs, one each. The tabs are there again after a reload of the window. */
export class ChatTabs implements Disposable {
  readonly #options: ChatTabsOptions;
  readonly #lifetime = new DisposableStore();
  readonly #visibility = this.#lifetime.add(new Emitter<void>());
  readonly #panels = new Map<ChatPlace, vscode.WebviewPanel>();
  readonly #pages = new Set<DisposableStore>();
  readonly onDidChangeVisibility = this.#visibility.event;

  constructor(options: ChatTabsOptions) {
    this.#options = options;
  }

  /** Fills a tab that was there before the window was reloaded. */
  async reopen(panel: vscode.WebviewPanel, stored: unknown): Promise<void> {
    const gone = new AbortController();
    panel.onDidDispose(() => gone.abort());
    const place = await this.#options.open(storedConversation(stored));
    if (this.#panels.has(place)) {
      panel.dispose(); // the conversation has a tab already
    } else if (gone.signal.aborted) {
      this.#options.onClose(place); // the person closed the tab before it was filled
    } else {
      this.#adopt(panel, place);
    }
  }

  get active(): ChatPlace | undefined {
    return [...this.#panels].find(([, panel]) => panel.active)?.[0];
  }

  isVisible(place: ChatPlace): boolean {
    return this.#panels.get(place)?.visible === true;
  }

  show(place: ChatPlace): void {
    const panel = this.#panels.get(place);
    if (panel !== undefined) {
      panel.reveal();
      return;
    }
    const shown = { retainContextWhenHidden: true, enableFindWidget: true };
    this.#adopt(vscode.window.createWebviewPanel(tabTypes.conversation, titleFor(place), vscode.ViewColumn.Active, shown), place);
  }

  /** Closes the tab. Whether the conversation stays open is decided by the caller. */
  close(place: ChatPlace): void {
    const panel = this.#panels.get(place);
    this.#panels.delete(place);
    panel?.dispose();
  }

  /** Lets go of the pages; the tabs stay, because a window that is reloaded shows them again. */
  dispose(): void {
    this.#pages.forEach((page) => page.dispose());
    this.#lifetime.dispose();
  }

  #adopt(panel: vscode.WebviewPanel, place: ChatPlace): void {
    const { extensionUri, connect, onClose } = this.#options;
    const page = new DisposableStore();
    this.#pages.add(page);
    this.#panels.set(place, panel);
    panel.webview.options = { enableScripts: true, localResourceRoots: pageRoots(extensionUri) };
    panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'duplex.svg');
    page.add(connect(panel.webview, place));
    page.add(panel.onDidChangeViewState(() => this.#visibility.fire()));
    page.add(place.session.onMessage(({ name }) => (name === 'chat/state' || name === 'chat/status') && nameTab(panel, place)));
    panel.onDidDispose(() => {
      page.dispose();
      this.#pages.delete(page);
      if (this.#panels.get(place) === panel) {
        this.#panels.delete(place);
        onClose(place);
      }
      this.#visibility.fire();
    });
    nameTab(panel, place);
    panel.webview.html = renderPage(panel.webview, extensionUri, 'chat');
    this.#visibility.fire();
  }
}

function nameTab(panel: vscode.WebviewPanel, place: ChatPlace): void {
  const title = titleFor(place);
  if (panel.title !== title) {
    panel.title = title;
  }
}

function titleFor({ session }: ChatPlace): string {
  const { title, items } = session.conversation;
  const words = titleOf(title === '' ? { items } : { title, items });
  return words === '' ? vscode.l10n.t('Duplex Chat') : nativeText(words, maxTabTitle);
}

/** Reads the id of the conversation from what a page stored for itself. */
function storedConversation(stored: unknown): string | undefined {
  const has = typeof stored === 'object' && stored !== null && 'conversationId' in stored;
  return has && typeof stored.conversationId === 'string' && /^[\w-]{1,100}$/.test(stored.conversationId)
    ? stored.conversationId
    : undefined;
}
