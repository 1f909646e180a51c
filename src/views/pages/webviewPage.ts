import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { pageHtml, type PageName } from './pageHtml.ts';

/** The folders from which a page may load files; it reaches nothing else of the extension. */
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
