// legacy/: the revisions that begin with `initialize`, 2024-11-05 to 2025-11-25: sessions, batches, subscriptions by URI, requests
// to the client, and tasks that the client asks for. A session, this file, is one client.
import type { JsonObject } from '../../../base/json.ts';
import { type Disposable, DisposableStore } from '../../../base/lifecycle.ts';
import { type ClientAccess, rightsOf } from '../../access/clientAccess.ts';
import type { ApprovalState } from '../../access/connectApproval.ts';
import { clientError } from '../../errors/serverErrors.ts';
import {
  type Catalog,
  type CatalogPart,
  defaultLogLevel,
  type InputRequired,
  isAtLeast,
  isLogLevel,
  type McpLogLevel,
  type Tool,
} from '../../offer/catalog/catalog.ts';
import type { Credential, TransportKind, Viewer } from '../../seen/viewer.ts';
import { ListChanges, listsSeenBy, maxSubscriptions, Subscriptions } from '../clients/changeNotices.ts';
import { callsItself, type ClientObserver, type ProtocolServices } from '../clients/protocolServices.ts';
import { type EraRules, MethodDispatch, type Method } from '../methods/methodDispatch.ts';
import { found, requireAdmission, requireResource } from '../methods/resourceMethods.ts';
import { usedCapabilities } from '../requests/clientCapabilities.ts';
import { type RequestOrigin, InFlight, InFlightTable, type RequestContext, type TaskStart } from '../requests/inFlight.ts';
import { type LegacyRevision, negotiate, newestLegacy } from '../requests/revisions.ts';
import { ClientTraffic } from '../rpc/clientTraffic.ts';
import {
  answerExpected,
  classify,
  duplicateId,
  type Inbound,
  invalidRequest,
  isRateLimited,
  nothingExpected,
  type Receipt,
  refuseLimited,
  type ReplySink,
  rpcCode,
  RpcError,
  rpcErrorText,
  rpcNotificationText,
  rpcResultText,
  tooManyRequests,
} from '../rpc/rpc.ts';
import { TaskBoard } from '../tasks/taskBoard.ts';
import { type ReceiveOne, receiveBatch } from './batches.ts';
import { ClientRequests } from './clientRequests.ts';
import { initializeResult, problemWithInitialize } from './initialize.ts';
import { LegacyTasks } from './legacyTasks.ts';

export interface LegacySessionOptions {
  readonly id: string;
  readonly credential: Credential;
  readonly transport: TransportKind;
  /** Sends messages that belong to no request of the client. */
  readonly outlet: (text: string) => void;
  readonly observer: ClientObserver;
}

type Request = Extract<Inbound, { kind: 'request' }>;

/** How often a client may be asked for input in one request. */
const maxInputRounds = 8;

const legacyRules: EraRules = {
  complete: (_method, result) => result,
  statusOf: (failure) => (isRateLimited(failure) ? 429 : undefined),
};

/** One client's conversation with the server by the rules of the legacy revisions, over any transport. */
export class Session implements Disposable, RequestOrigin {
  readonly id: string;
  readonly credential: Credential;
  readonly transport: TransportKind;
  readonly #services: ProtocolServices;
  readonly #options: LegacySessionOptions;
  readonly #owned = new DisposableStore();
  readonly #inFlight: InFlightTable;
  readonly #dispatch: MethodDispatch;
  readonly access: ClientAccess;
  readonly #requests: ClientRequests;
  readonly #tasks: LegacyTasks;
  readonly #lists: ListChanges;
  readonly #traffic: ClientTraffic;
  #logLevel: McpLogLevel = defaultLogLevel;
  #isReady = false;
  #revision: LegacyRevision | undefined;
  #viewer: Viewer;
  #clientCapabilities: JsonObject = {};

