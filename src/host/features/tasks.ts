import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { type AppError, messageOf } from '../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import { hostError } from '../shared/hostErrors.ts';
import { type Client, type JSONRPCMessage, type Transport } from '../shared/sdk.ts';
import { fromSdkError } from '../shared/failures.ts';
import type { ToolInfo } from '../shared/serverState.ts';

/** The `_meta` key under which a task is carried past the SDK, which does not know answers that are tasks. */
const carriedTask = 'duplex/task';
/** How long, in ms, a server may take to answer that a task is cancelled. */
const cancelMs = 5_000;

const taskShape = z.looseObject({
  taskId: z.string().min(1).max(1_000),
  status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  statusMessage: z.string().nullish(),
  pollInterval: z.number().nullish(), // 2025-11-25
  pollIntervalMs: z.number().nullish(), // 2026-07-28
  result: z.record(z.string(), z.unknown()).optional(),
  inputRequests: z.record(z.string(), z.unknown()).optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});
const anyObject = z.record(z.string(), z.unknown());

/** Whether the tool is to be called as a task of 2025-11-25. That is forbidden unless the server offers it. */
export function isCalledAsTask(client: Client, tool: ToolInfo): boolean {
  const offersTasks = client.getServerCapabilities()?.tasks?.requests?.tools?.call !== undefined;
  return offersTasks && client.getProtocolEra() !== 'modern' && (tool.taskSupport === 'required' || tool.taskSupport === 'optional');
}

export interface CreateOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
}

/** Resolves to the answer, and to the task if the server made one of the call. */
export async function createTask(
  client: Client,
  tool: ToolInfo,
  args: JsonObject,
  options: CreateOptions,
): Promise<{ readonly answer: JsonObject; readonly task: TaskState | undefined }> {
  const params = { name: tool.name, arguments: args, task: { ttl: maxTaskMs } };
  const answer = await client.request({ method: 'tools/call', params }, anyObject, options);
  return { answer: answer as JsonObject, task: answer['task'] === undefined ? undefined : readTask(answer['task']) };
}

/** The task for which an answer of 2026-07-28 stands; undefined for any other answer. */
export function carriedTaskOf(meta: unknown): TaskState | undefined {
  const carried = isJsonObject(meta) ? meta[carriedTask] : undefined;
  return carried === undefined ? undefined : readTask(carried);
}

/** Lets answers that are tasks pass through the SDK, in the form of a failed call, whose content the SDK does not check. */
export function admitTasks(transport: Transport): TaskInput {
  const receive = transport.onmessage?.bind(transport);
  transport.onmessage = (message, extra) => receive?.(withCarriedTask(message), extra);
  return new TaskInput(transport);
}

export function withCarriedTask<T extends JSONRPCMessage>(message: T): T {
  const result: unknown = 'result' in message ? message.result : undefined;
  if (!isJsonObject(result) || result['resultType'] !== 'task') {
    return message;
  }
  const meta = result['_meta'];
  const carried = { ...(isJsonObject(meta) ? meta : {}), [carriedTask]: result };
  return { ...message, result: { resultType: 'complete', isError: true, content: [], _meta: carried } };
}

/** How tasks are followed on this connection. */
export function taskPort(client: Client, timeout: number, input: TaskInput | undefined): TaskPort {
  const get = async (taskId: string, signal: AbortSignal): Promise<TaskState> =>
    readTask(await client.request({ method: 'tasks/get', params: { taskId } }, anyObject, { timeout, signal }));
  const cancel = async (taskId: string): Promise<void> => {
    try {
      await client.request({ method: 'tasks/cancel', params: { taskId } }, anyObject, { timeout: cancelMs });
    } catch {
      // It ended meanwhile, or cannot be cancelled; nobody waits for it any more.
    }
  };
  if (input !== undefined) {
    const respond = (task: TaskState, signal: AbortSignal): Promise<void> => input.answer(client, task, { timeout, signal });
    return { get, cancel, respond, result: async (task) => carriedResult(task) };
  }
  const fetchResult = async (taskId: string, signal: AbortSignal): Promise<JsonObject> =>
    (await client.request({ method: 'tasks/result', params: { taskId } }, anyObject, { timeout, signal })) as JsonObject;
  return {
    get,
    cancel: client.getServerCapabilities()?.tasks?.cancel === undefined ? () => Promise.resolve() : cancel,
    resultWhileAsking: fetchResult,
    result: async (task, signal) => {
      try {
        const result = await fetchResult(task.id, signal);
        return task.status === 'failed' ? { ...result, isError: true } : result;
      } catch (error) {
        const isRefusal = fromSdkError(error, undefined, timeout).code === 'host.serverError';
        throw task.status === 'failed' && isRefusal ? taskFailed(task.message ?? messageOf(error), task) : error;
      }
    },
  };
}

