import * as vscode from 'vscode';
import type * as z from 'zod';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { MessageSet } from '../../contract/pages/messageLink.ts';
import type { PageName } from './pageHtml.ts';
import { type Handlers, WebviewLink } from './webviewLink.ts';
import { pageRoots, renderPage } from './webviewPage.ts';

export interface PagePanelOptions<ToHost extends MessageSet> {
  readonly page: PageName;
  readonly title: string;
  readonly extensionUri: vscode.Uri;
  readonly messages: ToHost;
  readonly handlers: Handlers<ToHost>;
  /** Keeps the page while it is hidden, so that what is half written in it is not lost. */
  readonly isKeptWhenHidden?: boolean;
  /** Whether the tab stays when the window is reloaded. Then `adopt` fills it again. */
  readonly isRestored?: boolean;
  /** Called when the tab is opened. What ends with the tab is put into `lifetime`. */
  readonly onOpen?: (lifetime: DisposableStore) => void;
  readonly log: Log;
}

/** Shows one page in an editor tab, at most one of its kind. */
export class PagePanel<ToHost extends MessageSet, ToView extends MessageSet> implements Disposable {
  readonly #options: PagePanelOptions<ToHost>;
  #open: { readonly panel: vscode.WebviewPanel; readonly link: WebviewLink<ToHost, ToView>; readonly lifetime: Disposable } | undefined;

  constructor(options: PagePanelOptions<ToHost>) {
    this.#options = options;
  }

  /** Shows the page. True when it was there already: such a page does not say again that it is ready. */
  show(): boolean {
    const wasOpen = this.#open !== undefined;
    if (this.#open === undefined) {
      this.#create();
    } else {
      this.#open.panel.reveal();
    }
    return wasOpen;
  }

  /** Sends a message to the page; nothing happens when the tab is closed. */
  post<K extends keyof ToView & string>(name: K, body: z.infer<ToView[K]>): void {
    this.#open?.link.post(name, body);
  }

  /** Takes over a tab that VS Code has kept over a reload of the window. */
  adopt(panel: vscode.WebviewPanel): void {
    const { title, extensionUri } = this.#options;
    panel.title = title;
    panel.webview.options = { enableScripts: true, localResourceRoots: pageRoots(extensionUri) };
    this.#take(panel);
  }

  dispose(): void {
    if (this.#options.isRestored === true) {
      this.#open?.lifetime.dispose();
    } else {
      this.#open?.panel.dispose();
    }
  }

  #create(): void {
    const { page, title, extensionUri, isKeptWhenHidden = false } = this.#options;
    const panel = vscode.window.createWebviewPanel(`duplex.${page}`, title, vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: pageRoots(extensionUri),
      enableFindWidget: true,
      retainContextWhenHidden: isKeptWhenHidden,
    });
    this.#take(panel);
  }

  #take(panel: vscode.WebviewPanel): void {
    const { page, extensionUri, messages, handlers, onOpen, log } = this.#options;
    panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'duplex.svg');
    const lifetime = new DisposableStore();
    this.#open = { panel, link: lifetime.add(new WebviewLink(panel.webview, messages, handlers, log)), lifetime };
    onOpen?.(lifetime);
    panel.onDidDispose(() => {
      lifetime.dispose();
      this.#open = undefined;
    });
    panel.webview.html = renderPage(panel.webview, extensionUri, page);
  }
}