  constructor(services: ProtocolServices, options: LegacySessionOptions) {
    this.#services = services;
    this.#options = options;
    this.id = options.id;
    this.credential = options.credential;
    this.transport = options.transport;
    const rights = rightsOf(() => this.access);
    this.#viewer = { credential: options.credential, sessionId: options.id, callsItself: '', transport: options.transport, rights };
    this.#traffic = new ClientTraffic(services.traffic, options.id, () => this.#viewer);
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
    const tell = (part: CatalogPart): void => this.#notify(`notifications/${part}/list_changed`);
    this.#lists = this.#owned.add(new ListChanges({ ...listsSeenBy(this, catalog), clock, interval, tell }));
    this.#requests = this.#owned.add(new ClientRequests(clock, this));
    this.#tasks = this.#owned.add(new LegacyTasks(new TaskBoard(clock, log), this.#requests, (text) => this.#send(text)));
    const methods = createLegacyMethods(catalog, subscriptions, (level) => (this.#logLevel = level));
    this.#inFlight = new InFlightTable(services.limits, true);
    this.#dispatch = new MethodDispatch(services, new Map([...methods, ...this.#tasks.methods]), this.#inFlight, legacyRules);
  }

  get approvalState(): ApprovalState {
    return this.access.state;
  }

  get hasOpenQuestion(): boolean {
    return this.access.hasOpenQuestion;
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

  wantsLog(level: McpLogLevel): boolean {
    return isAtLeast(level, this.#logLevel);
  }

  /** Whether the client has said that it accepts requests. */
  get isReady(): boolean {
    return this.#isReady;
  }

  async gatherInput({ requests, state }: InputRequired, request: InFlight): Promise<undefined> {
    request.inputRounds += 1;
    if (request.inputRounds > maxInputRounds) {
      throw clientError('server.tooManyRounds');
    }
    const send = (text: string): void => request.notify(text);
    const withdraw = (text: string): void => this.#send(text);
    request.inputResponses = await this.#requests.askAll(requests, { send, withdraw, signal: request.signal });
    request.requestState = state;
  }

  taskFor(tool: Tool, params: JsonObject, request: InFlight): TaskStart | undefined {
    return this.#tasks.taskFor(tool, params, request);
  }

  /** The negotiated revision; before `initialize` the newest legacy one. */
  get revision(): LegacyRevision {
    return this.#revision ?? newestLegacy;
  }

  get isBusy(): boolean {
    return this.#inFlight.size > 0 || this.#tasks.isBusy;
  }

  /**
   * Receives one parsed body. Every request in it ends with exactly one `respond` or `abandon` of the sink. A body beyond the rate limit
   * comes with `mustPass`: what is not such a message is refused.
   */
  receive(body: unknown, sink: ReplySink, mustPass?: (message: unknown) => boolean): Receipt {
    const receiveOne: ReceiveOne = (message, answers, raw) =>
      mustPass === undefined || mustPass(raw) ? this.#receiveOne(message, answers) : refuseLimited(message, answers);
    return this.#traffic.pass(body, sink, (answers) =>
      Array.isArray(body) ? receiveBatch(body, this.#revision, answers, receiveOne) : receiveOne(classify(body), answers, body),
    );
  }

  dispose(): void {
    if (this.#owned.isDisposed) {
      return;
    }
    this.#owned.dispose();
    this.#inFlight.cancelAll();
    this.#options.observer.didClose();
  }

  #receiveOne(message: Inbound, sink: ReplySink): Receipt {
    switch (message.kind) {
      case 'invalid':
        return invalidRequest(message.id, message.reason);
      case 'response':
        this.#requests.receive(message.raw);
        return nothingExpected;
      case 'notification':
        this.#onNotification(message.method, message.params);
        return nothingExpected;
      case 'request':
        return this.#onRequest(message, sink);
    }
  }

  /** Unknown notifications are ignored. */
  #onNotification(method: string, params: JsonObject): void {
    if (method === 'notifications/cancelled') {
      const request = this.#inFlight.find(params.requestId);
      if (request !== undefined) {
        this.#inFlight.cancel(request);
      }
    } else if (method === 'notifications/initialized') {
      this.#isReady = this.#revision !== undefined;
    }
  }

  #onRequest(request: Request, sink: ReplySink): Receipt {
    const { id, method, params } = request;
    const admission = this.#inFlight.admissionOf(id);
    if (admission === 'duplicate') {
      return duplicateId(id);
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
    this.#options.observer.didReceive(this.#dispatch.nameOf(method, params, this.#viewer));
    if (admission === 'full' && method !== 'ping') {
      sink.respond(rpcErrorText(id, tooManyRequests()), 429);
    } else {
      this.#dispatch.begin(new InFlight(id, method, params, this, sink), params);
    }
    return answerExpected;
  }

  /** `initialize` is answered at once, so it is never in flight and cannot be cancelled. */
  #initialize({ id, params }: Request, sink: ReplySink): Receipt {
    const problem = problemWithInitialize(params);
    if (problem === undefined) {
      const revision = negotiate(params.protocolVersion);
      this.#revision = revision;
      this.#viewer = { ...this.#viewer, callsItself: callsItself(params.clientInfo) };
      this.#clientCapabilities = usedCapabilities(params.capabilities);
      this.#options.observer.didChange();
      const { identity, catalog } = this.#services;
      sink.respond(rpcResultText(id, JSON.stringify(initializeResult(revision, identity, catalog.instructions))));
    } else {
      sink.respond(rpcErrorText(id, problem));
    }
    return answerExpected;
  }

  #notify(method: string, params?: JsonObject): void {
    this.#send(rpcNotificationText(method, params));
  }

  #send(text: string): void {
    if (this.#revision !== undefined && !this.#owned.isDisposed) {
      this.#traffic.sent(text);
      this.#options.outlet(text);
    }
  }

  #onAccessChanged(): void {
    this.#options.observer.didChange();
    this.#lists.reconsider();
  }
}

/** The methods that only legacy sessions have. */
function createLegacyMethods(
  catalog: Catalog,
  subscriptions: Subscriptions,
  setLevel: (level: McpLogLevel) => void,
): ReadonlyMap<string, Method> {
  return new Map<string, Method>([
    ['ping', () => Promise.resolve('{}')],
    ['resources/subscribe', (params, request) => subscribe(catalog, subscriptions, params, request)],
    [
      'resources/unsubscribe',
      async (params, request) => {
        subscriptions.remove(requireResource(catalog, params, request).uri);
        return '{}';
      },
    ],
    [
      'logging/setLevel',
      async ({ level }) => {
        if (!isLogLevel(level)) {
          throw new RpcError(rpcCode.invalidParams, 'Invalid log level', { parameter: 'level', reason: 'no such level' });
        }
        setLevel(level);
        return '{}';
      },
    ],
  ]);
}

async function subscribe(catalog: Catalog, subscriptions: Subscriptions, params: JsonObject, request: RequestContext): Promise<string> {
  const resource = requireResource(catalog, params, request);
  await requireAdmission(resource, request);
  await found(resource.uri, request, async () => resource.check(request));
  if (subscriptions.isFull) {
    const data = { parameter: 'uri', reason: `at most ${maxSubscriptions} subscriptions` };
    throw new RpcError(rpcCode.invalidParams, 'Too many subscriptions', data);
  }
  if (!request.signal.aborted) {
    subscriptions.add(resource);
  }
  return '{}';
}
