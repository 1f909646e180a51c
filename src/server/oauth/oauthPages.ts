import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type Say, type Sentence, sayInEnglish, type SentenceTable } from '../../base/errors.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import { productName } from '../../contract/identity.ts';

/** What the pages of the sign-in say. */
export const oauthPageTable = {
  unusable: 'This link cannot be used',
  unknownClient: 'The program that sent you here is not registered with this editor, or waited too long. Start it again.',
  wrongRedirect: 'The program that sent you here gave a return address it has not registered. Nothing was sent to it.',
  paused: 'New programs have to wait',
  pausedWhy:
    'Several questions about new programs were refused or left, so VS Code asks about no new one for a while. If you want this one, choose “Let the next one ask” under “Connected Clients” in VS Code; this page then goes on by itself.',
  busy: 'One question at a time',
  busyWhy: 'VS Code already asks you about another program. Answer that question first; this page then goes on by itself.',
  over: 'This page is over',
  overWhy: 'The question in VS Code was answered or withdrawn. You can close this page.',
  waiting: 'Continue in VS Code',
  wants: 'A program that calls itself {name} wants to connect to the editor.',
  compare: 'VS Code asks you about it now, and shows the same pairing code as this page. If the two differ, deny it.',
  code: 'Pairing code',
  next: 'After your answer this page goes on to {place} by itself.',
  nextLink: 'If it does not, {link}.',
  nextWords: 'continue here',
} as const satisfies SentenceTable;

/** The language of the window, and how its sentences are said in it. */
export interface PageLanguage {
  readonly language: string;
  readonly say: Say;
}

export const englishPages: PageLanguage = { language: 'en', say: sayInEnglish };

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

export const pageHeaders = {
  'Content-Security-Policy': policy,
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const;

interface PageParts {
  readonly title: Sentence;
  /** HTML that is already escaped. */
  readonly body: string;
  /** Where the page goes by itself, and after how many seconds. */
  readonly next?: NextPage | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface NextPage {
  readonly url: string;
  readonly seconds: number;
}

/** What the page for a program that waits is about. */
export interface WaitingProgram {
  readonly name: string;
  readonly pairingCode: string;
  readonly redirectUri: string;
  readonly nextUrl: string;
}

/** Writes the pages of the sign-in, in the language of the window. */
export class OauthPages {
  readonly #language: string;
  readonly #say: Say;

  constructor({ language, say }: PageLanguage) {
    this.#language = language;
    this.#say = say;
  }

  /** Sends a page of one sentence, which goes on by itself if `next` says where. */
  sendPlain(response: ServerResponse, status: number, title: Sentence, sentence: Sentence, next?: NextPage): void {
    const headers = next === undefined ? {} : { 'Retry-After': String(next.seconds) };
    this.#send(response, status, { title, body: `<p role="status">${this.#html(sentence)}</p>`, next, headers });
  }

  /** Sends the page that shows the pairing code until the question in VS Code is answered. */
  sendWaiting(response: ServerResponse, { name, pairingCode, redirectUri, nextUrl }: WaitingProgram): void {
    const place = strong(destinationOf(redirectUri));
    const link = `<a href="${escapeHtml(nextUrl)}">${this.#html(oauthPageTable.nextWords)}</a>`;
    const body = `<p>${this.#html(oauthPageTable.wants, { name: strong(name) })}</p>
<p>${this.#html(oauthPageTable.compare)}</p>
<div class="pairing"><p class="label" id="label">${this.#html(oauthPageTable.code)}</p>
<p class="code" role="group" aria-labelledby="label">${escapeHtml(pairingCode)}</p></div>
<p class="quiet">${this.#html(oauthPageTable.next, { place })}
${this.#html(oauthPageTable.nextLink, { link })}</p>`;
    this.#send(response, 200, { title: oauthPageTable.waiting, body, next: { url: nextUrl, seconds: 1 } });
  }

  /** A sentence as HTML. The parts are HTML already, and take the places of the names in braces after the sentence is escaped. */
  #html(sentence: Sentence, parts: Readonly<Record<string, string>> = {}): string {
    return escapeHtml(this.#say(sentence)).replace(/\{(\w+)\}/g, (whole, name: string) =>
      Object.hasOwn(parts, name) ? (parts[name] ?? '') : whole,
    );
  }

  /** Sends a page without scripts, frames or references to anything else; it is not cached. */
  #send(response: ServerResponse, status: number, { title, body, next, headers }: PageParts): void {
    if (response.headersSent || response.destroyed) {
      return;
    }
    const refresh = next === undefined ? '' : `<meta http-equiv="refresh" content="${next.seconds}; url=${escapeHtml(next.url)}">`;
    const text = `<!DOCTYPE html>
<html lang="${escapeHtml(this.#language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${refresh}
<title>${this.#html(title)}</title><style>${style}</style></head>
<body><main><p class="product">${productName}</p><h1>${this.#html(title)}</h1>
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
}

function strong(text: string): string {
  return `<strong>${escapeHtml(text)}</strong>`;
}

function destinationOf(uri: string): string {
  const { protocol, host } = new URL(uri);
  return protocol === 'http:' || protocol === 'https:' ? `${protocol}//${host}` : `${protocol}${host === '' ? '' : `//${host}`}`;
}

function escapeHtml(text: string): string {
  return revealInvisible(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
