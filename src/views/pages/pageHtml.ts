export type PageName = 'chat' | 'consent' | 'doctor' | 'audit' | 'permissions' | 'registry' | 'runner' | 'traffic';

export interface PageHtmlOptions {
  readonly page: PageName;
  readonly language: string;
  /** The translations of English texts, as JSON. */
  readonly translations: string;
  /** A random value that is new for each page. */
  readonly nonce: string;
  /** The source of the extension's own files, as a content security policy names it. */
  readonly ownSource: string;
  /** Makes the address of a file of the extension. */
  readonly asset: (...path: string[]) => string;
}

/** Pages that show Markdown or code, which is read in a thread. A thread is bound by the policy of the page that made it. */
const withThread: ReadonlySet<PageName> = new Set<PageName>(['chat', 'runner']);

/**
 * Writes a page with a closed policy: scripts by nonce, styles, fonts and images from the extension, no connections. Modules that
 * the page's script imports count as allowed by its nonce; nothing else of the extension's folder can be a script.
 */
export function pageHtml({ page, language, translations, nonce, ownSource, asset }: PageHtmlOptions): string {
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${ownSource}`,
    `font-src ${ownSource}`,
    `img-src ${ownSource} data:`,
    `media-src data:`,
    ...(withThread.has(page) ? [`worker-src blob:`] : []),
    // The empty page of VS Code's own, in which an app is shown under a policy of the app's own.
    ...(page === 'chat' ? [`frame-src 'self'`] : []),
  ].join('; ');
  const styles = [asset('dist', 'webview', 'codicon.css'), asset('media', 'shared.css'), asset('media', `${page}.css`)];
  return `<!DOCTYPE html>
<html lang="${language}">
  <head>
    <meta charset="UTF-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1.0" />
    ${styles.map((href) => `<link rel="stylesheet" href="${href}" />`).join('\n    ')}
    <title>Duplex</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="application/json" id="l10n" nonce="${nonce}">${withoutMarkup(translations)}</script>
    <script type="module" nonce="${nonce}" src="${asset('dist', 'webview', `${page}.js`)}"></script>
  </body>
</html>`;
}

/** `<` is escaped so that no text can end the element. */
function withoutMarkup(json: string): string {
  return json.replace(/</g, '\\u003c');
}
