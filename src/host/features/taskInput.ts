import * as z from 'zod';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Client, JSONRPCMessage, Transport } from '../shared/sdk.ts';
import type { TaskState } from './taskFollower.ts';

/**
 * What tasks of 2026-07-28 ask for. The SDK answers questions that come as the result of a request, by sending the request
 * again with the answers. So `tasks/update` is first sent without any, which never leaves this side: its result is the
 * task's questions, and what the SDK then sends is the update that the server expects.
 */
export class TaskInput {
  readonly #asking = new Map<string, JsonObject>();
  /** By task: a question stays in sight until the server took the answer, and must not be asked twice. */
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
