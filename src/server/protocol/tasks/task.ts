import { abortError } from '../../../base/abort.ts';
import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import type { ActPermission, ActRequest, OfferedDecision } from '../../access/clientApproval.ts';
import type { ClientAccess } from '../../access/clientAccess.ts';
import type { InputRequest, InputRequired, Tool } from '../../offer/catalog/catalog.ts';
import { missingCapabilities } from '../requests/clientCapabilities.ts';
import type { RequestContext } from '../requests/inFlight.ts';
import type { Revision } from '../requests/revisions.ts';
import { missingCapability, type RpcErrorBody } from '../rpc/rpc.ts';
import type { Viewer } from '../../seen/viewer.ts';

/** The status of a task, in the words of both eras. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

export interface TaskOptions {
  /** The request that became the task. */
  readonly origin: RequestContext;
  readonly ttlMs: number;
  /** Asks the client in the way of its era; without it, the task waits for `update`. */
  readonly ask?: ((required: InputRequired, task: Task) => Promise<Readonly<Record<string, JsonObject>>>) | undefined;
  readonly onProgress?: ((progress: number, message?: string, total?: number) => void) | undefined;
  readonly onDidChange: (task: Task) => void;
}

export type TaskOutcome =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly error: RpcErrorBody }
  | { readonly kind: 'cancelled' };

/** How often a client may be asked for input in one task. */
const maxInputRounds = 16;

/** A call that continues after its request was answered. To the tool it looks like a request. */
export class Task implements RequestContext {
  readonly id = randomUUID();
  readonly createdAt = new Date().toISOString();
  readonly ttlMs: number;
  inputResponses: Readonly<Record<string, JsonObject>>;
  requestState: JsonValue | undefined;
  readonly #options: TaskOptions;
  readonly #controller = new AbortController();
  readonly #waiting = new Set<() => void>();
  #updatedAt = this.createdAt;
  #message: string | undefined;
  #end: TaskOutcome | undefined;
  #asked: ReadonlyMap<string, InputRequest> | undefined;
  #rounds = 0;
  #answer: ((key: string, response: JsonObject) => void) | undefined;

  constructor(options: TaskOptions) {
    this.#options = options;
    this.ttlMs = options.ttlMs;
    this.inputResponses = options.origin.inputResponses;
    this.requestState = options.origin.requestState;
  }

  get status(): TaskStatus {
    if (this.#end === undefined) {
      return this.#asked === undefined ? 'working' : 'input_required';
    }
    return this.#end.kind === 'result' ? 'completed' : this.#end.kind === 'error' ? 'failed' : 'cancelled';
  }

  get statusMessage(): string | undefined {
    return this.#message;
  }

  get updatedAt(): string {
    return this.#updatedAt;
  }

  get end(): TaskOutcome | undefined {
    return this.#end;
  }

  /** The requests that the client has not answered yet. */
  get inputRequests(): Readonly<Record<string, InputRequest>> {
    return Object.fromEntries(this.#asked ?? []);
  }

  get viewer(): Viewer {
    return this.#options.origin.viewer;
  }

  get revision(): Revision {
    return this.#options.origin.revision;
  }

  get access(): ClientAccess {
    return this.#options.origin.access;
  }

  get clientCapabilities(): JsonObject {
    return this.#options.origin.clientCapabilities;
  }

  get ownCallId(): string | undefined {
    return this.#options.origin.ownCallId;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Always true: a client can follow a task, so the person may take their time. */
  get wantsProgress(): boolean {
    return true;
  }

  reportProgress(progress: number, message?: string, total?: number): void {
    if (this.#end !== undefined) {
      return;
    }
    this.#options.onProgress?.(progress, message, total);
    if (message !== undefined && message !== this.#message) {
      this.#message = message;
      this.#changed();
    }
  }

  /** Logs and notifications are dropped: neither era has a place for them in tasks. */
  log(): void {
    // Nothing is sent.
  }

  notify(): void {
    // Nothing is sent, as above.
  }

  confirm(act: ActRequest): Promise<ActPermission> {
    return this.#whileWaiting(this.access.confirm(act, this));
  }

  joinQuestion<T>(key: string, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#whileWaiting(this.access.joinQuestion(key, this, ask));
  }

  decideElsewhere<T>(call: OfferedDecision<T>): Promise<T> {
    return this.#whileWaiting(this.access.decideElsewhere(call, this));
  }

  hides(tool: Tool): boolean {
    return this.access.hides(tool);
  }

  taskFor(): undefined {
    return undefined;
  }

  async gatherInput(required: InputRequired): Promise<undefined> {
    this.#rounds += 1;
    if (this.#rounds > maxInputRounds) {
      throw new Error('a task asks for ever');
    }
    const missing = this.#options.ask === undefined ? missingCapabilities(required.requests, this.clientCapabilities) : undefined;
    if (missing !== undefined) {
      throw missingCapability(missing);
    }
    const round = this.#rounds;
    // A key must not be used twice in the life of a task.
    const keys = new Map(Object.keys(required.requests).map((key) => [round === 1 ? key : `${key}.${round}`, key]));
    this.#asked = new Map([...keys].map(([sent, key]) => [sent, required.requests[key] as InputRequest]));
    this.#changed();
    try {
      const answers = await (this.#options.ask?.(required, this) ?? this.#untilAnswered(keys));
      this.inputResponses = answers;
      this.requestState = required.state;
    } finally {
      this.#asked = undefined;
      this.#answer = undefined;
    }
    if (this.#end === undefined) {
      this.#changed();
    }
    return undefined;
  }

  /** Takes the client's answers to open requests and ignores others. */
  update(responses: JsonObject): void {
    for (const [key, response] of Object.entries(responses)) {
      if (isJsonObject(response)) {
        this.#answer?.(key, response);
      }
    }
  }

  /** Ends the task; only the first end counts. */
  finish(end: TaskOutcome): void {
    if (this.#end !== undefined) {
      return;
    }
    this.#end = end;
    this.#asked = undefined;
    this.#message = undefined;
    this.#controller.abort();
    this.#changed();
    for (const wake of [...this.#waiting]) {
      wake();
    }
  }

  /** Resolves at the end of the task, or when `signal` fires. */
  async untilEnd(signal: AbortSignal): Promise<void> {
    if (this.#end !== undefined || signal.aborted) {
      return;
    }
    await new Promise<void>((resolve) => {
      const stop = (): void => {
        this.#waiting.delete(stop);
        signal.removeEventListener('abort', stop);
        resolve();
      };
      this.#waiting.add(stop);
      signal.addEventListener('abort', stop);
    });
  }

  #untilAnswered(keys: ReadonlyMap<string, string>): Promise<Readonly<Record<string, JsonObject>>> {
    return new Promise((resolve, reject) => {
      const answers: Record<string, JsonObject> = {};
      const open = new Map(this.#asked);
      this.#answer = (sent, response) => {
        const key = keys.get(sent);
        if (key === undefined || !open.delete(sent)) {
          return;
        }
        answers[key] = response;
        this.#asked = new Map(open);
        if (open.size === 0) {
          resolve(answers);
        } else {
          this.#changed();
        }
      };
      this.signal.addEventListener('abort', () => reject(abortError('The task was cancelled.')), { once: true });
    });
  }

  /** Removes the message "waiting for approval" once the person has answered. */
  async #whileWaiting<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } finally {
      if (this.#end === undefined && this.#message !== undefined) {
        this.#message = undefined;
        this.#changed();
      }
    }
  }

  #changed(): void {
    this.#updatedAt = new Date().toISOString();
    this.#options.onDidChange(this);
  }
}
