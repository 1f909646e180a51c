import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../base/log.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import { productName } from '../../contract/identity.ts';
import type { OpenIncoming } from '../wire/http/incoming.ts';
import { errorLocation, readAuthorization, type AuthorizationReading } from './authorizationRequest.ts';
import { OauthError, readParameters, sendOauthJson } from './oauthAnswers.ts';
import type { PendingAuthorizations, Visit } from './pendingAuthorizations.ts';
import type { Registrations } from './registrations.ts';

export interface AuthorizeOptions {
  readonly pending: PendingAuthorizations;
  readonly registrations: Registrations;
  readonly isResource: (base: string, resource: string) => boolean;
  readonly log: Log;
}

const sentences: Readonly<Record<(AuthorizationReading & { kind: 'unusable' })['reason'], string>> = {
  unknownClient: 'The program that sent you here is not registered with this editor, or waited too long. Start it again.',
  wrongRedirect: 'The program that sent you here gave a return address it has not registered. Nothing was sent to it.',
};

const busySeconds = 5;

const pausedSentence =
  'Several questions about new programs were refused or left, so VS Code asks about no new one for a while. If you want this one, choose “Let the next one ask” under “Connected Clients” in VS Code; this page then goes on by itself.';

/** `/authorize`, the only page that a person sees. It opens the question in VS Code and waits for the answer; nothing is decided here. */
export class AuthorizeEndpoint {
  readonly #options: AuthorizeOptions;

  constructor(options: AuthorizeOptions) {
    this.#options = options;
  }

  visit(incoming: OpenIncoming): void {
    const { request, response } = incoming;
    if (!isTopLevelNavigation(request.headers)) {
      this.#refuseProgram(incoming);
      return;
    }
    try {
      const parameters = readParameters(incoming.query);
      const visitId = parameters.get('visit');
      if (visitId === undefined) {
        this.#begin(incoming, parameters);
      } else {
        this.#goOn(incoming, visitId);
      }
    } catch (error) {
      if (!(error instanceof OauthError)) {
        throw error;
      }
      sendPage(response, 400, plainPage('This link cannot be used', `${error.message}.`));
    }
  }

  /** Answers programs: some look here before they open a browser, to learn whether their registration is still known. */
  #refuseProgram(incoming: OpenIncoming): void {
    const isKnown = this.#options.registrations.find(incoming.query.get('client_id') ?? undefined) !== undefined;
    if (isKnown) {
      incoming.refuse({ status: 403 });
    } else {
      sendOauthJson(incoming, 400, { error: 'invalid_client', error_description: 'the client is not registered' });
    }
  }

  #begin(incoming: OpenIncoming, parameters: ReadonlyMap<string, string>): void {
    const { pending, registrations, isResource } = this.#options;
    const { base, response, request } = incoming;
    const context = { registrations, issuer: base, isResource: (resource: string) => isResource(base, resource) };
    const reading = readAuthorization(parameters, context);
    if (reading.kind === 'unusable') {
      sendPage(response, 400, plainPage('This link cannot be used', sentences[reading.reason]));
      return;
    }
    if (reading.kind === 'refused') {
      sendRedirect(response, reading.location);
      return;
    }
    const visit = pending.begin(reading.request);
    if (visit === 'locked') {
      sendRedirect(response, errorLocation(reading.request, 'access_denied', 'denied before; ask again in ten minutes'));
    } else if (visit === 'paused') {
      const seconds = busySeconds;
      const page = plainPage('New programs have to wait', pausedSentence, { url: request.url ?? '/', seconds });
      sendPage(response, 429, page, { 'Retry-After': String(seconds) });
    } else if (visit === 'busy') {
      const sentence = 'VS Code already asks you about another program. Answer that question first; this page then goes on by itself.';
      const page = plainPage('One question at a time', sentence, { url: request.url ?? '/', seconds: busySeconds });
      sendPage(response, 429, page, { 'Retry-After': String(busySeconds) });
    } else {
      this.#show(incoming, visit);
    }
  }

  #goOn(incoming: OpenIncoming, visitId: string): void {
    const { response } = incoming;
    this.#options.pending.wait(visitId, closeSignal(incoming.request, incoming)).then(
      (visit) => {
        if (visit === undefined) {
          sendPage(
            response,
            404,
            plainPage('This page is over', 'The question in VS Code was answered or withdrawn. You can close this page.'),
          );
        } else if (visit.location === undefined) {
          this.#show(incoming, visit);
        } else {
          sendRedirect(response, visit.location);
        }
      },
      (error: unknown) => {
        this.#options.log.error('A sign-in page failed.', error);
        incoming.refuse({ status: 500 });
      },
    );
  }

  #show({ response }: OpenIncoming, { id, pairingCode, request }: Visit): void {
    sendPage(response, 200, waitingPage(request.registration.name, pairingCode, request.redirectUri, `/authorize?visit=${id}`));
  }
}

/** Fires when the browser closes the connection before the page is sent. */
function closeSignal(request: IncomingMessage, { response }: OpenIncoming): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) {
      controller.abort();
    }
  });
  if (request.destroyed && !request.complete) {
    controller.abort();
  }
  return controller.signal;
}

/**
 * Whether a person opened the page. Browsers say what a request is for: a frame, a script, an image or a prefetch must open no
 * question. Node's own `fetch` says "cors" and nothing else, which no browser does; there the `Accept` header tells whether it
 * wants the page.
 */
function isTopLevelNavigation(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination, 'sec-fetch-site': site, accept = '*/*' } = headers;
  if (headers['sec-purpose'] !== undefined || headers['x-moz'] === 'prefetch') {
    return false;
  }
  if (destination !== undefined || site !== undefined) {
    return mode === 'navigate' && destination === 'document';
  }
  return (mode === undefined || mode === 'navigate' || mode === 'cors') && /text\/html|\*\/\*/.test(accept);
}

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

export interface OauthPage {
  readonly title: string;
  /** HTML that is already escaped. */
  readonly body: string;
  /** Where the page goes by itself, and after how many seconds. */
  readonly next?: { readonly url: string; readonly seconds: number } | undefined;
}

/** Sends a page without scripts, frames or references to anything else; it is not cached. */
function sendPage(response: ServerResponse, status: number, { title, body, next }: OauthPage, headers: Record<string, string> = {}): void {
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

function sendRedirect(response: ServerResponse, location: string): void {
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

function waitingPage(name: string, pairingCode: string, redirectUri: string, nextUrl: string): OauthPage {
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

function plainPage(title: string, sentence: string, next?: OauthPage['next']): OauthPage {
  return { title, body: `<p role="status">${escapeHtml(sentence)}</p>`, next };
}

function destinationOf(uri: string): string {
  const { protocol, host } = new URL(uri);
  return protocol === 'http:' || protocol === 'https:' ? `${protocol}//${host}` : `${protocol}${host === '' ? '' : `//${host}`}`;
}

function escapeHtml(text: string): string {
  return revealInvisible(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
