import * as z from 'zod';
import { messageOf, type AppError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { hostError } from '../shared/hostErrors.ts';
import type { Client, JSONRPCMessage, Transport } from '../shared/sdk.ts';
import { fromSdkError } from '../shared/sdk.ts';
import type { ToolInfo } from '../shared/serverState.ts';
import { TaskInput } from './taskInput.ts';
import { maxTaskMs, messageOfTask, type TaskPort, type TaskState } from './taskFollower.ts';

/** Where an answer that is a task carries it past the SDK, which knows no such answers. */
const carriedTask = 'duplex/task';
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

/** Whether the tool is to be called as a task of 2025-11-25. Without the server's word for it, it must not be. */
export function isCalledAsTask(client: Client, tool: ToolInfo): boolean {
  const offersTasks = client.getServerCapabilities()?.tasks?.requests?.tools?.call !== undefined;
  return offersTasks && client.getProtocolEra() !== 'modern' && (tool.taskSupport === 'required' || tool.taskSupport === 'optional');
}

export interface CreateOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
}

/** The answer, and the task if the server made one of the call. */
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

/** The task that an answer of 2026-07-28 stands for, if it does. */
export function carriedTaskOf(meta: unknown): TaskState | undefined {
  const carried = isJsonObject(meta) ? meta[carriedTask] : undefined;
  return carried === undefined ? undefined : readTask(carried);
}

/** Lets answers that are tasks through. They look like a failed call to the SDK, which then does not check what they hold. */
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

/** How tasks are looked after on this connection. */
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
