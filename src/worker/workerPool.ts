import { abortError, neverAborted, untilAborted } from '../base/abort.ts';
import type { Disposable } from '../base/lifecycle.ts';
import { PoolThread, type Piece } from './poolThread.ts';
import type { Work, WorkKind, WorkOutcome, WorkRequest } from './workMessages.ts';

export interface WorkerPoolOptions {
  /** The file of the bundle of workThread.ts. */
  readonly program: string;
  readonly maxThreads?: number | undefined;
  /** Of one piece of work, from when a thread begins it. */
  readonly limitMs?: number | undefined;
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  /** For whom: of one owner one piece is worked on at a time, so that nobody keeps all threads from the others. */
  readonly owner?: object | undefined;
}

const defaults = { maxThreads: 2, limitMs: 5_000 };
const maxWaiting = 200;
/** Of one owner. */
const maxWaitingOfOne = 100;
const maxJobCharacters = 32 * 1024 * 1024;

/** Work that could be slow, off the main thread and within a time limit. Threads start when they are needed. */
export class WorkerPool implements Disposable {
  readonly #options: WorkerPoolOptions;
  readonly #threads = new Set<PoolThread>();
  readonly #waiting: Piece[] = [];
  #isDisposed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /** Rejects only when `signal` fires or the pool is disposed; nothing is worked on any longer for whoever has gone. */
  async run<K extends WorkKind>(
    kind: K,
    job: Work[K]['job'],
    { signal = neverAborted(), owner }: RunOptions = {},
  ): Promise<WorkOutcome<K>> {
    signal.throwIfAborted();
    if (this.#isDisposed) {
      throw abortError();
    }
    if (Object.values(job).some((part) => typeof part === 'string' && part.length > maxJobCharacters)) {
      return { kind: 'gaveUp', isItsFault: true, reason: 'is too large' };
    }
    const isFull = owner !== undefined && this.#waiting.filter((each) => each.owner === owner).length >= maxWaitingOfOne;
    if (isFull || this.#waiting.length >= maxWaiting) {
      return { kind: 'gaveUp', isItsFault: false, reason: 'came while too much else was waiting' };
    }
    const request = { kind, job } as WorkRequest;
    const outcome = new Promise<WorkOutcome<WorkKind>>((settle, fail) => this.#waiting.push({ request, owner, signal, settle, fail }));
    this.#next();
    try {
      return await untilAborted(outcome, signal);
    } finally {
      this.#drop(request);
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#threads.forEach((thread) => thread.end(abortError()));
    this.#waiting.splice(0).forEach(({ fail }) => fail(abortError()));
  }

  /** Does nothing for one that is done. */
  #drop(request: WorkRequest): void {
    const index = this.#waiting.findIndex((each) => each.request === request);
    if (index >= 0) {
      this.#waiting.splice(index, 1);
    }
    [...this.#threads].find((thread) => thread.piece?.request === request)?.end();
  }

  #next(): void {
    const { maxThreads = defaults.maxThreads } = this.#options;
    for (;;) {
      const busy = new Set([...this.#threads].map(({ piece }) => piece?.owner));
      const index = this.#waiting.findIndex(({ owner, signal }) => !signal.aborted && (owner === undefined || !busy.has(owner)));
      if (index < 0 || this.#isDisposed) {
        return;
      }
      const idle = [...this.#threads].find(({ isIdle }) => isIdle);
      const thread = idle ?? (this.#threads.size < maxThreads ? this.#startThread() : undefined);
      if (thread === undefined) {
        return;
      }
      this.#waiting.splice(index, 1).forEach((piece) => thread.take(piece));
    }
  }

  #startThread(): PoolThread {
    const { program, limitMs = defaults.limitMs } = this.#options;
    const thread = new PoolThread(program, limitMs, {
      idle: () => this.#next(),
      gone: () => {
        this.#threads.delete(thread);
        this.#next();
      },
    });
    this.#threads.add(thread);
    return thread;
  }
}
