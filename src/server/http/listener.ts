import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hasCode } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { CredentialStore } from '../credentials.ts';
import type { ServerLimits, ServerTimings } from '../limits.ts';
import { corsHeaders, createFrontDoor, knock, preflightHeaders, type FrontDoor } from './frontDoor.ts';
import type { Incoming, Routes } from './incoming.ts';
import { refuse, type Refusal } from './refusals.ts';

export interface ListenerOptions {
  /** 0 lets the system choose. */
  readonly port: number;
  readonly allowedOrigins: readonly string[];
  readonly credentials: CredentialStore;
  readonly limits: ServerLimits;
  readonly timings: ServerTimings;
  readonly log: Log;
  readonly routes: Routes;
}

const noQuery = new URLSearchParams();

/** The port on 127.0.0.1 and the only way from it to the rest: every request passes the front door first. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #server: Server;
  #door: FrontDoor;

  constructor(options: ListenerOptions) {
    const { timings, limits } = options;
    this.#options = options;
    this.#door = createFrontDoor(0, options.allowedOrigins, options.credentials);
    this.#server = createServer({
      noDelay: true,
      keepAliveTimeout: 65_000,
      headersTimeout: timings.headers,
      requestTimeout: timings.requestBody,
      connectionsCheckingInterval: Math.min(timings.headers, timings.requestBody, 10_000) / 2,
      maxHeaderSize: 16 * 1024,
    });
    this.#server.maxHeadersCount = 100;
    this.#server.maxConnections = limits.streams + 1_024;
    this.#server.on('request', (request, response) => this.#onRequest(request, response));
  }

  /** The port it got; another than the wanted one if that is taken. */
  async listen(): Promise<number> {
    const { port } = this.#options;
    try {
      await this.#bind(port);
    } catch (error) {
      if (port === 0 || !(hasCode(error, 'EADDRINUSE') || hasCode(error, 'EACCES'))) {
        throw error;
      }
      await this.#bind(0);
    }
    this.#server.on('error', (error) => {
      this.#options.log.error('The listener failed.', error);
    });
    const bound = (this.#server.address() as AddressInfo).port;
    this.#door = createFrontDoor(bound, this.#options.allowedOrigins, this.#options.credentials);
    return bound;
  }

  /** Lets answers on their way finish, for at most `graceMs`. */
  async close(graceMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    this.#server.closeIdleConnections();
    const cutOff = setTimeout(() => {
      this.#server.closeAllConnections();
    }, graceMs);
    await closed;
    clearTimeout(cutOff);
  }

  /** At once, for the end of the process. */
  closeNow(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #bind(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    const turnAway = (refusal: Refusal): void => refuse(request, response, refusal, this.#options.timings.refusedBody);
    try {
      this.#admit(request, response, turnAway);
    } catch (error) {
      this.#options.log.error('A request failed.', error);
      turnAway({ status: 500 });
    }
  }

  #admit(request: IncomingMessage, response: ServerResponse, turnAway: (refusal: Refusal) => void): void {
    const verdict = knock(this.#door, request);
    if (verdict.origin !== undefined) {
      for (const [name, value] of Object.entries(corsHeaders(verdict.origin))) {
        response.setHeader(name, value);
      }
    }
    switch (verdict.kind) {
      case 'refuse':
        turnAway(verdict.refusal);
        break;
      case 'preflight':
        response.writeHead(204, { ...preflightHeaders, 'Content-Length': 0 });
        response.end();
        break;
      case 'pass':
        this.#route({ request, response, credential: verdict.credential, query: noQuery, refuse: turnAway });
        break;
    }
  }

  #route(incoming: Incoming): void {
    const { method = '', url = '', headers } = incoming.request;
    const mark = url.indexOf('?');
    const isUpgrade = headers.upgrade?.toLowerCase() === 'websocket';
    const path = isUpgrade ? '/ws' : mark === -1 ? url : url.slice(0, mark);
    const methods = this.#options.routes.get(path);
    if (methods === undefined) {
      incoming.refuse({ status: 404 });
      return;
    }
    const handler = methods.get(method);
    if (handler === undefined) {
      incoming.refuse({ status: 405, allow: [...methods.keys()].join(', ') });
      return;
    }
    handler(mark === -1 ? incoming : { ...incoming, query: new URLSearchParams(url.slice(mark + 1)) });
  }
}
