import { ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';

/** The connection behind a request to speak WebSocket on it. */
export interface Upgrade {
  readonly socket: Socket;
  /** What came after the request's head. */
  readonly head: Buffer;
}

export type UpgradeAdmission = (request: IncomingMessage, response: ServerResponse, upgrade: Upgrade) => void;

/** For `createServer`. Where Node asks it (24.9 and later), other offers never become upgrades; elsewhere they are turned back below. */
export const upgradeOptions = { shouldUpgradeCallback: wantsWebSocket };

function wantsWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/** Connections that left HTTP: the server no longer knows them, so they are closed from here. */
export class Upgrades {
  readonly #open = new Set<Socket>();

  /** `admit` answers through the response like to any request, or takes the socket over with `takeOver`. */
  constructor(server: Server, admit: UpgradeAdmission) {
    server.on('upgrade', (request, duplex, head) => {
      const socket = duplex as Socket;
      if (wantsWebSocket(request)) {
        this.#open.add(socket);
        socket.once('close', () => this.#open.delete(socket));
        admit(request, responseOn(socket, request), { socket, head });
      } else {
        ignoreOffer(server, request, socket, head);
      }
    });
  }

  closeNow(): void {
    for (const socket of this.#open) {
      socket.destroy();
    }
  }
}

/** From here on the socket is the caller's alone. */
export function takeOver(response: ServerResponse, { socket }: Upgrade): void {
  response.detachSocket(socket);
}

/** An upgrade is refused with an ordinary answer, after which the connection closes. */
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
 * An offer of another protocol may be ignored, and some clients make one with every first request (Java's sends
 * `Upgrade: h2c`). The request goes back to the server without the offer and is served like any other.
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
