import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { ActRequest } from '../access/actRequest.ts';
import type { ClientAccess } from '../access/clientAccess.ts';
import type { CallContext, LogLevel, Viewer } from '../catalog/callContext.ts';
import type { ReplySink } from './replySink.ts';
import { shapeProgress, type Revision } from './revisions.ts';
import { rpcNotificationText, type RequestId } from './rpc.ts';

/** What a method sees of the request it answers. */
export interface RequestContext extends CallContext {
  readonly revision: Revision;
  readonly access: ClientAccess;
}

/** Whose request it is. */
export interface Asker {
  readonly viewer: Viewer;
  readonly revision: Revision;
  readonly access: ClientAccess;
  readonly clientCapabilities: JsonObject;
  /** Whether logs of this level are wanted. */
  wantsLog(level: LogLevel): boolean;
}

const noResponses: Readonly<Record<string, JsonObject>> = {};

/** A request that has no answer yet. */
export class InFlight implements RequestContext {
  readonly id: RequestId;
  readonly method: string;
  readonly sink: ReplySink;
  readonly progressToken: RequestId | undefined;
  inputResponses: Readonly<Record<string, JsonObject>> = noResponses;
  requestState: JsonValue | undefined;
  readonly #asker: Asker;
  #controller: AbortController | undefined;
  #isOver = false;
  #isCancelled = false;

  constructor(id: RequestId, method: string, params: JsonObject, asker: Asker, sink: ReplySink) {
    this.id = id;
    this.method = method;
    this.progressToken = progressTokenOf(params);
    this.#asker = asker;
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
    if (this.progressToken !== undefined && !this.#isOver) {
      const told = {
        progressToken: this.progressToken,
        progress,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      };
      this.sink.notify(rpcNotificationText('notifications/progress', shapeProgress(told, this.revision)));
    }
  }

  log(level: LogLevel, data: JsonValue, logger?: string): void {
    if (!this.#isOver && this.#asker.wantsLog(level)) {
      this.sink.notify(rpcNotificationText('notifications/message', { level, ...(logger !== undefined && { logger }), data }));
    }
  }

  confirm(act: ActRequest): Promise<void> {
    return this.access.confirm(act, this);
  }

  joinQuestion<T>(key: string, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.access.joinQuestion(key, this, ask);
  }

  finish(text: string): void {
    if (!this.#isOver) {
      this.#isOver = true;
      this.sink.respond(text);
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

function progressTokenOf(params: JsonObject): RequestId | undefined {
  const meta = params._meta;
  if (!isJsonObject(meta)) {
    return undefined;
  }
  const token = meta.progressToken;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}
