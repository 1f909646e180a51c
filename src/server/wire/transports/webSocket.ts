import type { IncomingMessage } from 'node:http';
import { WebSocketServer } from 'ws';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { Clock } from '../../../base/clock.ts';
import type { CredentialStore } from '../../access/credentials.ts';
import type { Incoming, RouteHandler } from '../http/incoming.ts';
import type { Refusal } from '../http/refusals.ts';
import { takeOver } from '../http/upgrade.ts';
import { rpcCode } from '../../protocol/rpc/rpc.ts';
import { maxUnapprovedSessions } from '../../protocol/sessionDirectory.ts';
import type { ServerTimings } from '../../access/timings.ts';
import type { EndpointServices } from './streamableHttp.ts';
import { missingPlace, noPlace, takePlaces } from './places.ts';
import { closeCode, WebSocketConnection } from './webSocketConnection.ts';
import { WebSocketConversation } from './webSocketConversation.ts';
import type { WireCredential } from '../../seen/viewer.ts';

export interface WebSocketServices extends EndpointServices {
  readonly clock: Clock;
  readonly timings: ServerTimings;
  readonly credentials: CredentialStore;
}

const badHandshake: Refusal = { status: 400, rpc: { code: rpcCode.invalidRequest, message: 'Invalid request: not a WebSocket handshake' } };

/** MCP over WebSocket: one socket is one client and follows the rules of stdio. */
export class WebSocketEndpoint implements Disposable {
  readonly #services: WebSocketServices;
  readonly #acceptor: WebSocketServer;
  readonly #shakingHands = new WeakMap<IncomingMessage, Incoming>();
  readonly #open = new Set<WebSocketConversation>();
  readonly #revocations: Disposable;

  constructor(services: WebSocketServices) {
    const { limits, timings } = services;
    this.#services = services;
    // Not in the library's types yet.
    const closeTimeout = { closeTimeout: timings.stop };
    this.#acceptor = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: limits.bodyBytes,
      handleProtocols: (offered) => (offered.has('mcp') ? 'mcp' : false),
      ...closeTimeout,
    });
    this.#acceptor.on('wsClientError', (_error, _socket, request) => this.#shakingHands.get(request)?.refuse(badHandshake));
    this.#revocations = services.credentials.onDidRevoke((id) => this.#closeAll(id));
  }

  /** For those who come to `/ws` without asking for a WebSocket. */
  readonly methods: ReadonlyMap<string, RouteHandler> = new Map([
    ['GET', (incoming: Incoming): void => incoming.refuse({ status: 426, upgrade: 'websocket' })],
  ]);

  readonly take: RouteHandler = (incoming) => {
    const { request, response, credential, upgrade } = incoming;
    if (request.method !== 'GET' || upgrade === undefined) {
      incoming.refuse({ status: 405, allow: 'GET' });
      return;
    }
    const missing = this.#makeRoom(credential);
    if (missing !== undefined) {
      incoming.refuse(noPlace(missing, this.#services.limits));
    } else {
      this.#shakingHands.set(request, incoming);
      this.#acceptor.handleUpgrade(request, upgrade.socket, upgrade.head, (socket) => {
        takeOver(response, upgrade);
        this.#begin(new WebSocketConnection(socket, upgrade.socket), credential);
      });
    }
  };

  /** Tells every client that the server goes. */
  dispose(): void {
    this.#revocations.dispose();
    for (const conversation of this.#open) {
      conversation.end(closeCode.goingAway, 'the server stops');
    }
  }

  #begin(connection: WebSocketConnection, credential: WireCredential): void {
    const { hub, clock, limits } = this.#services;
    const conversation = new WebSocketConversation(connection, credential, this.#services);
    this.#open.add(conversation);
    const letGo = hub.hold(connection, { credential, client: conversation, isApproved: () => conversation.isApproved });
    const idle = clock.schedule(limits.idleSessionMinutes * 60_000, () => {
      connection.close(closeCode.policyViolation, 'nothing was said');
    });
    connection.onText((text) => {
      idle.dispose();
      conversation.receive(text);
    });
    connection.onClose(() => {
      this.#open.delete(conversation);
      letGo();
      idle.dispose();
      conversation.dispose();
    });
  }

  /** Sockets that say nothing have no session to be counted by: beyond a few, the oldest of the same credential goes. */
  #makeRoom(credential: WireCredential): ReturnType<typeof missingPlace> {
    const missing = missingPlace(this.#services, credential);
    if (missing !== undefined) {
      return missing;
    }
    const silent = [...this.#open].filter((each) => each.isSilent && each.credential.id === credential.id);
    if (silent.length >= maxUnapprovedSessions) {
      silent[0]?.end(closeCode.tryAgainLater, 'too many connections that say nothing');
    }
    return takePlaces(this.#services, credential);
  }

  /** Also of those who have not said anything yet. */
  #closeAll(credentialId: string): void {
    for (const conversation of this.#open) {
      if (conversation.credential.id === credentialId) {
        conversation.end(closeCode.policyViolation, 'the credential was revoked');
      }
    }
  }
}
