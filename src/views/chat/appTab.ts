import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { AppTab, AppTabs, WantedTab } from '../../chat/apps/appPort.ts';
import { appToHost, type appToView } from '../../contract/chat/appMessages.ts';
import { nativeText } from '../nativeText.ts';
import { freeColumn } from '../pages/freeColumn.ts';
import { WebviewLink } from '../pages/webviewLink.ts';
import { appTabHtml } from './appTabHtml.ts';

/** The most characters of a tool's name in the title of a tab. */
const maxTabTitle = 40;
/** A tab has one app, so its name means nothing. */
const partId = 'app';

/** Shows apps in tabs of the editor. Such a tab loads no file of the extension, and is gone after a reload of the window. */
export class EditorAppTabs implements AppTabs {
  readonly #extensionUri: vscode.Uri;
  readonly #log: Log;

  constructor(extensionUri: vscode.Uri, log: Log) {
    this.#extensionUri = extensionUri;
    this.#log = log;
  }

  async openTab(wanted: WantedTab): Promise<AppTab> {
    const file = vscode.Uri.joinPath(this.#extensionUri, 'dist', 'webview', 'appTab.js');
    const code = Buffer.from(await vscode.workspace.fs.readFile(file)).toString('utf8');
    const { server, tool, html, policy, hasBack, isPressed } = wanted;
    const title = vscode.l10n.t('App {0}', nativeText(tool, maxTabTitle));
    const place = { viewColumn: isPressed ? vscode.ViewColumn.Active : freeColumn(), preserveFocus: !isPressed };
    const options = { enableScripts: true, enableForms: false, localResourceRoots: [], retainContextWhenHidden: true };
    const panel = vscode.window.createWebviewPanel('duplex.app', title, place, options);
    panel.iconPath = vscode.Uri.joinPath(this.#extensionUri, 'media', 'duplex.svg');
    const lifetime = new DisposableStore();
    const link = lifetime.add(
      new WebviewLink<typeof appToHost, typeof appToView>(
        panel.webview,
        appToHost,
        {
          'app/wake': () => undefined,
          'app/close': () => undefined,
          'app/enlarge': () => undefined,
          'app/back': () => wanted.back(),
          'app/mounted': ({ look }) => {
            link.post('app/frame', { partId, html, policy });
            wanted.mounted(look);
          },
          'app/look': ({ look }) => wanted.look(look),
          'app/view': () => undefined,
          'app/said': ({ text }) => wanted.said(text),
          'app/broke': ({ reason }) => wanted.broke(reason),
        },
        this.#log,
      ),
    );
    let isOver = false;
    panel.onDidDispose(() => {
      lifetime.dispose();
      if (!isOver) {
        wanted.closed();
      }
    });
    const translations = JSON.stringify(vscode.l10n.bundle ?? {});
    const facts = { id: partId, server, tool, hasBack };
    panel.webview.html = appTabHtml({ language: vscode.env.language, translations, policy, code, facts });
    return {
      say: (text) => link.post('app/say', { partId, text }),
      dispose: () => {
        isOver = true;
        panel.dispose();
      },
    };
  }
}
