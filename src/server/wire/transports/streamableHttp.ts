// transports/: the ways to the protocol: Streamable HTTP on /mcp (this file; modernHttp.ts for requests without a session),
// HTTP+SSE on /sse and /messages, WebSocket on /ws and /mcp, and the chat's in-memory link.
import type { Log } from '../../../base/log.ts';
import { accepts, type Incoming, type RouteHandler } from '../http/incoming.ts';
import { type FairUse, mustPass } from './fairUse.ts';
import type { Catalog } from '../../offer/catalog/catalog.ts';
import { mayGoOn } from '../../access/credentials.ts';
import type { ServerLimits } from '../../access/limits.ts';
import { isModernRequest, isWithoutSession, ModernHttpEndpoint } from './modernHttp.ts';
import { problemWithInitialize } from '../../protocol/legacy/initialize.ts';
import { allowsBatches, isLegacyRevision, primesStreams } from '../../protocol/requests/revisions.ts';
import { classify, rpcCode, rpcErrorText, type Inbound, type RpcId } from '../../protocol/rpc/rpc.ts';
import type { SessionDirectory } from '../../protocol/sessionDirectory.ts';
import { HttpSession, parseEventId, PostExchange } from './httpSession.ts';
import { takeJsonBody } from './jsonBody.ts';
import { sendAccepted, sendJson } from '../http/answers.ts';
import { noPlace, noSession, streamOwner, type StreamHub } from './streamHub.ts';
import type { WireCredential } from '../../seen/viewer.ts';

export interface EndpointServices {
  readonly directory: SessionDirectory;
  readonly catalog: Catalog;
  readonly hub: StreamHub;
  readonly fairUse: FairUse;
  readonly limits: ServerLimits;
  readonly log: Log;
}

interface Delivery {
  readonly headers?: Readonly<Record<string, string>>;
  /** Given for a body beyond the rate limit. */
  readonly mustPassOnly?: typeof mustPass;
}

/** Streamable HTTP: the sessions of the legacy revisions and, on the same path, the requests of 2026-07-28 that need none. */
export class StreamableHttpEndpoint {
  readonly #services: EndpointServices;
  readonly #modern: ModernHttpEndpoint;
  readonly #sessions = new Map<string, HttpSession>();

  constructor(services: EndpointServices) {
    this.#services = services;
    this.#modern = new ModernHttpEndpoint(services);
  }

