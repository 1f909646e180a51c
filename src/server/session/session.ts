import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { Clock } from '../clock.ts';
import type { Credential } from '../credentials.ts';
import type { ServerLimits, ServerTimings } from '../limits.ts';
import type { AccessControl } from '../access/accessControl.ts';
import type { ClientAccess } from '../access/clientAccess.ts';
import type { ApprovalState } from '../access/connectApproval.ts';
import type { TransportKind, Viewer } from '../catalog/callContext.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { InFlight, type Asker } from './inFlight.ts';
import { callsItself, problemWithInitialize } from './initialize.ts';
import { createLegacyMethods } from './legacyMethods.ts';
import type { Method } from './methods.ts';
import { BatchSink, type ReplySink } from './replySink.ts';
import { allowsBatches, negotiate, newestLegacy, shapeResult, type LegacyRevision } from './revisions.ts';
import {
  classify,
  isRpcError,
  RpcError,
  rpcCode,
  rpcErrorText,
  rpcNotificationText,
  rpcResultText,
  type Inbound,
  type RequestId,
} from './rpc.ts';
import { SdkLink, type ServerIdentity } from './sdkLink.ts';
import { Subscriptions } from './subscriptions.ts';

/** What all sessions of a server share. */
export interface SessionServices {
  readonly catalog: Catalog;
  readonly methods: ReadonlyMap<string, Method>;
  readonly access: AccessControl;
  readonly clock: Clock;
  readonly limits: ServerLimits;
  readonly timings: ServerTimings;
  readonly log: Log;
  readonly identity: Omit<ServerIdentity, 'instructions'>;
}

export interface SessionBirth {
  readonly id: string;
  readonly credential: Credential;
  readonly transport: TransportKind;
  /** Takes what belongs to no request of the client. */
  readonly outlet: (text: string) => void;
  readonly observer: SessionObserver;
}

export interface SessionObserver {
  didChange(): void;
  didReceive(method: string): void;
  didClose(): void;
}

/** `invalid` carries the JSON-RPC error; over HTTP that is a 400. */
export type Receipt =
  | { readonly kind: 'accepted'; readonly expectsAnswer: boolean }
  | { readonly kind: 'invalid'; readonly id: RequestId | null; readonly text: string };

type Request = Extract<Inbound, { kind: 'request' }>;

const nothingExpected: Receipt = { kind: 'accepted', expectsAnswer: false };
const answerExpected: Receipt = { kind: 'accepted', expectsAnswer: true };
const mostBatchItems = 100;

/** One client's conversation with the server, whatever carries it: the rules of the legacy revisions. */
export class Session implements Disposable, Asker {
  readonly id: string;
  readonly credential: Credential;
  readonly transport: TransportKind;
  readonly #services: SessionServices;
  readonly #birth: SessionBirth;
  readonly #owned = new DisposableStore();
  readonly #inFlight = new Map<RequestId, InFlight>();
  readonly #sdk: SdkLink;
  readonly access: ClientAccess;
  readonly #ownMethods: ReadonlyMap<string, Method>;
  #revision: LegacyRevision | undefined;
  #viewer: Viewer;
  #clientCapabilities: JsonObject = {};

  private constructor(services: SessionServices, birth: SessionBirth) {
    this.#services = services;
    this.#birth = birth;
    this.id = birth.id;
    this.credential = birth.credential;
    this.transport = birth.transport;
    this.#viewer = { credential: birth.credential, sessionId: birth.id, callsItself: '', transport: birth.transport };
    const identity = { ...services.identity, instructions: services.catalog.instructions };
    this.#sdk = new SdkLink(identity, services.log, (message, relatedTo) => this.#deliver(message, relatedTo));
    this.access = services.access.forSession(
      () => this.#viewer,
      () => this.#onAccessChanged(),
    );
    this.#owned.add(this.access);
    const subscriptions = this.#owned.add(
      new Subscriptions(services.clock, services.timings.updateInterval, (uri) => this.#notify('notifications/resources/updated', { uri })),
    );
    this.#ownMethods = createLegacyMethods(services.catalog, subscriptions);
  }

