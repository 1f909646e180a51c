import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { revealInvisible } from '../../base/visibleText.ts';
import { productName } from '../../contract/identity.ts';

const style = `
:root {
  color-scheme: light dark;
  --page: #f8f8f8; --card: #ffffff; --line: #d0d0d0; --text: #3b3b3b; --quiet: #616161; --accent: #005fb8;
  font: 1rem/1.5 system-ui, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root { --page: #181818; --card: #1f1f1f; --line: #454545; --text: #cccccc; --quiet: #9d9d9d; --accent: #4daafc; }
}
body { margin: 0; padding: clamp(0.75rem, 4vw, 1.5rem); background: var(--page); color: var(--text); }
main {
  box-sizing: border-box; max-width: 34rem; margin: 10vh auto 0; padding: clamp(1rem, 6vw, 2rem);
  border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card); overflow-wrap: anywhere;
}
p { margin: 0 0 1rem; }
main > :last-child { margin-bottom: 0; }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; }
a { color: var(--accent); }
.product { margin: 0 0 0.25rem; color: var(--quiet); font-size: 0.875rem; }
.pairing { margin: 1.5rem 0; padding: 1rem; border: 1px solid var(--line); border-radius: 0.25rem; text-align: center; }
.pairing p { margin: 0; }
.label { color: var(--quiet); font-size: 0.875rem; }
.code { font: 700 clamp(1.25rem, 9vw, 2.25rem)/1.3 ui-monospace, monospace; letter-spacing: 0.08em; white-space: nowrap; }
.quiet { color: var(--quiet); font-size: 0.875rem; }
`;

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface Page {
  readonly title: string;
  /** Escaped already. */
  readonly body: string;
  /** Where the page goes by itself, and when. */
  readonly next?: { readonly url: string; readonly seconds: number } | undefined;
}

/** A page of this server: no script, no frame, no reference to anything else, kept nowhere. */
export function sendPage(
  response: ServerResponse,
  status: number,
  { title, body, next }: Page,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent || response.destroyed) {
    return;
  }
  const refresh = next === undefined ? '' : `<meta http-equiv="refresh" content="${next.seconds}; url=${escapeHtml(next.url)}">`;
  const text = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${refresh}
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main><p class="product">${productName}</p><h1>${escapeHtml(title)}</h1>
${body}
</main></body>
</html>
`;
  response.writeHead(status, {
    ...headers,
    ...pageHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

export function sendRedirect(response: ServerResponse, location: string): void {
  if (!response.headersSent && !response.destroyed) {
    response.writeHead(302, { ...pageHeaders, Location: location, 'Content-Length': 0 });
    response.end();
  }
}

const pageHeaders = {
  'Content-Security-Policy': policy,
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const;

export function waitingPage(name: string, pairingCode: string, redirectUri: string, nextUrl: string): Page {
  return {
    title: 'Continue in VS Code',
    body: `<p>A program that calls itself <strong>${escapeHtml(name)}</strong> wants to connect to the editor.</p>
<p>VS Code asks you about it now, and shows the same pairing code as this page. If the two differ, deny it.</p>
<div class="pairing"><p class="label" id="label">Pairing code</p>
<p class="code" role="group" aria-labelledby="label">${escapeHtml(pairingCode)}</p></div>
<p class="quiet">After your answer this page goes on to <strong>${escapeHtml(destinationOf(redirectUri))}</strong> by itself.
If it does not, <a href="${escapeHtml(nextUrl)}">continue here</a>.</p>`,
    next: { url: nextUrl, seconds: 1 },
  };
}

export function plainPage(title: string, sentence: string, next?: Page['next']): Page {
  return { title, body: `<p role="status">${escapeHtml(sentence)}</p>`, next };
}

function destinationOf(uri: string): string {
  const { protocol, host } = new URL(uri);
  return protocol === 'http:' || protocol === 'https:' ? `${protocol}//${host}` : `${protocol}${host === '' ? '' : `//${host}`}`;
}

function escapeHtml(text: string): string {
  return revealInvisible(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
