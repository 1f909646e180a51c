import type { JsonObject } from '../../../base/json.ts';
import { DisposableStore, type Disposable } from '../../../base/lifecycle.ts';
import { rightsOf, type ClientAccess } from '../../access/clientAccess.ts';
import type { ApprovalState } from '../../access/connectApproval.ts';
import { isAtLeast, type McpLogLevel, type Tool } from '../../offer/catalog/catalog.ts';
import {
  classify,
  duplicateId,
  type Inbound,
  invalidRequest,
  isRateLimited,
  type ReplySink,
  type RpcId,
  rpcCode,
  RpcError,
  rpcErrorText,
  tooManyRequests,
  toRpcError,
} from '../rpc/rpc.ts';
import { type RequestOrigin, InFlight, InFlightTable, type TaskStart } from '../requests/inFlight.ts';
import { MethodDispatch, type EraMethod } from '../methods/methodDispatch.ts';
import { ClientTraffic } from '../rpc/clientTraffic.ts';
import { modernRevision } from '../../../contract/protocolNames.ts';
import { type ClientObserver, rememberingCallsItself } from '../clients/protocolServices.ts';
import { createModernTaskMethods, detailedTask, modernTaskFor, requireTasks } from './modernTasks.ts';
import type { Task } from '../tasks/task.ts';
import { TaskBoard } from '../tasks/taskBoard.ts';
import { readEnvelope, requireKnownVersion, type Envelope } from './envelope.ts';
import { inputRequiredText, takeAnswers } from './inputRounds.ts';
import { Listening } from './listening.ts';
import type { ModernShared } from './modernDispatcher.ts';
import type { TransportKind, Viewer, WireCredential } from '../../seen/viewer.ts';

export interface ModernClientOptions {
  readonly id: string;
  readonly credential: WireCredential;
  readonly transport: Exclude<TransportKind, 'memory'>;
  /**
   * Whether it is a WebSocket, which is approved by itself and has request ids of its own. Stateless requests share the approval of
   * their credential.
   */
  readonly isConnection: boolean;
  readonly observer: ClientObserver;
}

/** What became of a message, as in a session. `cancel` is for transports where closing the connection cancels. */
export type ModernReceipt =
  | { readonly kind: 'accepted'; readonly expectsAnswer: boolean; readonly cancel: () => void }
  | { readonly kind: 'invalid'; readonly id: RpcId | null; readonly text: string };

type Request = Extract<Inbound, { kind: 'request' }>;

const nothingToCancel = (): void => undefined;
const nothingExpected: ModernReceipt = { kind: 'accepted', expectsAnswer: false, cancel: nothingToCancel };

/** One client of the revision without sessions: a WebSocket, or all stateless requests of one credential. */
export class ModernClient implements Disposable {
  readonly id: string;
  readonly credential: WireCredential;
  readonly transport: ModernClientOptions['transport'];
  readonly #shared: ModernShared;
  readonly #options: ModernClientOptions;
  readonly #owned = new DisposableStore();
  readonly #tasks: TaskBoard;
  readonly #inFlight: InFlightTable;
  readonly #dispatch: MethodDispatch;
  readonly #listening = new Map<InFlight, Listening>();
  readonly #connectionAccess: ClientAccess | undefined;
  #following: { readonly access: ClientAccess; readonly listener: Disposable } | undefined;
  readonly #nameOf = rememberingCallsItself();
  #viewer: Viewer;
  readonly #traffic: ClientTraffic;

