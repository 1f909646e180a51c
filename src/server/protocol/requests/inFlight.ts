// requests/: a request from its arrival to its answer, in both eras: what is in flight, how a revision shapes what is sent, and
// which capabilities a client must have declared to be asked something.
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { ownCallKey } from '../../../contract/protocolNames.ts';
import type { ClientAccess } from '../../access/clientAccess.ts';
import type { ActPermission, ActRequest, OfferedDecision } from '../../access/clientApproval.ts';
import type { ServerLimits } from '../../access/limits.ts';
import type { CallContext, InputRequired, McpLogLevel, Tool } from '../../offer/catalog/catalog.ts';
import type { Viewer } from '../../seen/viewer.ts';
import { type ReplySink, type RpcId, rpcNotificationText } from '../rpc/rpc.ts';
import { type Revision, shapeProgress } from './revisions.ts';

/** What a method sees of the request that it answers. */
export interface RequestContext extends CallContext {
  readonly revision: Revision;
  readonly access: ClientAccess;
  /** The id of a call by the chat or another part of Duplex itself. */
  readonly ownCallId: string | undefined;
  /** Sends a message that belongs to this request, before its answer. */
  notify(text: string): void;
  /**
   * Gets the input that a call needs from the client. Resolves with `undefined` if the input has arrived: then the call is run
   * again. Otherwise it resolves with the answer for now, as JSON text, and the client has to come back.
   */
  gatherInput(required: InputRequired): Promise<string | undefined>;
  /** Says how to make a task of this call; `undefined` if it is to be no task. Throws if the call is not allowed in this form. */
  taskFor(tool: Tool, params: JsonObject): TaskStart | undefined;
}

/** Begins the work as a task and returns the result that describes the task, as JSON text. */
export type TaskStart = (work: (request: RequestContext) => Promise<string>) => string;

/** The client of a request, with what its era does about input and tasks. */
export interface RequestOrigin {
  readonly viewer: Viewer;
  readonly revision: Revision;
  readonly access: ClientAccess;
  readonly clientCapabilities: JsonObject;
  /** Whether logs of this level are wanted. */
  wantsLog(level: McpLogLevel): boolean;
  gatherInput(required: InputRequired, request: InFlight): Promise<string | undefined>;
  taskFor(tool: Tool, params: JsonObject, request: InFlight): TaskStart | undefined;
}

const noResponses: Readonly<Record<string, JsonObject>> = {};

/** A request that has not been answered yet. */
export class InFlight implements RequestContext {
  readonly id: RpcId;
  readonly method: string;
  readonly sink: ReplySink;
  readonly progressToken: RpcId | undefined;
  readonly ownCallId: string | undefined;
  inputResponses: Readonly<Record<string, JsonObject>> = noResponses;
  requestState: JsonValue | undefined;
  /** How often the client was asked for input for this request. */
  inputRounds = 0;
  readonly #asker: RequestOrigin;
  #controller: AbortController | undefined;
  #isOver = false;
  #isCancelled = false;
  #progress = -Infinity;
  #progressOffset = 0;

  constructor(id: RpcId, method: string, params: JsonObject, asker: RequestOrigin, sink: ReplySink) {
    this.id = id;
    this.method = method;
    this.progressToken = progressTokenOf(params);
    this.#asker = asker;
    // Only the chat's own link may name a call; from other clients the member means nothing.
    this.ownCallId = asker.viewer.credential.kind === 'chat' ? ownCallIdOf(params) : undefined;
    this.sink = sink;
  }

  get viewer(): Viewer {
    return this.#asker.viewer;
  }

  get revision(): Revision {
    return this.#asker.revision;
  }

  get access(): ClientAccess {
    return this.#asker.access;
  }

  get clientCapabilities(): JsonObject {
    return this.#asker.clientCapabilities;
  }

