import { AppError } from '../../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { DisposableStore, type Disposable } from '../../../base/lifecycle.ts';
import type { Log } from '../../../base/log.ts';
import type { Clock } from '../../../base/clock.ts';
import type { ServerLimits } from '../../access/limits.ts';
import type { AccessControl } from '../../access/accessControl.ts';
import { rightsOf, type ClientAccess } from '../../access/clientAccess.ts';
import type { ApprovalState } from '../../access/connectApproval.ts';
import type { LogLevel } from '../../offer/callContext.ts';
import type { Catalog, InputRequired, Tool } from '../../offer/catalog.ts';
import { LegacyTasks, withTaskCapability } from './legacyTasks.ts';
import type { ServerTimings } from '../../access/timings.ts';
import { TaskBoard } from '../tasks/taskBoard.ts';
import { receiveBatch } from './receiveBatch.ts';
import { ClientRequests } from './clientRequests.ts';
import { toRpcError } from '../rpc/failures.ts';
import { InFlight, type Asker, type TaskStart } from '../inFlight.ts';
import { callsItself, problemWithInitialize } from './initialize.ts';
import { createLegacyMethods } from './legacyMethods.ts';
import { changesSeenBy, ListChanges } from './listChanges.ts';
import type { Method } from '../methods/lists.ts';
import { defaultLogLevel, isAtLeast } from '../methods/logLevels.ts';
import { answerExpected, invalidRequest, nothingExpected, type Receipt } from '../rpc/receipts.ts';
import type { ReplySink } from '../rpc/replySink.ts';
import { negotiate, newestLegacy, shapeResult, type LegacyRevision } from '../revisions.ts';
import {
  classify,
  isRateLimited,
  rpcCode,
  rpcErrorText,
  rpcNotificationText,
  rpcResultText,
  type Inbound,
  type RequestId,
} from '../rpc/rpc.ts';
import { SdkLink, type ServerIdentity } from './sdkLink.ts';
import { Subscriptions } from './subscriptions.ts';
import type { Credential, TransportKind, Viewer } from '../../seen/viewer.ts';

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

export interface SessionOptions {
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

type Request = Extract<Inbound, { kind: 'request' }>;

const mostInputRounds = 8;

/** One client's conversation with the server, whatever carries it: the rules of the legacy revisions. */
export class Session implements Disposable, Asker {
  readonly id: string;
  readonly credential: Credential;
  readonly transport: TransportKind;
  readonly #services: SessionServices;
  readonly #options: SessionOptions;
  readonly #owned = new DisposableStore();
  readonly #inFlight = new Map<RequestId, InFlight>();
  readonly #sdk: SdkLink;
  readonly access: ClientAccess;
  readonly #ownMethods: ReadonlyMap<string, Method>;
  readonly #requests: ClientRequests;
  readonly #tasks: LegacyTasks;
  readonly #lists: ListChanges;
  #logLevel: LogLevel = defaultLogLevel;
  #isReady = false;
  #revision: LegacyRevision | undefined;
  #viewer: Viewer;
  #clientCapabilities: JsonObject = {};

