import * as http from 'node:http';
import * as https from 'node:https';
import { Readable } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { toDisposable, type Disposable } from '../../base/lifecycle.ts';
import type { Fetch } from './guardedFetch.ts';

/** The contents of PEM files. */
export interface TlsTexts {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** Certificates in the shape that `node:https`, `node:tls` and `ws` take. */
export interface ClientTlsMaterial {
  readonly ca?: string[];
  readonly cert?: string;
  readonly key?: string;
}

export function tlsMaterial({ ca, cert, key }: TlsTexts): ClientTlsMaterial {
  return {
    // A private authority is trusted besides the well-known ones, not instead of them.
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}

export interface TlsFetch extends Disposable {
  readonly fetch: Fetch;
}

/** A fetch with a client certificate, which the global fetch does not take. It follows no redirect. */
export function createTlsFetch(material: ClientTlsMaterial): TlsFetch {
  const agent = new https.Agent({ keepAlive: true });
  const fetch: Fetch = (input, init = {}) =>
    new Promise((resolve, reject) => {
      const url = new URL(input);
      const headers = Object.fromEntries(new Headers(init.headers));
      const options = { method: init.method ?? 'GET', headers, ...(init.signal ? { signal: init.signal } : {}) };
      const request = url.protocol === 'https:' ? https.request(url, { ...options, ...material, agent }) : http.request(url, options);
      request.once('error', reject);
      request.once('response', (incoming) => {
        try {
          resolve(toResponse(incoming));
        } catch (error) {
          incoming.destroy();
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
      request.end(typeof init.body === 'string' || init.body instanceof URLSearchParams ? init.body.toString() : undefined);
    });
  const held = toDisposable(() => {
    agent.destroy();
  });
  return { fetch, dispose: () => held.dispose() };
}

function toResponse(incoming: http.IncomingMessage): Response {
  const status = incoming.statusCode ?? 0;
  const headers = new Headers();
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
    headers.append(incoming.rawHeaders[index] ?? '', incoming.rawHeaders[index + 1] ?? '');
  }
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  if (!hasBody) {
    incoming.resume();
  }
  const body = hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) : null;
  return new Response(body, { status, statusText: incoming.statusMessage ?? '', headers });
}
