import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { tasksExtension } from '../../../contract/protocolNames.ts';
import type { Tool } from '../../offer/catalog/catalog.ts';
import type { RequestContext, TaskStart } from '../requests/inFlight.ts';
import type { Method } from '../methods/methodDispatch.ts';
import { missingCapability, RpcError, rpcCode } from '../rpc/rpc.ts';
import type { Task } from '../tasks/task.ts';
import { taskTimes, type TaskBoard } from '../tasks/taskBoard.ts';

export function createModernTaskMethods(board: TaskBoard): ReadonlyMap<string, Method> {
  const forFollowers =
    (answer: (params: JsonObject) => string): Method =>
    async (params, request) => {
      requireTasks(request.clientCapabilities);
      return answer(params);
    };
  return new Map<string, Method>([
    ['tasks/get', forFollowers(({ taskId }) => JSON.stringify(detailedTask(board.find(taskId))))],
    [
      'tasks/update',
      forFollowers(({ taskId, inputResponses }) => {
        const task = board.find(taskId);
        if (!isJsonObject(inputResponses)) {
          throw new RpcError(rpcCode.invalidParams, 'inputResponses must be an object', {
            parameter: 'inputResponses',
            reason: 'expected an object',
          });
        }
        task.update(inputResponses);
        return '{}';
      }),
    ],
    [
      'tasks/cancel',
      forFollowers(({ taskId }) => {
        board.find(taskId).finish({ kind: 'cancelled' });
        return '{}';
      }),
    ],
  ]);
}

/** Makes a task of a call if the tool allows it and the client can follow tasks. */
export function modernTaskFor(
  board: TaskBoard,
  tool: Tool,
  origin: RequestContext,
  onDidChange: (task: Task) => void,
): TaskStart | undefined {
  if (tool.taskSupport === undefined) {
    return undefined;
  }
  if (!followsTasks(origin.clientCapabilities)) {
    if (tool.taskSupport === 'required') {
      throw missingTasks();
    }
    return undefined;
  }
  return (work) => {
    const task = board.begin({ origin, ttlMs: taskTimes.ttlMs, onDidChange }, work);
    return JSON.stringify({ resultType: 'task', ...basics(task) });
  };
}

export function requireTasks(capabilities: JsonObject): void {
  if (!followsTasks(capabilities)) {
    throw missingTasks();
  }
}

function followsTasks({ extensions }: JsonObject): boolean {
  return isJsonObject(extensions) && isJsonObject(extensions[tasksExtension]);
}

function missingTasks(): RpcError {
  return missingCapability({ extensions: { [tasksExtension]: {} } });
}

function basics(task: Task): JsonObject {
  return {
    taskId: task.id,
    status: task.status,
    ...(task.statusMessage !== undefined && { statusMessage: task.statusMessage }),
    createdAt: task.createdAt,
    lastUpdatedAt: task.updatedAt,
    ttlMs: task.ttlMs,
    pollIntervalMs: taskTimes.pollMs,
  };
}

/** A task as `tasks/get` and notifications describe it. */
export function detailedTask(task: Task): JsonObject {
  const { end } = task;
  if (end === undefined) {
    return task.status === 'input_required'
      ? { ...basics(task), inputRequests: task.inputRequests as unknown as JsonObject }
      : basics(task);
  }
  switch (end.kind) {
    case 'result':
      return { ...basics(task), result: end.result };
    case 'error': {
      const { code, message, data } = end.error;
      return { ...basics(task), error: { code, message, ...(data !== undefined && { data }) } };
    }
    case 'cancelled':
      return basics(task);
  }
}