  private constructor(services: SessionServices, options: SessionOptions) {
    this.#services = services;
    this.#options = options;
    this.id = options.id;
    this.credential = options.credential;
    this.transport = options.transport;
    const rights = rightsOf(() => this.access);
    this.#viewer = { credential: options.credential, sessionId: options.id, callsItself: '', transport: options.transport, rights };
    const identity = { ...services.identity, instructions: services.catalog.instructions };
    this.#sdk = new SdkLink(identity, services.log, (message, relatedTo) => this.#deliver(message, relatedTo));
    this.access = services.access.forSession(
      () => this.#viewer,
      () => this.#onAccessChanged(),
    );
    this.#owned.add(this.access);
    const { catalog, clock, log, timings } = services;
    const interval = timings.updateInterval;
    const subscriptions = this.#owned.add(
      new Subscriptions(clock, interval, (uri, resource) => {
        if (this.access.mayHearOf(resource)) {
          this.#notify('notifications/resources/updated', { uri });
        }
      }),
    );
    const changes = changesSeenBy(this.#viewer, catalog, this.access);
    this.#lists = this.#owned.add(new ListChanges(changes, clock, interval, (part) => this.#notify(`notifications/${part}/list_changed`)));
    this.#requests = this.#owned.add(new ClientRequests(clock, this));
    this.#tasks = this.#owned.add(new LegacyTasks(new TaskBoard(clock, log), this.#requests, (text) => this.#send(text)));
    const methods = createLegacyMethods(catalog, subscriptions, (level) => (this.#logLevel = level));
    this.#ownMethods = new Map([...methods, ...this.#tasks.methods]);
  }

  static async open(services: SessionServices, options: SessionOptions): Promise<Session> {
    const session = new Session(services, options);
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

  wantsLog(level: LogLevel): boolean {
    return isAtLeast(level, this.#logLevel);
  }

  /** Whether the client has said that it takes requests. */
  get isReady(): boolean {
    return this.#isReady;
  }

  async gatherInput({ requests, state }: InputRequired, request: InFlight): Promise<undefined> {
    request.inputRounds += 1;
    if (request.inputRounds > mostInputRounds) {
      throw new AppError('server.tooManyRounds', 'The client was asked too often.');
    }
    const send = (text: string): void => request.notify(text);
    const withdraw = (text: string): void => this.#send(text);
    request.inputResponses = await this.#requests.askAll(requests, { send, withdraw, signal: request.signal });
    request.requestState = state;
  }

  taskFor(tool: Tool, params: JsonObject, request: InFlight): TaskStart | undefined {
    return this.#tasks.taskFor(tool, params, request);
  }

  /** The negotiated one; the newest before that. */
  get revision(): LegacyRevision {
    return this.#revision ?? newestLegacy;
  }

  get isInitialized(): boolean {
    return this.#revision !== undefined;
  }

  get isBusy(): boolean {
    return this.#inFlight.size > 0 || this.#tasks.isBusy;
  }

  /** Takes one parsed body. Every request in it ends in exactly one call of the sink. */
  receive(body: unknown, sink: ReplySink): Receipt {
    if (!Array.isArray(body)) {
      return this.#receiveOne(classify(body), sink);
    }
    return receiveBatch(body, this.#revision, sink, (message, answers) => this.#receiveOne(message, answers));
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
    this.#options.observer.didClose();
  }

  #receiveOne(message: Inbound, sink: ReplySink): Receipt {
    switch (message.kind) {
      case 'invalid':
        return invalidRequest(message.id, message.reason);
      case 'response':
        if (!this.#requests.receive(message.raw)) {
          this.#sdk.receive(message.raw);
        }
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
    } else if (method === 'notifications/initialized') {
      this.#isReady = this.#revision !== undefined;
    }
    this.#sdk.receive(raw);
  }

  #onRequest(request: Request, sink: ReplySink): Receipt {
    const { id, method, params } = request;
    if (this.#inFlight.has(id)) {
      return invalidRequest(id, 'a request with this id is still unanswered');
    }
    if (method === 'initialize') {
      if (this.#revision !== undefined) {
        return invalidRequest(id, 'the session is already initialized');
      }
      return this.#initialize(request, sink);
    }
    if (this.#revision === undefined && method !== 'ping') {
      return invalidRequest(id, 'initialize comes first');
    }
    this.#options.observer.didReceive(this.#nameOf(method, params));
    if (this.#inFlight.size >= this.#services.limits.requestsInFlight) {
      sink.respond(rpcErrorText(id, { code: rpcCode.internalError, message: 'too many requests', data: { reason: 'rateLimited' } }), 429);
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
      this.#options.observer.didChange();
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
      (error: unknown) => {
        const failure = toRpcError(error, method, this.#services.log);
        this.#finish(request, rpcErrorText(id, failure), isRateLimited(failure) ? 429 : undefined);
      },
    );
  }

  #findMethod(method: string): Method | undefined {
    return this.#services.methods.get(method) ?? this.#ownMethods.get(method);
  }

  #finish(request: InFlight, text: string, status?: number): void {
    if (this.#inFlight.get(request.id) === request) {
      this.#inFlight.delete(request.id);
      request.finish(text, status);
    }
  }

  /** What the SDK's server sends: answers to what was passed to it, and in time its own requests. */
  #deliver(message: JsonObject, relatedTo: RequestId | undefined): void {
    const id = message.method === undefined ? message.id : relatedTo;
    const request = typeof id === 'string' || typeof id === 'number' ? this.#inFlight.get(id) : undefined;
    if (message.method !== undefined) {
      const text = JSON.stringify(message);
      if (request === undefined) {
        this.#options.outlet(text);
      } else {
        request.notify(text);
      }
    } else if (request !== undefined) {
      this.#finish(request, this.#sdkAnswer(request, message));
    }
  }

  #sdkAnswer(request: InFlight, message: JsonObject): string {
    const { result } = message;
    if (isJsonObject(result)) {
      const whole = request.method === 'initialize' ? withTaskCapability(result) : result;
      return rpcResultText(request.id, JSON.stringify(shapeResult(request.method, whole, this.revision)));
    }
    if (request.method === 'initialize') {
      // The SDK found fault with what our own check let pass, and reports that as its own failure.
      this.#revision = undefined;
      return rpcErrorText(request.id, { code: rpcCode.invalidParams, message: 'Invalid parameters of initialize' });
    }
    return JSON.stringify(message);
  }

  #notify(method: string, params?: JsonObject): void {
    this.#send(rpcNotificationText(method, params));
  }

  #send(text: string): void {
    if (this.#revision !== undefined && !this.#owned.isDisposed) {
      this.#options.outlet(text);
    }
  }

  #onAccessChanged(): void {
    this.#options.observer.didChange();
    const { kind } = this.access.state;
    if (kind === 'allowed' || kind === 'denied') {
      this.#lists.fireAll();
    }
  }
}
