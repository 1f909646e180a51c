import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

export type PageName = 'chat' | 'consent' | 'doctor' | 'audit' | 'permissions';

/** Where a page may load from: nothing else of the extension is reachable for a webview. */
export function pageRoots(extensionUri: vscode.Uri): vscode.Uri[] {
  return [vscode.Uri.joinPath(extensionUri, 'dist', 'webview'), vscode.Uri.joinPath(extensionUri, 'media')];
}

/** A page with a closed policy: scripts by nonce, styles, fonts and images from the extension, no connections. */
export function renderPage(webview: vscode.Webview, extensionUri: vscode.Uri, page: PageName): string {
  const nonce = randomBytes(16).toString('base64');
  const asset = (...path: string[]): string => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString();
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data:`,
    `media-src data:`,
  ].join('; ');
  const styles = [asset('dist', 'webview', 'codicon.css'), asset('media', 'shared.css'), asset('media', `${page}.css`)];
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
  <head>
    <meta charset="UTF-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1.0" />
    ${styles.map((href) => `<link rel="stylesheet" href="${href}" />`).join('\n    ')}
    <title>Duplex</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="application/json" id="l10n" nonce="${nonce}">${translations()}</script>
    <script nonce="${nonce}" src="${asset('dist', 'webview', `${page}.js`)}"></script>
  </body>
</html>`;
}

/** The translated texts of the pages; `<` is escaped so that no text can end the element. */
function translations(): string {
  return JSON.stringify(vscode.l10n.bundle ?? {}).replace(/</g, '\\u003c');
}
