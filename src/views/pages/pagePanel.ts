import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type * as z from 'zod';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { MessageSet } from '../../contract/pages/messageLink.ts';
import { pageHtml, type PageName } from './pageHtml.ts';
import { type Handlers, WebviewLink } from './webviewLink.ts';

export interface PagePanelOptions<ToHost extends MessageSet> {
  readonly page: PageName;
  readonly title: string;
  readonly extensionUri: vscode.Uri;
  readonly messages: ToHost;
  readonly handlers: Handlers<ToHost>;
  /** What is half written in it is there again when the person comes back from another tab. */
  readonly isKeptWhenHidden?: boolean;
  /** The tab outlives the window's extensions: after a reload it is there again, for whoever adopts it. */
  readonly isRestored?: boolean;
  /** What goes with the tab is put into `lifetime`. */
  readonly onOpen?: (lifetime: DisposableStore) => void;
  readonly log: Log;
}

/** One page in an editor tab: at most one of its kind, gone when the person closes it. */
export class PagePanel<ToHost extends MessageSet, ToView extends MessageSet> implements Disposable {
  readonly #options: PagePanelOptions<ToHost>;
  #open: { readonly panel: vscode.WebviewPanel; readonly link: WebviewLink<ToHost, ToView>; readonly lifetime: Disposable } | undefined;

  constructor(options: PagePanelOptions<ToHost>) {
    this.#options = options;
  }

  /** True when it was there before: such a page does not say again that it is ready. */
  show(): boolean {
    const wasOpen = this.#open !== undefined;
    if (this.#open === undefined) {
      this.#create();
    } else {
      this.#open.panel.reveal();
    }
    return wasOpen;
  }

  /** To nobody when the tab is closed. */
  post<K extends keyof ToView & string>(name: K, body: z.infer<ToView[K]>): void {
    this.#open?.link.post(name, body);
  }

  /** A tab that VS Code has kept over a reload of the window. */
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

/** Where a page may load from: nothing else of the extension is reachable for a webview. */
export function pageRoots(extensionUri: vscode.Uri): vscode.Uri[] {
  return [vscode.Uri.joinPath(extensionUri, 'dist', 'webview'), vscode.Uri.joinPath(extensionUri, 'media')];
}

export function renderPage(webview: vscode.Webview, extensionUri: vscode.Uri, page: PageName): string {
  return pageHtml({
    page,
    language: vscode.env.language,
    translations: JSON.stringify(vscode.l10n.bundle ?? {}),
    nonce: randomBytes(16).toString('base64'),
    ownSource: webview.cspSource,
    asset: (...path) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString(),
  });
}