  readonly methods: ReadonlyMap<string, RouteHandler> = new Map<string, RouteHandler>([
    ['GET', (incoming) => this.#get(incoming)],
    ['POST', (incoming) => this.#post(incoming)],
    ['DELETE', (incoming) => this.#delete(incoming)],
  ]);

  #post(incoming: Incoming): void {
    const { accept } = incoming.request.headers;
    if (!accepts(accept, 'application/json') && !accepts(accept, 'text/event-stream')) {
      incoming.refuse({ status: 406 });
      return;
    }
    const { limits, fairUse, log } = this.#services;
    const onLimited = (body: unknown): void => this.#onLimited(incoming, body);
    takeJsonBody(incoming, { bodyBytes: limits.bodyBytes, fairUse, log, onLimited }, (body) => {
      if (isModernRequest(incoming, body)) {
        this.#modern.post(incoming, body);
        return;
      }
      const sessionId = incoming.request.headers['mcp-session-id'];
      if (sessionId === undefined) {
        this.#postWithoutSession(incoming, body);
        return;
      }
      const session = this.#find(sessionId, incoming.credential);
      if (session === undefined) {
        incoming.refuse(noSession('http'));
      } else if (this.#hasKnownVersion(incoming)) {
        this.#deliver(incoming, session, body);
      }
    });
  }

  /** Beyond the rate limit a body is refused as a whole, unless it is a batch with something in it that must never be dropped. */
  #onLimited(incoming: Incoming, body: unknown): void {
    const sessionId = incoming.request.headers['mcp-session-id'] ?? '';
    const session = Array.isArray(body) && body.some(mustPass) ? this.#find(sessionId, incoming.credential) : undefined;
    if (session === undefined || !allowsBatches(session.session.revision)) {
      incoming.refuse({ status: 429, retryAfterSeconds: 1 });
    } else if (this.#hasKnownVersion(incoming)) {
      this.#deliver(incoming, session, body, { mustPassOnly: mustPass });
    }
  }

  #postWithoutSession(incoming: Incoming, body: unknown): void {
    const message = Array.isArray(body) ? undefined : classify(body);
    if (message?.kind !== 'request' || message.method !== 'initialize') {
      refuseMessage(incoming, ...problemWithoutSession(body, message));
      return;
    }
    const problem = problemWithInitialize(message.params);
    if (problem !== undefined) {
      sendJson(incoming.response, 200, rpcErrorText(message.id, problem));
      return;
    }
    if (!this.#services.directory.makeRoom(incoming.credential)) {
      incoming.refuse(noPlace('sessions', this.#services.limits));
      return;
    }
    const session = this.#begin(incoming.credential);
    this.#deliver(incoming, session, body, { headers: { 'Mcp-Session-Id': session.session.id } });
  }

  #begin(credential: WireCredential): HttpSession {
    const streams = new HttpSession();
    const session = this.#services.directory.openForClient(credential, 'http', {
      outlet: (text) => streams.standing.send(text),
      isConnected: () => streams.standing.isAttached,
      onClose: (sessionId) => {
        this.#sessions.delete(sessionId);
        streams.dispose();
      },
    });
    streams.adopt(session);
    this.#sessions.set(session.id, streams);
    return streams;
  }

  #deliver(incoming: Incoming, session: HttpSession, body: unknown, { headers, mustPassOnly }: Delivery = {}): void {
    const { request, response } = incoming;
    const { accept } = request.headers;
    const exchange = new PostExchange({
      response,
      credential: incoming.credential,
      session,
      hub: this.#services.hub,
      acceptsJson: accepts(accept, 'application/json'),
      acceptsSse: accepts(accept, 'text/event-stream'),
      headers,
    });
    const receipt = session.session.receive(body, exchange, mustPassOnly);
    if (receipt.kind === 'invalid') {
      sendJson(response, 400, receipt.text);
    } else if (!receipt.expectsAnswer) {
      sendAccepted(response);
    }
  }

  #get(incoming: Incoming): void {
    const { request, response } = incoming;
    if (isWithoutSession(incoming.request.headers)) {
      incoming.refuse({ status: 405, allow: 'POST' });
      return;
    }
    if (!accepts(request.headers.accept, 'text/event-stream')) {
      incoming.refuse({ status: 406 });
      return;
    }
    const session = this.#requireSession(incoming);
    if (session === undefined) {
      return;
    }
    const owner = streamOwner(session.session, incoming.credential);
    const lastEventId = request.headers['last-event-id'];
    const resume = typeof lastEventId === 'string' ? parseEventId(lastEventId) : undefined;
    const resumed = resume === undefined ? undefined : session.findStream(resume.stream);
    if (resumed === undefined && session.standing.isAttached) {
      incoming.refuse({ status: 409 });
    } else if (!this.#services.hub.makeRoom(owner, resumed?.connection)) {
      incoming.refuse(noPlace('streams', this.#services.limits));
    } else {
      const prime = primesStreams(session.session.revision);
      const connection = this.#services.hub.open(response, owner);
      connection.onClose(() => this.#services.directory.touch(session.session.id));
      (resumed ?? session.standing).attach(connection, { prime, after: resumed === undefined ? undefined : resume?.sequence });
    }
  }

  #delete(incoming: Incoming): void {
    if (isWithoutSession(incoming.request.headers)) {
      incoming.refuse({ status: 405, allow: 'POST' });
      return;
    }
    const session = this.#requireSession(incoming);
    if (session !== undefined) {
      session.session.dispose();
      incoming.response.writeHead(204).end();
    }
  }

  /** Returns the session that the header names; if there is none, the refusal has been sent. */
  #requireSession(incoming: Incoming): HttpSession | undefined {
    const sessionId = incoming.request.headers['mcp-session-id'];
    if (sessionId === undefined) {
      refuseMessage(incoming, null, sessionMissing);
      return undefined;
    }
    const session = this.#find(sessionId, incoming.credential);
    if (session === undefined) {
      incoming.refuse(noSession('http'));
      return undefined;
    }
    return this.#hasKnownVersion(incoming) ? session : undefined;
  }

  /** Finds a session; that of another client looks like none. */
  #find(sessionId: string | readonly string[], credential: WireCredential): HttpSession | undefined {
    const session = typeof sessionId === 'string' ? this.#sessions.get(sessionId) : undefined;
    return session !== undefined && mayGoOn(session.session.credential, credential) ? session : undefined;
  }

  #hasKnownVersion(incoming: Incoming): boolean {
    const version = incoming.request.headers['mcp-protocol-version'];
    if (version === undefined || isLegacyRevision(version)) {
      return true;
    }
    refuseMessage(incoming, null, 'unsupported MCP-Protocol-Version');
    return false;
  }
}

const sessionMissing = 'the Mcp-Session-Id header is missing';

function problemWithoutSession(body: unknown, message: Inbound | undefined): readonly [RpcId | null, string] {
  if (Array.isArray(body)) {
    const hasInitialize = body.some((item: unknown) => {
      const inner = classify(item);
      return inner.kind === 'request' && inner.method === 'initialize';
    });
    return [null, body.length === 0 ? 'a batch is not empty' : hasInitialize ? 'initialize is never part of a batch' : sessionMissing];
  }
  if (message?.kind === 'invalid') {
    return [message.id, message.reason];
  }
  return [message?.kind === 'request' ? message.id : null, sessionMissing];
}

function refuseMessage(incoming: Incoming, id: RpcId | null, reason: string): void {
  sendJson(incoming.response, 400, rpcErrorText(id, { code: rpcCode.invalidRequest, message: `Invalid request: ${reason}` }));
}
