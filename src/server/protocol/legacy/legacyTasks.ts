import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { InputRequired, Tool } from '../../offer/catalog/catalog.ts';
import type { ClientRequests } from './clientRequests.ts';
import { progressText, type InFlight, type RequestContext, type TaskStart } from '../requests/inFlight.ts';
import { cutPage } from '../methods/lists.ts';
import { newestLegacy } from '../requests/revisions.ts';
import { unknownMethod, type Method } from '../methods/methodDispatch.ts';
import { RpcError, rpcCode, rpcNotificationText } from '../rpc/rpc.ts';
import type { Task } from '../tasks/task.ts';
import { taskTimes, type TaskBoard } from '../tasks/taskBoard.ts';

/** The task capability that `initialize` declares. */
export const taskCapability = { list: {}, cancel: {}, requests: { tools: { call: {} } } };

/** The shortest time that the result of a task is kept. */
const minTtlMs = 1_000;

/** Tasks of revision 2025-11-25: the client decides which calls become tasks, and fetches the results. */
export class LegacyTasks implements Disposable {
  readonly #board: TaskBoard;
  readonly #requests: ClientRequests;
  readonly #outlet: (text: string) => void;
  /** Requests to the client, by task. They wait until the client calls `tasks/result`, because they belong on the stream of that call. */
  readonly #outboxes = new Map<string, { readonly held: string[]; sink: ((text: string) => void) | undefined }>();

  constructor(board: TaskBoard, requests: ClientRequests, outlet: (text: string) => void) {
    this.#board = board;
    this.#requests = requests;
    this.#outlet = outlet;
  }

  get isBusy(): boolean {
    return this.#board.isBusy;
  }

  readonly methods: ReadonlyMap<string, Method> = new Map<string, Method>([
    ['tasks/get', onlyNewest(async ({ taskId }) => JSON.stringify(wireTask(this.#board.find(taskId))))],
    ['tasks/result', onlyNewest((params, request) => this.#result(params, request))],
    ['tasks/list', onlyNewest(async ({ cursor }) => this.#list(cursor))],
    ['tasks/cancel', onlyNewest(async ({ taskId }) => this.#cancel(taskId))],
  ]);

  taskFor(tool: Tool, { task: wanted }: JsonObject, origin: InFlight): TaskStart | undefined {
    if (origin.revision !== newestLegacy) {
      return undefined;
    }
    if (wanted === undefined) {
      if (tool.taskSupport === 'required') {
        throw new RpcError(rpcCode.methodNotFound, `${tool.name} can only be called as a task`);
      }
      return undefined;
    }
    if (tool.taskSupport === undefined) {
      throw new RpcError(rpcCode.methodNotFound, `${tool.name} cannot be called as a task`);
    }
    const ttlMs = ttlOf(wanted);
    return (work) => JSON.stringify({ task: wireTask(this.#begin(origin, ttlMs, work)) });
  }

  dispose(): void {
    this.#board.dispose();
  }

  #begin(origin: InFlight, ttlMs: number, work: (request: RequestContext) => Promise<string>): Task {
    const { progressToken, revision } = origin;
    const options = {
      origin,
      ttlMs,
      ask: (required: InputRequired, task: Task) => this.#ask(required, task),
      onProgress: (progress: number, message?: string, total?: number) => {
        if (progressToken !== undefined) {
          this.#outlet(progressText(progressToken, revision, progress, message, total));
        }
      },
      onDidChange: (task: Task) => this.#outlet(rpcNotificationText('notifications/tasks/status', wireTask(task))),
    };
    return this.#board.begin(options, work);
  }

  #ask(required: InputRequired, task: Task): Promise<Readonly<Record<string, JsonObject>>> {
    const outbox = this.#outboxOf(task);
    const send = (text: string): void => {
      if (outbox.sink === undefined) {
        outbox.held.push(text);
      } else {
        outbox.sink(text);
      }
    };
    return this.#requests.askAll(required.requests, { send, withdraw: this.#outlet, signal: task.signal, meta: relatedTo(task) });
  }

  async #result({ taskId }: JsonObject, request: RequestContext): Promise<string> {
    const task = this.#board.find(taskId);
    const outbox = this.#outboxOf(task);
    const send = (text: string): void => request.notify(text);
    outbox.sink = send;
    outbox.held.splice(0).forEach(send);
    await task.untilEnd(request.signal);
    if (outbox.sink === send) {
      outbox.sink = undefined;
    }
    const { end } = task;
    if (end !== undefined) {
      this.#outboxes.delete(task.id);
    }
    if (end?.kind === 'error') {
      throw new RpcError(end.error.code, end.error.message, end.error.data);
    }
    if (end?.kind !== 'result') {
      throw new RpcError(rpcCode.internalError, 'The task was cancelled');
    }
    return JSON.stringify({ ...end.result, _meta: { ...metaOf(end.result), ...relatedTo(task) } });
  }

  #list(cursor: unknown): string {
    const { page, nextCursor } = cutPage(this.#board.list(), cursor, 'tasks/list');
    return JSON.stringify({ tasks: page.map(wireTask), ...(nextCursor !== undefined && { nextCursor }) });
  }

  #cancel(taskId: unknown): string {
    const task = this.#board.find(taskId);
    if (task.end !== undefined) {
      throw new RpcError(rpcCode.invalidParams, `The task is already ${wireStatus(task)}`, {
        parameter: 'taskId',
        reason: 'already ended',
      });
    }
    task.finish({ kind: 'cancelled' });
    return JSON.stringify(wireTask(task));
  }

  #outboxOf(task: Task): { readonly held: string[]; sink: ((text: string) => void) | undefined } {
    const known = this.#outboxes.get(task.id);
    if (known !== undefined) {
      return known;
    }
    const outbox = { held: [], sink: undefined };
    this.#outboxes.set(task.id, outbox);
    return outbox;
  }
}

function onlyNewest(method: Method): Method {
  return (params, request) => (request.revision === newestLegacy ? method : unknownMethod)(params, request);
}

function ttlOf(wanted: unknown): number {
  const ttl = isJsonObject(wanted) ? (wanted.ttl ?? taskTimes.ttlMs) : undefined;
  if (typeof ttl !== 'number' || ttl < 0) {
    throw new RpcError(rpcCode.invalidParams, 'Invalid task', { parameter: 'task', reason: 'expected an object with a ttl' });
  }
  return Math.min(Math.max(Math.ceil(ttl), minTtlMs), taskTimes.ttlMs);
}

function relatedTo(task: Task): JsonObject {
  return { 'io.modelcontextprotocol/related-task': { taskId: task.id } };
}

function metaOf({ _meta }: JsonObject): JsonObject {
  return isJsonObject(_meta) ? _meta : {};
}

/** The status of a task in this revision, where a tool result with `isError` makes the task failed. */
function wireStatus(task: Task): string {
  return task.end?.kind === 'result' && task.end.result.isError === true ? 'failed' : task.status;
}

function wireTask(task: Task): JsonObject {
  return {
    taskId: task.id,
    status: wireStatus(task),
    ...(task.statusMessage !== undefined && { statusMessage: task.statusMessage }),
    createdAt: task.createdAt,
    lastUpdatedAt: task.updatedAt,
    ttl: task.ttlMs,
    pollInterval: taskTimes.pollMs,
  };
}
