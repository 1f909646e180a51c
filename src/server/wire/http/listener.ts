// http/: the listener on 127.0.0.1, its front door (Host, Origin, credential), bodies, answers and refusals, and the upgrade to
// WebSocket. It does not look at what a request says: that is for transports/ and oauth/.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { hasCode } from '../../../base/errors.ts';
import type { Log } from '../../../base/log.ts';
import type { CredentialStore } from '../../access/credentials.ts';
import type { RateLimiter, ServerLimits, ServerTimings } from '../../access/limits.ts';
import { handling } from '../../access/spreadWork.ts';
import type { TlsMaterial } from './tlsMaterial.ts';
import { ConnectionPlaces } from './connectionPlaces.ts';
import { checkRequest, corsHeaders, createFrontDoor, type FrontDoor, preflightHeaders, type WindowProofs } from './frontDoor.ts';
import type { Incoming, OpenIncoming, OpenRoutes, RouteHandler, Routes } from './incoming.ts';
import { refuse, type HttpRefusal } from './answers.ts';
import { upgradeOptions, Upgrades, type Upgrade } from './upgrade.ts';
import { WaitingAnswers } from './waitingAnswers.ts';

export interface ListenerOptions {
  /** The port; with 0 the system chooses one. */
  readonly port: number;
  readonly allowedOrigins: readonly string[];
  readonly credentials: CredentialStore;
  readonly limits: ServerLimits;
  readonly timings: ServerTimings;
  readonly log: Log;
  readonly routes: Routes;
  /** The handlers of WebSocket upgrades by path. */
  readonly upgrades: ReadonlyMap<string, RouteHandler>;
  readonly open: OpenPaths;
  readonly proofs: WindowProofs;
  /** Certificate and key; without them plain HTTP. */
  readonly tls?: TlsMaterial | undefined;
}

/** Paths that answer without a credential. */
export interface OpenPaths {
  readonly routes: OpenRoutes;
  /** The rate limit for all these paths and all clients together; metadata has a limit of its own. */
  readonly limiter: RateLimiter;
  /** If false, these paths are not found, and refusals do not mention them. */
  readonly isOffered: boolean;
}

const noQuery = new URLSearchParams();
/** The most connections beside those that hold a stream. */
const maxIdleConnections = 1_024;

