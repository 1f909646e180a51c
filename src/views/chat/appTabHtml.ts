export interface AppTabHtmlOptions {
  readonly language: string;
  /** The translations of English texts, as JSON. */
  readonly translations: string;
  /** The policy of the app. The page has no other, and the frames in it inherit it. */
  readonly policy: string;
  /** The code of the page, as text. */
  readonly code: string;
  readonly facts: { readonly id: string; readonly server: string; readonly tool: string; readonly hasBack: boolean };
}

/** Writes the page of a tab that shows an app. The app's own HTML is no part of it: that comes into a frame without an origin. */
export function appTabHtml({ language, translations, policy, code, facts }: AppTabHtmlOptions): string {
  return `<!DOCTYPE html>
<html lang="${language}">
  <head>
    <meta charset="UTF-8" />
    <meta http-equiv="Content-Security-Policy" content="${attribute(policy)}" />
    <style>${style}</style>
    <title>Duplex</title>
  </head>
  <body>
    <script type="application/json" id="l10n">${withoutMarkup(translations)}</script>
    <script type="application/json" id="facts">${withoutMarkup(JSON.stringify(facts))}</script>
    <script>${code.replaceAll('</', '<\\/').replaceAll('<!--', '<\\!--')}</script>
  </body>
</html>`;
}

const line = 'var(--vscode-contrastBorder, var(--vscode-widget-border, var(--vscode-descriptionForeground)))';

const style = `
html, body { height: 100%; margin: 0; padding: 0; overflow: hidden; }
body { display: flex; flex-direction: column; color: var(--vscode-foreground); font: var(--vscode-font-size) var(--vscode-font-family); }
header { display: flex; align-items: center; gap: 8px; padding: 4px 8px; background: var(--vscode-editorWidget-background); border-bottom: 1px solid ${line}; }
header span { flex: 1; min-width: 0; overflow-wrap: anywhere; color: var(--vscode-descriptionForeground); }
header small { visibility: hidden; color: var(--vscode-descriptionForeground); }
header:has(~ main[data-keys]) small { visibility: visible; }
header:focus { outline: 1px solid var(--vscode-focusBorder); outline-offset: -1px; }
button { padding: 3px 8px; border: 1px solid var(--vscode-button-border, transparent); border-radius: 2px; cursor: pointer; font: inherit; color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); }
button:hover { background: var(--vscode-button-secondaryHoverBackground); }
button:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
p { margin: 0; padding: 4px 8px; color: var(--vscode-descriptionForeground); }
main { flex: 1; min-height: 0; position: relative; contain: strict; }
`;

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** `<` is escaped so that no text can end the element. */
function withoutMarkup(json: string): string {
  return json.replaceAll('<', '\\u003c');
}