  constructor(shared: ModernShared, options: ModernClientOptions) {
    this.id = options.id;
    this.credential = options.credential;
    this.transport = options.transport;
    this.#shared = shared;
    this.#options = options;
    const sessionId = options.isConnection ? options.id : undefined;
    const rights = rightsOf(() => this.#connectionAccess ?? this.#following?.access);
    this.#viewer = { credential: options.credential, sessionId, callsItself: '', transport: options.transport, rights };
    this.#traffic = new ClientTraffic(shared.traffic, options.id, () => this.#viewer);
    this.#tasks = this.#owned.add(new TaskBoard(shared.clock, shared.log));
    // Several programs may share a credential, so the ids of stateless requests are not unique.
    this.#inFlight = new InFlightTable(shared.limits, options.isConnection);
    const methods = new Map<string, EraMethod>([
      ...createModernTaskMethods(this.#tasks),
      ['subscriptions/listen', (params, request) => this.#listen(params, request)],
    ]);
    const rules = {
      complete: (method: string, result: string) => shared.results.complete(method, result),
      statusOf: (failure: RpcError) => statusOf(failure, false),
    };
    this.#dispatch = new MethodDispatch(shared, methods, this.#inFlight, rules);
    if (options.isConnection) {
      this.#connectionAccess = this.#owned.add(
        shared.access.forSession(
          () => this.#viewer,
          () => this.#onAccessChanged(),
        ),
      );
    }
  }

  get isStateless(): boolean {
    return !this.#options.isConnection;
  }

  get callsItself(): string {
    return this.#viewer.callsItself;
  }

  get approvalState(): ApprovalState {
    const access = this.#connectionAccess ?? this.#following?.access;
    return access?.state ?? { kind: 'notAsked' };
  }

  get hasOpenQuestion(): boolean {
    return this.#connectionAccess?.hasOpenQuestion ?? false;
  }

  get isBusy(): boolean {
    return this.#inFlight.size > 0 || this.#tasks.isBusy;
  }

  /** Receives one parsed message. A request ends with exactly one `respond` or `abandon` of the sink. */
  receive(body: unknown, sink: ReplySink): ModernReceipt {
    return this.#traffic.pass(body, sink, (answers) => this.#receive(body, answers), !this.#options.isConnection);
  }

  #receive(body: unknown, sink: ReplySink): ModernReceipt {
    const message = classify(body);
    switch (message.kind) {
      case 'invalid':
        return invalidRequest(message.id, message.reason);
      case 'response':
        return invalidRequest(null, 'the server sends no requests in this revision');
      case 'notification':
        this.#onNotification(message.method, message.params);
        return nothingExpected;
      case 'request':
        return this.#onRequest(message, sink);
    }
  }

  dispose(): void {
    if (this.#owned.isDisposed) {
      return;
    }
    for (const listening of [...this.#listening.values()]) {
      listening.end();
    }
    this.#listening.clear();
    this.#following?.listener.dispose();
    this.#owned.dispose();
    this.#inFlight.cancelAll();
    this.#options.observer.didClose();
  }

  #onNotification(method: string, { requestId }: JsonObject): void {
    // Stateless requests cannot be found by id; they are cancelled by closing their stream.
    const found = method === 'notifications/cancelled' ? this.#inFlight.find(requestId) : undefined;
    if (found !== undefined) {
      this.#cancel(found);
    }
  }

  #onRequest({ id, method, params }: Request, sink: ReplySink): ModernReceipt {
    // Listening requests without a connection are exempt: each holds a stream, and streams have a limit of their own.
    const admission = this.#inFlight.admissionOf(id, this.#options.isConnection ? 0 : this.#listening.size);
    if (admission === 'duplicate') {
      return duplicateId(id);
    }
    let request: InFlight;
    try {
      const envelope = this.#requireEnvelope(method, params);
      if (admission === 'full') {
        throw tooManyRequests();
      }
      request = new InFlight(id, method, params, this.#asker(envelope, params), sink);
      takeAnswers(request, params, this.#shared.states);
    } catch (error) {
      const failure = toRpcError(error, method, this.#shared.log);
      sink.respond(rpcErrorText(id, failure), statusOf(failure, true));
      return { kind: 'accepted', expectsAnswer: true, cancel: nothingToCancel };
    }
    this.#options.observer.didReceive(this.#dispatch.nameOf(method, params, request.viewer));
    this.#dispatch.begin(request, params);
    return { kind: 'accepted', expectsAnswer: true, cancel: () => this.#cancel(request) };
  }

  #requireEnvelope(method: string, params: JsonObject): Envelope {
    const envelope = readEnvelope(params, this.#nameOf);
    requireKnownVersion(envelope);
    if (!this.#dispatch.knows(method)) {
      throw new RpcError(rpcCode.methodNotFound, `Method not found: ${method.slice(0, 100)}`);
    }
    return envelope;
  }

  #asker(envelope: Envelope, params: JsonObject): RequestOrigin {
    if (envelope.callsItself !== this.#viewer.callsItself && envelope.callsItself !== '') {
      this.#viewer = { ...this.#viewer, callsItself: envelope.callsItself };
      this.#options.observer.didChange();
    }
    const viewer = this.#viewer;
    return {
      viewer,
      revision: modernRevision,
      access: this.#accessFor(viewer),
      clientCapabilities: envelope.clientCapabilities,
      wantsLog: (level: McpLogLevel) => envelope.logLevel !== undefined && isAtLeast(level, envelope.logLevel),
      gatherInput: async (required, request) => inputRequiredText(required, request, params, this.#shared.states),
      taskFor: (tool, _params, request) => this.#taskFor(tool, request),
    };
  }

  #accessFor(viewer: Viewer): ClientAccess {
    const access = this.#connectionAccess ?? this.#shared.access.forStateless(viewer);
    if (this.#connectionAccess === undefined && this.#following?.access !== access) {
      this.#following?.listener.dispose();
      this.#following = { access, listener: access.onDidChange(() => this.#onAccessChanged()) };
    }
    return access;
  }

  /** Begins to listen; the request has no answer until it ends. */
  async #listen(params: JsonObject, request: InFlight): Promise<undefined> {
    const { catalog, clock, timings } = this.#shared;
    const knownTasks = (ids: readonly string[]): readonly string[] => {
      requireTasks(request.clientCapabilities);
      return ids.filter((id) => this.#tasks.has(id));
    };
    const listening = await Listening.open({ catalog, clock, interval: timings.updateInterval, knownTasks }, params, request);
    if (request.isOver) {
      listening.dispose();
    } else {
      this.#listening.set(request, listening);
    }
  }

  #taskFor(tool: Tool, request: InFlight): TaskStart | undefined {
    return modernTaskFor(this.#tasks, tool, request, (task) => this.#onTaskChanged(task));
  }

  #onTaskChanged(task: Task): void {
    for (const listening of this.#listening.values()) {
      listening.onTaskChanged(task, detailedTask(task));
    }
  }

  #onAccessChanged(): void {
    this.#options.observer.didChange();
    for (const listening of this.#listening.values()) {
      listening.onAccessChanged();
    }
  }

  #cancel(request: InFlight): void {
    if (this.#inFlight.cancel(request)) {
      this.#listening.get(request)?.dispose();
      this.#listening.delete(request);
    }
  }
}

/** The HTTP status of a failure. `isMalformed` means that the request was refused before its method was called. */
function statusOf(failure: RpcError, isMalformed: boolean): number {
  if (isRateLimited(failure)) {
    return 429;
  }
  switch (failure.code) {
    case rpcCode.methodNotFound:
      return 404;
    case rpcCode.missingClientCapability:
    case rpcCode.unsupportedProtocolVersion:
      return 400;
    case rpcCode.invalidParams:
      return isMalformed ? 400 : 200;
    default:
      return 200;
  }
}
