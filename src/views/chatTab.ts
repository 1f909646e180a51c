import * as vscode from 'vscode';
import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { ChatSession } from '../chat/chatSession.ts';
import { titleOf } from '../chat/store/storedText.ts';
import { nativeText } from './nativeText.ts';
import { pageRoots, renderPage } from './webviewPage.ts';

const viewType = 'duplex.conversation';
const maxTabTitle = 40;

/** The chat's page in an editor tab: at most one, there again after a reload. */
export class ChatTab implements Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #session: ChatSession;
  readonly #connect: (webview: vscode.Webview, page: DisposableStore) => void;
  readonly #lifetime = new DisposableStore();
  readonly #visibility = this.#lifetime.add(new Emitter<void>());
  readonly onDidChangeVisibility = this.#visibility.event;
  #panel: vscode.WebviewPanel | undefined;
  #page: DisposableStore | undefined;

  constructor(extensionUri: vscode.Uri, session: ChatSession, connect: (webview: vscode.Webview, page: DisposableStore) => void) {
    this.#extensionUri = extensionUri;
    this.#session = session;
    this.#connect = connect;
    this.#lifetime.add(session.onMessage(({ name }) => (name === 'chat/state' || name === 'chat/status') && this.#nameTab()));
    this.#lifetime.add(
      vscode.window.registerWebviewPanelSerializer(viewType, {
        deserializeWebviewPanel: (panel) => {
          this.#adopt(panel);
          return Promise.resolve();
        },
      }),
    );
  }

  get isVisible(): boolean {
    return this.#panel?.visible === true;
  }

  show(): void {
    if (this.#panel !== undefined) {
      this.#panel.reveal();
      return;
    }
    this.#adopt(
      vscode.window.createWebviewPanel(viewType, this.#title(), vscode.ViewColumn.Active, {
        retainContextWhenHidden: true,
        enableFindWidget: true,
      }),
    );
  }

  /** The tab itself stays: a window that is reloaded shows it again. */
  dispose(): void {
    this.#page?.dispose();
    this.#lifetime.dispose();
  }

  #adopt(panel: vscode.WebviewPanel): void {
    this.#panel?.dispose();
    this.#panel = panel;
    const page = new DisposableStore();
    this.#page = page;
    panel.webview.options = { enableScripts: true, localResourceRoots: pageRoots(this.#extensionUri) };
    panel.iconPath = vscode.Uri.joinPath(this.#extensionUri, 'media', 'duplex.svg');
    this.#connect(panel.webview, page);
    page.add(panel.onDidChangeViewState(() => this.#visibility.fire()));
    panel.onDidDispose(() => {
      page.dispose();
      this.#panel = this.#panel === panel ? undefined : this.#panel;
      this.#visibility.fire();
    });
    this.#nameTab();
    panel.webview.html = renderPage(panel.webview, this.#extensionUri, 'chat');
    this.#visibility.fire();
  }

  #nameTab(): void {
    if (this.#panel !== undefined && this.#panel.title !== this.#title()) {
      this.#panel.title = this.#title();
    }
  }

  #title(): string {
    const { title, items } = this.#session.conversation;
    const words = titleOf(title === '' ? { items } : { title, items });
    return words === '' ? vscode.l10n.t('Duplex Chat') : nativeText(words, maxTabTitle);
  }
}