/** Listens on 127.0.0.1. Every request passes the front door before anything else sees it. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #server: Server;
  readonly #upgrades: Upgrades;
  /** The sockets below TLS: before its handshake, a connection belongs to no HTTP server. */
  readonly #rawSockets = new Set<Duplex>();
  readonly #places: ConnectionPlaces;
  #door: FrontDoor;
  #isClosing = false;

  constructor(options: ListenerOptions) {
    const { limits } = options;
    this.#options = options;
    this.#door = this.#createDoor(0);
    this.#server = this.#createServer();
    this.#server.maxHeadersCount = 100;
    this.#places = new ConnectionPlaces(limits.streams + maxIdleConnections);
    this.#server.on('connection', (socket) => this.#places.take(socket));
    const waiting = new WaitingAnswers();
    this.#server.on('request', (request, response) => {
      waiting.watch(request.socket, response);
      this.#onRequest(request, response);
    });
    this.#upgrades = new Upgrades(this.#server, (request, response, upgrade) => this.#onRequest(request, response, upgrade));
  }

  /** Starts to listen and returns the port, which is another than the wanted one if that is taken. */
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
    this.#door = this.#createDoor(bound);
    return bound;
  }

  /** Closes the listener; answers that are being sent may finish, for at most `graceMs`. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    this.#server.closeIdleConnections();
    const cutOff = setTimeout(() => this.#cutOff(), graceMs);
    await closed;
    clearTimeout(cutOff);
  }

  /** Closes everything at once, at the end of the process. */
  closeNow(): void {
    this.#isClosing = true;
    this.#server.close();
    this.#cutOff();
  }

  #cutOff(): void {
    this.#server.closeAllConnections();
    this.#upgrades.closeNow();
    for (const socket of this.#rawSockets) {
      socket.destroy();
    }
  }

  #createServer(): Server {
    const { timings, tls } = this.#options;
    const common = {
      noDelay: true,
      keepAliveTimeout: 65_000,
      headersTimeout: timings.headers,
      requestTimeout: timings.requestBody,
      connectionsCheckingInterval: Math.min(timings.headers, timings.requestBody, 10_000) / 2,
      maxHeaderSize: 16 * 1024,
      ...upgradeOptions,
    };
    if (tls === undefined) {
      return createServer(common);
    }
    const { cert, key, ca } = tls;
    const mutual = ca === undefined ? {} : { ca, requestCert: true, rejectUnauthorized: true };
    const server = createSecureServer({ ...common, cert, key, ...mutual, minVersion: 'TLSv1.2', handshakeTimeout: timings.headers });
    server.on('connection', (socket) => {
      this.#rawSockets.add(socket);
      socket.once('close', () => this.#rawSockets.delete(socket));
    });
    return server;
  }

  #createDoor(port: number): FrontDoor {
    const { allowedOrigins, credentials, open, proofs, tls } = this.#options;
    const openPaths = new Set(open.routes.keys());
    const isSecure = tls !== undefined;
    return createFrontDoor({ port, isSecure, allowedOrigins, credentials, offersSignIn: open.isOffered, openPaths, proofs });
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

  #onRequest(request: IncomingMessage, response: ServerResponse, upgrade?: Upgrade): void {
    if (this.#isClosing) {
      request.socket.destroy();
      return;
    }
    const turnAway = (refusal: HttpRefusal): void => refuse(request, response, refusal, this.#options.timings.refusedBody);
    this.#guard(turnAway, () => this.#admit(request, response, turnAway, upgrade));
  }

  #guard(turnAway: (refusal: HttpRefusal) => void, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.log.error('A request failed.', error);
      turnAway({ status: 500 });
    }
  }

  #admit(request: IncomingMessage, response: ServerResponse, turnAway: (refusal: HttpRefusal) => void, upgrade: Upgrade | undefined): void {
    const { url = '' } = request;
    const mark = url.indexOf('?');
    const path = mark === -1 ? url : url.slice(0, mark);
    const verdict = checkRequest(this.#door, request, path);
    if (verdict.origin !== undefined) {
      for (const [name, value] of Object.entries(corsHeaders(verdict.origin))) {
        response.setHeader(name, value);
      }
    }
    const query = mark === -1 ? noQuery : new URLSearchParams(url.slice(mark + 1));
    switch (verdict.kind) {
      case 'refuse':
        if (verdict.refusal instanceof Promise) {
          void verdict.refusal.then(turnAway);
        } else {
          turnAway(verdict.refusal);
        }
        break;
      case 'preflight':
        response.writeHead(204, { ...preflightHeaders, 'Content-Length': 0 });
        response.end();
        break;
      case 'open':
        this.#routeOpen(path, { request, response, base: verdict.base, query, isCurrent: () => !this.#isClosing, refuse: turnAway });
        break;
      case 'pass': {
        const { credential } = verdict;
        const isCurrent = (): boolean => !this.#isClosing && this.#options.credentials.holds(credential);
        this.#places.know(request.socket, credential.id, response);
        this.#routeInTurn(path, { request, response, credential, query, isCurrent, refuse: turnAway, upgrade });
        break;
      }
    }
  }

  /** Routes a request when its turn comes, unless its client has gone by then, or its credential. */
  #routeInTurn(path: string, incoming: Incoming): void {
    const { request } = incoming;
    let hasWaited = false;
    const isDone = handling.run(() => {
      if (hasWaited && (request.socket.destroyed || !incoming.isCurrent())) {
        request.socket.destroy();
        return;
      }
      this.#guard(
        (refusal) => incoming.refuse(refusal),
        () => this.#route(path, incoming),
      );
    });
    hasWaited = !isDone;
  }

  #route(path: string, incoming: Incoming): void {
    if (incoming.upgrade !== undefined) {
      const take = this.#options.upgrades.get(path) ?? ((unknown: Incoming): void => unknown.refuse({ status: 404 }));
      take(incoming);
      return;
    }
    dispatch(this.#options.routes.get(path), incoming);
  }

  #routeOpen(path: string, incoming: OpenIncoming): void {
    const { routes, limiter, isOffered } = this.#options.open;
    // Metadata has a limit of its own, so that flooding it keeps nobody from signing in.
    if (!limiter.take(path.startsWith('/.well-known/') ? 'descriptions' : 'everybody', 1)) {
      incoming.refuse({ status: 429, retryAfterSeconds: 1 });
      return;
    }
    dispatch(isOffered ? routes.get(path) : undefined, incoming);
  }
}

function dispatch<T extends Incoming | OpenIncoming>(methods: ReadonlyMap<string, (incoming: T) => void> | undefined, incoming: T): void {
  if (methods === undefined) {
    incoming.refuse({ status: 404 });
    return;
  }
  const handler = methods.get(incoming.request.method ?? '');
  if (handler === undefined) {
    incoming.refuse({ status: 405, allow: [...methods.keys()].join(', ') });
    return;
  }
  handler(incoming);
}
