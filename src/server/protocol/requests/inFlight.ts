// requests/: a request from its arrival to its answer, in either era: what is in flight, how a revision shapes what goes out,
// and what a client must have declared to be asked something in return.
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { ownCallKey } from '../../../contract/protocolNames.ts';
import type { ClientAccess } from '../../access/clientAccess.ts';
import type { ActPermission, ActRequest } from '../../access/clientApproval.ts';
import type { ServerLimits } from '../../access/limits.ts';
import type { CallContext, InputRequired, LogLevel, Tool } from '../../offer/catalog/catalog.ts';
import type { Viewer } from '../../seen/viewer.ts';
import { type ReplySink, type RequestId, rpcNotificationText } from '../rpc/rpc.ts';
import { type Revision, shapeProgress } from './revisions.ts';

/** What a method sees of the request it answers. */
export interface RequestContext extends CallContext {
  readonly revision: Revision;
  readonly access: ClientAccess;
  /** Of a call by the chat or another surface here. */
  readonly ownCallId: string | undefined;
  /** Sends a message that belongs to this request, before its answer. */
  notify(text: string): void;
  /**
   * Gets what a call needs of the client before it can go on. `undefined` when it came: then the call is run again.
   * Otherwise the answer for now, as JSON text: the client has to come back.
   */
  gatherInput(required: InputRequired): Promise<string | undefined>;
  /** How to make a task of this call, if it is to become one. Rejects a call that may not be made this way. */
  taskFor(tool: Tool, params: JsonObject): TaskStart | undefined;
}

/** Begins the work and returns the result that tells the client of its task, as JSON text. */
export type TaskStart = (work: (request: RequestContext) => Promise<string>) => string;

/** Whose request it is, and what its era does about input and tasks. */
export interface RequestOrigin {
  readonly viewer: Viewer;
  readonly revision: Revision;
  readonly access: ClientAccess;
  readonly clientCapabilities: JsonObject;
  /** Whether logs of this level are wanted. */
  wantsLog(level: LogLevel): boolean;
  gatherInput(required: InputRequired, request: InFlight): Promise<string | undefined>;
  taskFor(tool: Tool, params: JsonObject, request: InFlight): TaskStart | undefined;
}

const noResponses: Readonly<Record<string, JsonObject>> = {};

/** A request that has no answer yet. */
export class InFlight implements RequestContext {
  readonly id: RequestId;
  readonly method: string;
  readonly sink: ReplySink;
  readonly progressToken: RequestId | undefined;
  readonly ownCallId: string | undefined;
  inputResponses: Readonly<Record<string, JsonObject>> = noResponses;
  requestState: JsonValue | undefined;
  /** How often the client was asked for something on behalf of this request. */
  inputRounds = 0;
  readonly #asker: RequestOrigin;
  #controller: AbortController | undefined;
  #isOver = false;
  #isCancelled = false;
  #progress = -Infinity;
  #progressOffset = 0;

  constructor(id: RequestId, method: string, params: JsonObject, asker: RequestOrigin, sink: ReplySink) {
    this.id = id;
    this.method = method;
    this.progressToken = progressTokenOf(params);
    this.#asker = asker;
    // Only the chat's link is ours: on any other the member means nothing.
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

  /** Made on demand: most requests never look at it. */
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
    // Waiting for a person and the work itself count for themselves, but what the client sees must only rise.
    if (progress + this.#progressOffset <= this.#progress) {
      this.#progressOffset = this.#progress + 1 - progress;
    }
    this.#progress = progress + this.#progressOffset;
    const shownTotal = total === undefined ? undefined : total + this.#progressOffset;
    this.notify(progressText(this.progressToken, this.revision, this.#progress, message, shownTotal));
  }

  log(level: LogLevel, data: JsonValue, logger?: string): void {
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

export function progressText(token: RequestId, revision: Revision, progress: number, message?: string, total?: number): string {
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

function progressTokenOf(params: JsonObject): RequestId | undefined {
  const meta = params._meta;
  if (!isJsonObject(meta)) {
    return undefined;
  }
  const token = meta.progressToken;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** Whether a request can begin, and if not, why. */
export type RequestAdmission = 'free' | 'duplicate' | 'full';

/** The requests of one client that have no answer yet, in either era. What is taken in ends once: finished or cancelled. */
export class InFlightTable {
  readonly #limits: Pick<ServerLimits, 'requestsInFlight'>;
  readonly #hasOwnIds: boolean;
  /** By id where ids are the client's own, by themselves otherwise. */
  readonly #requests = new Map<RequestId | InFlight, InFlight>();

  /** `hasOwnIds`: one client chooses all ids, so that none is there twice and each names a request. */
  constructor(limits: Pick<ServerLimits, 'requestsInFlight'>, hasOwnIds: boolean) {
    this.#limits = limits;
    this.#hasOwnIds = hasOwnIds;
  }

  get size(): number {
    return this.#requests.size;
  }

  /** `exempt` is how many of those in flight do not count for the limit. */
  admissionOf(id: RequestId, exempt = 0): RequestAdmission {
    if (this.#requests.has(id)) {
      return 'duplicate';
    }
    return this.#requests.size - exempt >= this.#limits.requestsInFlight ? 'full' : 'free';
  }

  /** For a request that is free to begin. */
  add(request: InFlight): void {
    this.#requests.set(this.#keyOf(request), request);
  }

  /** What a cancellation means by its `requestId`, which may be anything. */
  find(requestId: unknown): InFlight | undefined {
    return typeof requestId === 'string' || typeof requestId === 'number' ? this.#requests.get(requestId) : undefined;
  }

  /** False when it had ended before: then this answer is nobody's. */
  finish(request: InFlight, text: string, status?: number): boolean {
    const isOurs = this.#remove(request);
    if (isOurs) {
      request.finish(text, status);
    }
    return isOurs;
  }

  /** False when it had ended before. */
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

  /** Once cancelled, its id may be another request's. */
  #remove(request: InFlight): boolean {
    const key = this.#keyOf(request);
    return this.#requests.get(key) === request && this.#requests.delete(key);
  }

  #keyOf(request: InFlight): RequestId | InFlight {
    return this.#hasOwnIds ? request.id : request;
  }
}
