import type { IncomingMessage } from 'node:http';
import { WebSocketServer } from 'ws';
import type { Clock } from '../../../base/clock.ts';
import { isJsonObject } from '../../../base/json.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { Log } from '../../../base/log.ts';
import type { CredentialStore } from '../../access/credentials.ts';
import type { ServerTimings } from '../../access/limits.ts';
import { handling } from '../../access/spreadWork.ts';
import type { Session } from '../../protocol/legacy/session.ts';
import { isModernMessage } from '../../protocol/modern/envelope.ts';
import type { ModernClient } from '../../protocol/modern/modernClient.ts';
import { classify, refuseLimited, rpcCode, rpcErrorText } from '../../protocol/rpc/rpc.ts';
import { maxUnapprovedSessions, type SessionDirectory, type SessionRequest } from '../../protocol/sessionDirectory.ts';
import type { WireCredential } from '../../seen/viewer.ts';
import type { HttpRefusal } from '../http/answers.ts';
import type { Incoming, RouteHandler } from '../http/incoming.ts';
import { takeOver } from '../http/upgrade.ts';
import { type FairUse, mustPass } from './fairUse.ts';
import { parseBody, whyUnread } from './jsonBody.ts';
import { missingPlace, noPlace, takePlaces } from './streamHub.ts';
import type { EndpointServices } from './streamableHttp.ts';
import { closeCode, WebSocketConnection } from './webSocketConnection.ts';

export interface WebSocketServices extends EndpointServices {
  readonly clock: Clock;
  readonly timings: ServerTimings;
  readonly credentials: CredentialStore;
}

const badHandshake: HttpRefusal = {
  status: 400,
  rpc: { code: rpcCode.invalidRequest, message: 'Invalid request: not a WebSocket handshake' },
};

/** MCP over WebSocket: one socket is one client, with the rules of stdio. */
export class WebSocketEndpoint implements Disposable {
  readonly #services: WebSocketServices;
  readonly #acceptor: WebSocketServer;
  readonly #shakingHands = new WeakMap<IncomingMessage, Incoming>();
  readonly #open = new Set<WebSocketConversation>();
  readonly #revocations: Disposable;

  constructor(services: WebSocketServices) {
    const { limits, timings } = services;
    this.#services = services;
    // The types of the library lack this option.
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

  /** Answers requests to `/ws` that ask for no WebSocket. */
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

  /** Closes all sockets and tells the clients that the server stops. */
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
      handling.run(() => conversation.dispose()); // after what was said before
    });
  }

  /**
   * Makes room for a socket. Silent sockets have no session by which they are counted: if there are too many, the oldest of the
   * same credential is closed.
   */
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

  /** Closes all sockets of a credential, also silent ones. */
  #closeAll(credentialId: string): void {
    for (const conversation of this.#open) {
      if (conversation.credential.id === credentialId) {
        conversation.end(closeCode.policyViolation, 'the credential was revoked');
      }
    }
  }
}

export interface ConversationServices {
  readonly directory: SessionDirectory;
  readonly fairUse: FairUse;
  readonly log: Log;
}

const unreadable = rpcErrorText(null, { code: rpcCode.parseError, message: 'Parse error' });

const refusal = (why: string): string => rpcErrorText(null, { code: rpcCode.invalidRequest, message: `Invalid request: ${why}` });

/** The conversation on one WebSocket. The first message of each era opens the session or client that answers it. */
class WebSocketConversation implements Disposable {
  readonly #connection: WebSocketConnection;
  readonly credential: WireCredential;
  readonly #services: ConversationServices;
  #modern: ModernClient | undefined;
  #session: Session | undefined;
  #isEnding = false;

  constructor(connection: WebSocketConnection, credential: WireCredential, services: ConversationServices) {
    this.#connection = connection;
    this.credential = credential;
    this.#services = services;
  }

  /** Whether nothing has been received that opens a session. */
  get isSilent(): boolean {
    return this.#session === undefined && this.#modern === undefined;
  }

  get isApproved(): boolean {
    return [this.#session, this.#modern].some((each) => each?.approvalState.kind === 'allowed');
  }

  receive(text: string): void {
    try {
      this.#take(text);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Ends the conversation: requests under way are answered or cancelled before the connection closes. */
  end(code: number, reason: string): void {
    this.#isEnding = true;
    this.dispose();
    this.#connection.close(code, reason);
  }

  dispose(): void {
    this.#session?.dispose();
    this.#modern?.dispose();
  }

  #take(text: string): void {
    if (!this.#services.fairUse.isBearable(this.#connection)) {
      this.#connection.close(closeCode.policyViolation, 'too many messages');
      return;
    }
    const why = whyUnread(text);
    const parsed = why === undefined ? parseBody(text) : undefined;
    const peer = { credential: this.credential, connection: this.#connection };
    switch (this.#services.fairUse.count(peer, parsed?.body, text.length)) {
      case 'ok':
        if (parsed === undefined) {
          this.#connection.respond(why === undefined ? unreadable : refusal(why));
        } else {
          this.#deliver(parsed.body);
        }
        break;
      case 'limited':
        this.#onLimited(parsed?.body);
        break;
      case 'flood':
        this.#connection.close(closeCode.policyViolation, 'too many messages');
        break;
    }
  }

  /** Only a batch may have something in it that must never be dropped; anything else is refused without a session. */
  #onLimited(body: unknown): void {
    if (Array.isArray(body)) {
      this.#deliver(body, mustPass);
    } else if (body !== undefined) {
      this.#answerInvalid(refuseLimited(classify(body), this.#connection));
    }
  }

  #deliver(body: unknown, mustPassOnly?: typeof mustPass): void {
    if (isModernMessage(body)) {
      this.#modern ??= this.#openModern();
      this.#answerInvalid(this.#modern?.receive(body, this.#connection));
      return;
    }
    const isCancellation = isJsonObject(body) && body.method === 'notifications/cancelled';
    if (isCancellation && this.#modern !== undefined) {
      // A cancellation does not say to which era it belongs, so both get it.
      this.#modern.receive(body, this.#connection);
    }
    if (this.#session === undefined && !isCancellation) {
      this.#session = this.#openSession();
    }
    this.#answerInvalid(this.#session?.receive(body, this.#connection, mustPassOnly));
  }

  #answerInvalid(receipt: { readonly kind: 'accepted' } | { readonly kind: 'invalid'; readonly text: string } | undefined): void {
    if (receipt?.kind === 'invalid') {
      this.#connection.respond(receipt.text);
    }
  }

  #openModern(): ModernClient | undefined {
    const { directory } = this.#services;
    return this.#hasPlace() ? directory.openModern(this.credential, 'ws', this.#request()) : undefined;
  }

  #openSession(): Session | undefined {
    const { directory } = this.#services;
    return this.#hasPlace() ? directory.openForClient(this.credential, 'ws', this.#request()) : undefined;
  }

  #request(): SessionRequest {
    return {
      outlet: (text) => this.#connection.send(text),
      isConnected: () => this.#connection.isOpen,
      onClose: () => {
        if (!this.#isEnding) {
          this.end(closeCode.policyViolation, 'the session was ended');
        }
      },
    };
  }

  #hasPlace(): boolean {
    const hasPlace = this.#services.directory.makeRoom(this.credential);
    if (!hasPlace) {
      this.#connection.close(closeCode.tryAgainLater, 'too many sessions');
    }
    return hasPlace;
  }

  #fail(error: unknown): void {
    this.#services.log.error('A message failed.', error);
    this.#connection.close(closeCode.internalError, 'internal error');
  }
}
