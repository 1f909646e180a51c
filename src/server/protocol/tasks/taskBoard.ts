// tasks/: calls that continue after their request was answered, for both eras. How a client begins, follows and ends a task
// differs: see legacy/legacyTasks.ts and modern/modernTasks.ts.
import { isAbort } from '../../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { Log } from '../../../base/log.ts';
import type { Clock } from '../../../base/clock.ts';
import type { RequestContext } from '../requests/inFlight.ts';
import { isRpcError, RpcError, rpcCode } from '../rpc/rpc.ts';
import { Task, type TaskOptions } from './task.ts';

export const taskTimes = {
  /** How often a client is asked to poll. */
  pollMs: 1_000,
  ttlMs: 60 * 60_000,
} as const;

/** The most tasks of one client; the oldest that has ended is forgotten. */
const maxTasks = 64;
/** The most tasks of one client that are under way. */
const maxUnfinished = 16;

interface Entry {
  readonly task: Task;
  readonly expiry: Disposable;
}

/** The tasks of one session, one WebSocket, or all stateless requests of one credential. No other client can find them. */
export class TaskBoard implements Disposable {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  get isBusy(): boolean {
    return this.#unfinished().length > 0;
  }

  begin(options: TaskOptions, work: (request: RequestContext) => Promise<string>): Task {
    this.#makeRoom();
    const task = new Task(options);
    const expiry = this.#clock.schedule(options.ttlMs, () => this.#forget(task));
    this.#entries.set(task.id, { task, expiry });
    work(task).then(
      (text) => task.finish({ kind: 'result', result: toResult(text) }),
      (error: unknown) => this.#fail(task, error),
    );
    return task;
  }

  find(id: unknown): Task {
    const task = typeof id === 'string' ? this.#entries.get(id)?.task : undefined;
    if (task === undefined) {
      throw new RpcError(rpcCode.invalidParams, 'Unknown task', { parameter: 'taskId', reason: 'no such task' });
    }
    return task;
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  list(): readonly Task[] {
    return [...this.#entries.values()].map(({ task }) => task);
  }

  dispose(): void {
    for (const task of this.list()) {
      this.#forget(task);
    }
  }

  #forget(task: Task): void {
    this.#entries.get(task.id)?.expiry.dispose();
    this.#entries.delete(task.id);
    task.finish({ kind: 'cancelled' });
  }

  #unfinished(): readonly Task[] {
    return this.list().filter(({ end }) => end === undefined);
  }

  #makeRoom(): void {
    if (this.#unfinished().length >= maxUnfinished) {
      throw new RpcError(rpcCode.internalError, 'too many tasks', { reason: 'rateLimited' });
    }
    const oldest = this.list().find(({ end }) => end !== undefined);
    if (this.#entries.size >= maxTasks && oldest !== undefined) {
      this.#forget(oldest);
    }
  }

  #fail(task: Task, error: unknown): void {
    if (isRpcError(error)) {
      task.finish({ kind: 'error', error });
      return;
    }
    if (!isAbort(error)) {
      this.#log.error('A task failed.', error);
    }
    task.finish({ kind: 'error', error: { code: rpcCode.internalError, message: 'Internal error' } });
  }
}

function toResult(text: string): JsonObject {
  const result: unknown = JSON.parse(text);
  return isJsonObject(result) ? result : {};
}
