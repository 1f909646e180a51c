import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hasCode } from '../../base/errors.ts';
import { isSameSecret } from '../../platform/randomSecrets.ts';
import type { RedirectReceiver } from './authPorts.ts';

const callbackPath = '/oauth/callback';

/** The texts of the page that the browser shows in the end, as plain text. */
export interface ReceiverTexts {
  /** The language tag of the page: `en`, `pt-br`. */
  readonly language: string;
  readonly done: string;
  readonly notOurs: string;
}

/** Listens on 127.0.0.1 for one redirect. `preferred` is an address that was used before: its port is taken again if it is free. */
export async function openLoopbackReceiver(preferred: string | undefined, texts: ReceiverTexts): Promise<RedirectReceiver> {
  const server = createServer();
  await listen(server, portOf(preferred));
  const { port } = server.address() as AddressInfo;
  return {
    redirectUrl: `http://127.0.0.1:${port}${callbackPath}`,
    answer: (state, signal) => waitForAnswer(server, { host: `127.0.0.1:${port}`, state, signal, texts }),
    dispose: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (port === 0 || !(hasCode(error, 'EADDRINUSE') || hasCode(error, 'EACCES'))) {
      throw error;
    }
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
}

function portOf(preferred: string | undefined): number {
  const url = preferred !== undefined && URL.canParse(preferred) ? new URL(preferred) : undefined;
  return url?.hostname === '127.0.0.1' ? Number(url.port) : 0;
}

interface Expected {
  readonly host: string;
  readonly state: string;
  readonly signal: AbortSignal;
  readonly texts: ReceiverTexts;
}

function waitForAnswer(server: Server, expected: Expected): Promise<URLSearchParams> {
  const { signal, texts } = expected;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.throwIfAborted();
    signal.addEventListener('abort', onAbort, { once: true });
    let isAnswered = false;
    server.on('request', (request, response) => {
      const params = isAnswered ? undefined : readRedirect(request, expected);
      if (params === undefined) {
        show(response, 404, texts, 'notOurs');
        return;
      }
      isAnswered = true;
      signal.removeEventListener('abort', onAbort);
      // The page is sent first, because the listener is closed as soon as the promise settles.
      show(response, 200, texts, 'done', () => resolve(params));
    });
  });
}

/**
 * Undefined for requests that are not the redirect: icons, probes, requests under another host name, and answers to no question of ours.
 * Anybody on this machine can send those, so they end nothing.
 */
function readRedirect(request: IncomingMessage, { host, state }: Expected): URLSearchParams | undefined {
  const base = `http://${host}`;
  const url = URL.canParse(request.url ?? '/', base) ? new URL(request.url ?? '/', base) : undefined;
  if (url === undefined || request.method !== 'GET' || request.headers.host !== host || url.pathname !== callbackPath) {
    return undefined;
  }
  const { searchParams } = url;
  const isAnswer = searchParams.has('code') || searchParams.has('error');
  return isAnswer && isSameSecret(searchParams.get('state') ?? '', state) ? searchParams : undefined;
}

/** Sends the page. Nothing of the request is repeated in it. */
function show(
  response: ServerResponse,
  status: number,
  texts: ReceiverTexts,
  which: 'done' | 'notOurs',
  shown: () => void = () => undefined,
): void {
  let isTold = false;
  const tell = (): void => {
    if (!isTold) {
      isTold = true;
      shown();
    }
  };
  response.once('finish', tell).once('close', tell);
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    })
    .end(
      `<!doctype html><html lang="${plain(texts.language)}"><meta charset="utf-8"><title>Duplex</title><p>${plain(texts[which])}</p></html>`,
    );
}

/** Escapes text for HTML. */
function plain(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
