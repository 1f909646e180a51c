import { ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';

/** The connection of a request that wants to switch to WebSocket. */
export interface Upgrade {
  readonly socket: Socket;
  /** The bytes that came after the head of the request. */
  readonly head: Buffer;
}

export type UpgradeAdmission = (request: IncomingMessage, response: ServerResponse, upgrade: Upgrade) => void;

/**
 * Options for `createServer`. Where Node knows them (24.9 and later), offers of other protocols never become upgrades; elsewhere
 * `ignoreOffer` undoes them.
 */
export const upgradeOptions = { shouldUpgradeCallback: wantsWebSocket };

function wantsWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/** The connections that switched to WebSocket. The HTTP server no longer knows them, so they are closed from here. */
export class Upgrades {
  readonly #open = new Set<Socket>();
  /** The last answer on each connection. */
  readonly #answers = new WeakMap<Socket, ServerResponse>();

  /** `admit` answers by the response, as to any request, or takes the socket with `takeOver`. */
  constructor(server: Server, admit: UpgradeAdmission) {
    server.on('request', (request, response) => this.#answers.set(request.socket, response));
    server.on('upgrade', (request, duplex, head) => {
      const socket = duplex as Socket;
      if (this.#isAnswering(socket)) {
        socket.destroy(); // the connection cannot be anybody else's before the answers on it are sent
      } else if (wantsWebSocket(request)) {
        this.#open.add(socket);
        socket.once('close', () => this.#open.delete(socket));
        admit(request, responseOn(socket, request), { socket, head });
      } else {
        ignoreOffer(server, request, socket, head);
      }
    });
  }

  /** Whether an answer to an earlier request is still under way. */
  #isAnswering(socket: Socket): boolean {
    const last = this.#answers.get(socket);
    return last !== undefined && !(last.writableFinished && last.socket === null);
  }

  closeNow(): void {
    for (const socket of this.#open) {
      socket.destroy();
    }
  }
}

/** Detaches the socket from the response; from now on it belongs to the caller. */
export function takeOver(response: ServerResponse, { socket }: Upgrade): void {
  response.detachSocket(socket);
}

/** Makes the response with which an upgrade is refused; the connection closes after it. */
function responseOn(socket: Socket, request: IncomingMessage): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => {
    socket.destroySoon();
  });
  socket.on('error', () => socket.destroy());
  return response;
}

/**
 * Ignores the offer of another protocol, which some clients make with every first request (Java's sends `Upgrade: h2c`). The
 * request is given back to the server without the offer and is served like any other.
 */
function ignoreOffer(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const lines = [`${request.method ?? ''} ${request.url ?? ''} HTTP/${request.httpVersion}`];
  const { rawHeaders } = request;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!['upgrade', 'connection', 'http2-settings'].includes(name.toLowerCase())) {
      lines.push(`${name}: ${rawHeaders[index + 1] ?? ''}`);
    }
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket);
}
