import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import { hostError } from '../shared/hostErrors.ts';

/** One look at a task, in the words of either generation of the protocol. */
export interface TaskState {
  readonly id: string;
  readonly status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  readonly message: string | undefined;
  /** How long the server wants to be left alone between two looks. */
  readonly pollMs: number | undefined;
  /** Where the answer comes with the state. */
  readonly result?: JsonObject | undefined;
  /** Where the questions come with the state. */
  readonly inputRequests?: JsonObject | undefined;
}

/** What the generations do differently. */
export interface TaskPort {
  get(id: string, signal: AbortSignal): Promise<TaskState>;
  /** The answer of a task that completed or failed. */
  result(task: TaskState, signal: AbortSignal): Promise<JsonObject>;
  /** For a task that asks the person something: waits for the answer of the task, while its questions arrive. */
  readonly resultWhileAsking?: ((id: string, signal: AbortSignal) => Promise<JsonObject>) | undefined;
  /** Or: answers the questions that came with the state. */
  readonly respond?: ((task: TaskState, signal: AbortSignal) => Promise<void>) | undefined;
  /** Never rejects. */
  cancel(id: string): Promise<void>;
}

export interface FollowOptions {
  readonly signal: AbortSignal;
  readonly onState: (task: TaskState, look: number) => void;
  /** Between two looks the server owes nothing, so that no time runs. */
  readonly onPause: (isPausing: boolean) => void;
}

/** The longest a task is followed and, so, asked to be kept. */
export const maxTaskMs = 60 * 60 * 1_000;
const usualPollMs = 1_000;
const minPollMs = 50;
const maxPollMs = 60_000;
const maxMessageLength = 500;

/** Looks at a task until it is over and gives its answer. Whatever else ends the looking also cancels the task. */
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

/** The server's word for how it is going, fit to be shown. */
export function messageOfTask({ message, status }: TaskState): string {
  return revealInvisible((message ?? status).slice(0, maxMessageLength));
}

export function pollMsOf({ pollMs }: Pick<TaskState, 'pollMs'>): number {
  return Math.min(maxPollMs, Math.max(minPollMs, pollMs ?? usualPollMs));
}

function isOver({ status }: TaskState): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** How it ends is told by the next pause. */
function inBackground<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Undefined when the time is over before the answer came. */
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
