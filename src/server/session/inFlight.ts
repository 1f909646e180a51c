import type { JsonObject } from '../../base/json.ts';
import { rpcNotificationText, type RequestId } from './rpc.ts';
import { shapeProgress, type LegacyRevision } from './revisions.ts';
import type { ReplySink } from './replySink.ts';

/** What a handler sees of the request it answers. */
export interface RequestContext {
  readonly revision: LegacyRevision;
  readonly signal: AbortSignal;
  readonly progressToken: RequestId | undefined;
  reportProgress(progress: number, message: string): void;
}

/** A request that has no answer yet. */
export class InFlight implements RequestContext {
  readonly id: RequestId;
  readonly method: string;
  readonly revision: LegacyRevision;
  readonly progressToken: RequestId | undefined;
  readonly sink: ReplySink;
  #controller: AbortController | undefined;
  #isOver = false;

  constructor(id: RequestId, method: string, params: JsonObject, revision: LegacyRevision, sink: ReplySink) {
    this.id = id;
    this.method = method;
    this.revision = revision;
    this.progressToken = progressTokenOf(params);
    this.sink = sink;
  }

  /** Made on demand: most requests never look at it. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isOver) {
        this.#controller.abort();
      }
    }
    return this.#controller.signal;
  }

  reportProgress(progress: number, message: string): void {
    if (this.progressToken !== undefined && !this.#isOver) {
      const params = shapeProgress({ progressToken: this.progressToken, progress, message }, this.revision);
      this.sink.notify(rpcNotificationText('notifications/progress', params));
    }
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
      this.#controller?.abort();
      this.sink.abandon();
    }
  }
}

function progressTokenOf(params: JsonObject): RequestId | undefined {
  const meta = params._meta;
  if (typeof meta !== 'object' || meta === null || !('progressToken' in meta)) {
    return undefined;
  }
  const token = meta.progressToken;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}