  get wantsProgress(): boolean {
    return this.progressToken !== undefined;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The signal of the request. It is made on demand, because most requests never use it. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isCancelled) {
        this.#controller.abort();
      }
    }
    return this.#controller.signal;
  }

  reportProgress(progress: number, message?: string, total?: number): void {
    if (this.progressToken === undefined || this.#isOver) {
      return;
    }
    // Waiting for the person and the work itself count separately, but what the client sees must always rise.
    if (progress + this.#progressOffset <= this.#progress) {
      this.#progressOffset = this.#progress + 1 - progress;
    }
    this.#progress = progress + this.#progressOffset;
    const shownTotal = total === undefined ? undefined : total + this.#progressOffset;
    this.notify(progressText(this.progressToken, this.revision, this.#progress, message, shownTotal));
  }

  log(level: McpLogLevel, data: JsonValue, logger?: string): void {
    if (!this.#isOver && this.#asker.wantsLog(level)) {
      this.notify(rpcNotificationText('notifications/message', { level, ...(logger !== undefined && { logger }), data }));
    }
  }

  notify(text: string): void {
    if (!this.#isOver) {
      this.sink.notify(text);
    }
  }

  confirm(act: ActRequest): Promise<ActPermission> {
    return this.access.confirm(act, this);
  }

  joinQuestion<T>(key: string, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.access.joinQuestion(key, this, ask);
  }

  decideElsewhere<T>(call: OfferedDecision<T>): Promise<T> {
    return this.access.decideElsewhere(call, this);
  }

  hides(tool: Tool): boolean {
    return this.access.hides(tool);
  }

  gatherInput(required: InputRequired): Promise<string | undefined> {
    return this.#asker.gatherInput(required, this);
  }

  taskFor(tool: Tool, params: JsonObject): TaskStart | undefined {
    return this.#asker.taskFor(tool, params, this);
  }

  finish(text: string, status?: number): void {
    if (!this.#isOver) {
      this.#isOver = true;
      this.sink.respond(text, status);
    }
  }

  cancel(): void {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#isCancelled = true;
      this.#controller?.abort();
      this.sink.abandon();
    }
  }
}

export function progressText(token: RpcId, revision: Revision, progress: number, message?: string, total?: number): string {
  const told = {
    progressToken: token,
    progress,
    ...(total !== undefined && { total }),
    ...(message !== undefined && { message }),
  };
  return rpcNotificationText('notifications/progress', shapeProgress(told, revision));
}

function ownCallIdOf({ _meta: meta }: JsonObject): string | undefined {
  const id = isJsonObject(meta) ? meta[ownCallKey] : undefined;
  return typeof id === 'string' ? id : undefined;
}

function progressTokenOf(params: JsonObject): RpcId | undefined {
  const meta = params._meta;
  if (!isJsonObject(meta)) {
    return undefined;
  }
  const token = meta.progressToken;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** Whether a request can begin: its id may be in use, or the client may have too many requests. */
export type RequestAdmission = 'free' | 'duplicate' | 'full';

/** The unanswered requests of one client, in both eras. Each ends exactly once: it is finished or cancelled. */
export class InFlightTable {
  readonly #limits: Pick<ServerLimits, 'requestsInFlight'>;
  readonly #hasOwnIds: boolean;
  /** The requests by id, or by themselves if ids are not unique. */
  readonly #requests = new Map<RpcId | InFlight, InFlight>();

  /** With `hasOwnIds`, one client chooses all ids, so each id names one request. */
  constructor(limits: Pick<ServerLimits, 'requestsInFlight'>, hasOwnIds: boolean) {
    this.#limits = limits;
    this.#hasOwnIds = hasOwnIds;
  }

  get size(): number {
    return this.#requests.size;
  }

  /** Says whether a request may begin. `exempt` is how many of the requests in flight do not count. */
  admissionOf(id: RpcId, exempt = 0): RequestAdmission {
    if (this.#requests.has(id)) {
      return 'duplicate';
    }
    return this.#requests.size - exempt >= this.#limits.requestsInFlight ? 'full' : 'free';
  }

  /** Adds a request that may begin. */
  add(request: InFlight): void {
    this.#requests.set(this.#keyOf(request), request);
  }

  /** Finds the request that a cancellation names; `requestId` comes from the client and may be anything. */
  find(requestId: unknown): InFlight | undefined {
    return typeof requestId === 'string' || typeof requestId === 'number' ? this.#requests.get(requestId) : undefined;
  }

  /** Answers a request; returns false if it had ended before, and then sends nothing. */
  finish(request: InFlight, text: string, status?: number): boolean {
    const isOurs = this.#remove(request);
    if (isOurs) {
      request.finish(text, status);
    }
    return isOurs;
  }

  /** Cancels a request; returns false if it had ended before. */
  cancel(request: InFlight): boolean {
    const isOurs = this.#remove(request);
    if (isOurs) {
      request.cancel();
    }
    return isOurs;
  }

  cancelAll(): void {
    const all = [...this.#requests.values()];
    this.#requests.clear();
    for (const request of all) {
      request.cancel();
    }
  }

  /** Removes a request. After a cancellation its id may belong to another request, so the object is compared. */
  #remove(request: InFlight): boolean {
    const key = this.#keyOf(request);
    return this.#requests.get(key) === request && this.#requests.delete(key);
  }

  #keyOf(request: InFlight): RpcId | InFlight {
    return this.#hasOwnIds ? request.id : request;
  }
}