function carriedResult(task: TaskState): JsonObject {
  if (task.status === 'completed' && task.result !== undefined) {
    return task.result;
  }
  throw task.status === 'failed' ? taskFailed(task.message ?? '', task) : hostError('host.taskWithoutResult');
}

function taskFailed(reason: string, task: TaskState): AppError {
  return hostError('host.taskFailed', { reason: messageOfTask({ ...task, message: reason }) });
}

function readTask(raw: unknown): TaskState {
  const parsed = taskShape.safeParse(raw);
  if (!parsed.success) {
    throw hostError('host.invalidAnswer', { reason: 'not a task.' });
  }
  const { taskId, status, statusMessage, pollInterval, pollIntervalMs, result, inputRequests, error } = parsed.data;
  return {
    id: taskId,
    status,
    message: statusMessage ?? error?.message,
    pollMs: pollIntervalMs ?? pollInterval ?? undefined,
    result: result as JsonObject | undefined,
    inputRequests: inputRequests as JsonObject | undefined,
  };
}

/** The state of a task, in terms that fit both generations of the protocol. */
export interface TaskState {
  readonly id: string;
  readonly status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  readonly message: string | undefined;
  /** How long the server wants no further request. */
  readonly pollMs: number | undefined;
  /** The result, which comes with the state in 2026-07-28. */
  readonly result?: JsonObject | undefined;
  /** The task's questions, which come with the state in 2026-07-28. */
  readonly inputRequests?: JsonObject | undefined;
}

/** What the two generations of the protocol do differently. */
interface TaskPort {
  get(id: string, signal: AbortSignal): Promise<TaskState>;
  /** The result of a task that completed or failed. */
  result(task: TaskState, signal: AbortSignal): Promise<JsonObject>;
  /** In 2025-11-25, waits for the result of a task that asks the person something; its questions arrive meanwhile. */
  readonly resultWhileAsking?: ((id: string, signal: AbortSignal) => Promise<JsonObject>) | undefined;
  /** In 2026-07-28, answers the questions that came with the state. */
  readonly respond?: ((task: TaskState, signal: AbortSignal) => Promise<void>) | undefined;
  /** Never rejects. */
  cancel(id: string): Promise<void>;
}

export interface FollowOptions {
  readonly signal: AbortSignal;
  readonly onState: (task: TaskState, look: number) => void;
  /** Between two requests nothing is awaited of the server, so that time must not count. */
  readonly onPause: (isPausing: boolean) => void;
}

/** The longest time for which a task is followed. The server is asked to keep it as long. */
const maxTaskMs = 60 * 60 * 1_000;
/** The pause, in ms, before a server is asked about a task again, where it names none. */
const usualPollMs = 1_000;
/** The shortest pause, in ms, between two questions about a task, whatever the server names. */
const minPollMs = 50;
/** The longest pause, in ms, between two questions about a task, whatever the server names. */
const maxPollMs = 60_000;
/** The most characters of what a server says of the state of a task. */
const maxMessageLength = 500;