  static async open(services: SessionServices, birth: SessionBirth): Promise<Session> {
    const session = new Session(services, birth);
    await session.#sdk.connect();
    return session;
  }

  get approvalState(): ApprovalState {
    return this.access.state;
  }

  get viewer(): Viewer {
    return this.#viewer;
  }

  get callsItself(): string {
    return this.#viewer.callsItself;
  }

  get clientCapabilities(): JsonObject {
    return this.#clientCapabilities;
  }

  wantsLog(): boolean {
    return false;
  }

  /** The negotiated one; the newest before that. */
  get revision(): LegacyRevision {
    return this.#revision ?? newestLegacy;
  }

  get isInitialized(): boolean {
    return this.#revision !== undefined;
  }

  get isBusy(): boolean {
    return this.#inFlight.size > 0;
  }

  /** Takes one parsed body. Every request in it ends in exactly one call of the sink. */
  receive(body: unknown, sink: ReplySink): Receipt {
    return Array.isArray(body) ? this.#receiveBatch(body, sink) : this.#receiveOne(classify(body), sink);
  }

  dispose(): void {
    if (this.#owned.isDisposed) {
      return;
    }
    this.#owned.dispose();
    for (const request of [...this.#inFlight.values()]) {
      request.cancel();
    }
    this.#inFlight.clear();
    this.#sdk.close().catch((error: unknown) => {
      this.#services.log.error('A session did not close cleanly.', error);
    });
    this.#birth.observer.didClose();
  }

  #receiveBatch(items: readonly unknown[], sink: ReplySink): Receipt {
    if (items.length === 0 || items.length > mostBatchItems) {
      return invalid(null, items.length === 0 ? 'a batch is not empty' : 'too many messages in a batch');
    }
    if (this.#revision === undefined || !allowsBatches(this.#revision)) {
      return invalid(null, 'batches are not part of this protocol revision');
    }
    const messages = items.map(classify);
    if (messages.some((message) => message.kind === 'request' && message.method === 'initialize')) {
      return invalid(null, 'initialize is never part of a batch');
    }
    const expected = messages.filter((message) => message.kind === 'request' || message.kind === 'invalid').length;
    const answers = new BatchSink(sink, expected);
    for (const message of messages) {
      const receipt = this.#receiveOne(message, answers);
      if (receipt.kind === 'invalid') {
        answers.respond(receipt.text);
      }
    }
    return expected > 0 ? answerExpected : nothingExpected;
  }

  #receiveOne(message: Inbound, sink: ReplySink): Receipt {
    switch (message.kind) {
      case 'invalid':
        return invalid(message.id, message.reason);
      case 'response':
        this.#sdk.receive(message.raw);
        return nothingExpected;
      case 'notification':
        this.#onNotification(message.method, message.params, message.raw);
        return nothingExpected;
      case 'request':
        return this.#onRequest(message, sink);
    }
  }

  #onNotification(method: string, params: JsonObject, raw: JsonObject): void {
    if (method === 'notifications/cancelled') {
      const { requestId } = params;
      const request = typeof requestId === 'string' || typeof requestId === 'number' ? this.#inFlight.get(requestId) : undefined;
      if (request !== undefined && request.method !== 'initialize') {
        this.#inFlight.delete(request.id);
        request.cancel();
      }
    }
    this.#sdk.receive(raw);
  }

  #onRequest(request: Request, sink: ReplySink): Receipt {
    const { id, method, params } = request;
    if (this.#inFlight.has(id)) {
      return invalid(id, 'a request with this id is still unanswered');
    }
    if (method === 'initialize') {
      if (this.#revision !== undefined) {
        return invalid(id, 'the session is already initialized');
      }
      return this.#initialize(request, sink);
    }
    if (this.#revision === undefined && method !== 'ping') {
      return invalid(id, 'initialize comes first');
    }
    this.#birth.observer.didReceive(this.#nameOf(method, params));
    if (this.#inFlight.size >= this.#services.limits.requestsInFlight) {
      sink.respond(rpcErrorText(id, { code: rpcCode.internalError, message: 'too many requests', data: { reason: 'rateLimited' } }));
    } else {
      this.#begin(request, sink);
    }
    return answerExpected;
  }

  /** For people to read: only names of ours, whatever the client sends. */
  #nameOf(method: string, params: JsonObject): string {
    if (method === 'tools/call') {
      return this.#services.catalog.findTool(params.name)?.name ?? method;
    }
    return this.#findMethod(method) !== undefined || method === 'ping' ? method : 'unknown';
  }

  #initialize(request: Request, sink: ReplySink): Receipt {
    const problem = problemWithInitialize(request.params);
    if (problem === undefined) {
      this.#revision = negotiate(request.params.protocolVersion);
      this.#viewer = { ...this.#viewer, callsItself: callsItself(request.params) };
      const { capabilities } = request.params;
      this.#clientCapabilities = isJsonObject(capabilities) ? capabilities : {};
      this.#birth.observer.didChange();
      this.#begin(request, sink);
    } else {
      sink.respond(rpcErrorText(request.id, problem));
    }
    return answerExpected;
  }

  #begin({ id, method, params, raw }: Request, sink: ReplySink): void {
    const request = new InFlight(id, method, params, this, sink);
    this.#inFlight.set(id, request);
    const handler = this.#findMethod(method);
    if (handler === undefined) {
      this.#sdk.receive(raw);
      return;
    }
    handler(params, request).then(
      (result) => this.#finish(request, rpcResultText(id, result)),
      (error: unknown) => this.#finish(request, rpcErrorText(id, this.#toRpcError(error, method))),
    );
  }

  #findMethod(method: string): Method | undefined {
    return this.#services.methods.get(method) ?? this.#ownMethods.get(method);
  }

  #toRpcError(error: unknown, method: string): RpcError {
    if (isRpcError(error)) {
      return error;
    }
    this.#services.log.error(`${method} failed.`, error);
    return new RpcError(rpcCode.internalError, 'Internal error');
  }

  #finish(request: InFlight, text: string): void {
    if (this.#inFlight.get(request.id) === request) {
      this.#inFlight.delete(request.id);
      request.finish(text);
    }
  }

  /** What the SDK's server sends: answers to what was passed to it, and in time its own requests. */
  #deliver(message: JsonObject, relatedTo: RequestId | undefined): void {
    const id = message.method === undefined ? message.id : relatedTo;
    const request = typeof id === 'string' || typeof id === 'number' ? this.#inFlight.get(id) : undefined;
    if (message.method !== undefined) {
      const text = JSON.stringify(message);
      if (request === undefined) {
        this.#birth.outlet(text);
      } else {
        request.sink.notify(text);
      }
    } else if (request !== undefined) {
      this.#finish(request, this.#sdkAnswer(request, message));
    }
  }

  #sdkAnswer(request: InFlight, message: JsonObject): string {
    const { result } = message;
    if (isJsonObject(result)) {
      return rpcResultText(request.id, JSON.stringify(shapeResult(request.method, result, this.revision)));
    }
    if (request.method === 'initialize') {
      // The SDK found fault with what our own check let pass, and reports that as its own failure.
      this.#revision = undefined;
      return rpcErrorText(request.id, { code: rpcCode.invalidParams, message: 'Invalid parameters of initialize' });
    }
    return JSON.stringify(message);
  }

  #notify(method: string, params?: JsonObject): void {
    if (this.#revision !== undefined && !this.#owned.isDisposed) {
      this.#birth.outlet(rpcNotificationText(method, params));
    }
  }

  #onAccessChanged(): void {
    this.#birth.observer.didChange();
    const { kind } = this.access.state;
    if (kind === 'allowed' || kind === 'denied') {
      for (const what of ['tools', 'resources', 'prompts']) {
        this.#notify(`notifications/${what}/list_changed`);
      }
    }
  }
}

function invalid(id: RequestId | null, reason: string): Receipt {
  return { kind: 'invalid', id, text: rpcErrorText(id, { code: rpcCode.invalidRequest, message: `Invalid request: ${reason}` }) };
}