/** Polls a task until it is over and resolves to its result. When the polling ends for any other reason, the task is cancelled. */
export async function followTask(port: TaskPort, first: TaskState, options: FollowOptions): Promise<JsonObject> {
  let task = first;
  try {
    let early: Promise<JsonObject> | undefined;
    const end = performance.now() + maxTaskMs;
    for (let look = 1; !isOver(task); look += 1) {
      options.signal.throwIfAborted();
      options.onState(task, look);
      if (performance.now() > end) {
        throw hostError('host.taskTooLong');
      }
      if (task.status === 'input_required') {
        await port.respond?.(task, options.signal);
        early ??= port.resultWhileAsking && inBackground(port.resultWhileAsking(task.id, options.signal));
      }
      const answer = await pause(pollMsOf(task), early, options);
      if (answer !== undefined) {
        return answer;
      }
      task = await port.get(first.id, options.signal);
    }
  } catch (error) {
    if (!isOver(task)) {
      void port.cancel(first.id);
    }
    throw error;
  }
  if (task.status === 'cancelled') {
    throw hostError('host.taskCancelled', {}, { detail: messageOfTask(task) });
  }
  return port.result(task, options.signal);
}

/** The server's word on how the task is going, fit to be shown. */
export function messageOfTask({ message, status }: TaskState): string {
  return revealInvisible((message ?? status).slice(0, maxMessageLength));
}

export function pollMsOf({ pollMs }: Pick<TaskState, 'pollMs'>): number {
  return Math.min(maxPollMs, Math.max(minPollMs, pollMs ?? usualPollMs));
}

function isOver({ status }: TaskState): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** A failure is reported by the next pause, not as an unhandled rejection. */
function inBackground<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Resolves to undefined when the time is over before the result came. */
async function pause(ms: number, early: Promise<JsonObject> | undefined, options: FollowOptions): Promise<JsonObject | undefined> {
  const over = new AbortController();
  const slept = sleep(ms, undefined, { signal: AbortSignal.any([options.signal, over.signal]) });
  options.onPause(true);
  try {
    return await Promise.race(early === undefined ? [slept] : [slept, early]);
  } finally {
    options.onPause(false);
    over.abort();
  }
}

/**
 * Answers the questions of tasks of 2026-07-28 with the SDK's own means. The SDK answers questions that come as the result
 * of a request, and sends the request again with the answers. So `tasks/update` is first "sent" without answers, but never
 * leaves this side: its result is the task's questions. What the SDK then sends is the update that the server expects.
 */
export class TaskInput {
  readonly #asking = new Map<string, JsonObject>();
  /** The answered questions by task. A question stays in the state until the server took the answer, and must not be asked twice. */
  readonly #answered = new Map<string, Set<string>>();

  constructor(transport: Transport) {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      const result = this.#questionsFor(message);
      if (result === undefined) {
        return send(message, options);
      }
      queueMicrotask(() => transport.onmessage?.({ jsonrpc: '2.0', id: result.id, result: result.value }));
      return Promise.resolve();
    };
  }

  async answer(client: Client, task: TaskState, options: { readonly timeout: number; readonly signal: AbortSignal }): Promise<void> {
    const answered = this.#answered.get(task.id) ?? new Set();
    this.#answered.set(task.id, answered);
    const fresh = Object.entries(task.inputRequests ?? {}).filter(([key]) => !answered.has(key));
    if (fresh.length === 0) {
      return;
    }
    this.#asking.set(task.id, Object.fromEntries(fresh));
    try {
      await client.request({ method: 'tasks/update', params: { taskId: task.id } }, z.record(z.string(), z.unknown()), options);
      fresh.forEach(([key]) => answered.add(key));
    } finally {
      this.#asking.delete(task.id);
    }
  }

  forget(taskId: string): void {
    this.#answered.delete(taskId);
  }

  #questionsFor(message: JSONRPCMessage): { readonly id: string | number; readonly value: JsonObject } | undefined {
    if (!('method' in message) || !('id' in message) || message.method !== 'tasks/update') {
      return undefined;
    }
    const params: unknown = message.params;
    const taskId = isJsonObject(params) && params['inputResponses'] === undefined ? params['taskId'] : undefined;
    const inputRequests = typeof taskId === 'string' ? this.#asking.get(taskId) : undefined;
    return inputRequests && { id: message.id, value: { resultType: 'input_required', inputRequests } };
  }
}
