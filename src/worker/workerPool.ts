import { Worker } from 'node:worker_threads';
import { abortError, neverAborted, untilAborted } from '../base/abort.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { Work, WorkKind, WorkReply, WorkRequest } from './workMessages.ts';

export interface WorkerPoolOptions {
  /** The file of the bundle of workThread.ts. */
  readonly program: string;
  readonly maxThreads?: number | undefined;
  /** Of one piece of work, from when a thread begins it. */
  readonly limitMs?: number | undefined;
}

export type WorkOutcome<K extends WorkKind> =
  | { readonly kind: 'done'; readonly result: Work[K]['result'] }
  /** `reason` is the rest of a sentence: "it …". */
  | { readonly kind: 'gaveUp'; readonly reason: string };

interface Piece {
  readonly request: WorkRequest;
  readonly settle: (outcome: WorkOutcome<WorkKind>) => void;
  readonly fail: (error: Error) => void;
}

const defaults = { maxThreads: 2, limitMs: 5_000 };
/** Loading the program, on a machine that has much else to do. */
const startMs = 30_000;
/** A thread that nobody needed for so long gives its memory back. */
const idleMs = 60_000;
const maxWaiting = 200;
const maxJobCharacters = 32 * 1024 * 1024;
const memoryLimits = { maxOldGenerationSizeMb: 512 };

/** Work that could be slow, off the main thread and within a time limit. Threads start when they are needed. */
export class WorkerPool implements Disposable {
  readonly #options: WorkerPoolOptions;
  readonly #threads = new Set<PoolThread>();
  readonly #waiting: Piece[] = [];
  #isDisposed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /** Rejects only when `signal` fires or the pool is disposed. */
  run<K extends WorkKind>(kind: K, job: Work[K]['job'], signal = neverAborted()): Promise<WorkOutcome<K>> {
    if (this.#isDisposed) {
      return Promise.reject(abortError());
    }
    if (Object.values(job).some((part) => typeof part === 'string' && part.length > maxJobCharacters)) {
      return Promise.resolve({ kind: 'gaveUp', reason: 'is too large' });
    }
    if (this.#waiting.length >= maxWaiting) {
      return Promise.resolve({ kind: 'gaveUp', reason: 'came while too much else was waiting' });
    }
    const outcome = new Promise<WorkOutcome<WorkKind>>((settle, fail) => {
      this.#waiting.push({ request: { kind, job } as WorkRequest, settle, fail });
    });
    this.#next();
    return untilAborted(outcome, signal);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#threads.forEach((thread) => thread.end(abortError()));
    this.#waiting.splice(0).forEach(({ fail }) => fail(abortError()));
  }

  #next(): void {
    const { program, maxThreads = defaults.maxThreads, limitMs = defaults.limitMs } = this.#options;
    while (this.#waiting.length > 0 && !this.#isDisposed) {
      let thread = [...this.#threads].find(({ isIdle }) => isIdle);
      if (thread === undefined && this.#threads.size < maxThreads) {
        const made = new PoolThread(program, limitMs, {
          idle: () => this.#next(),
          gone: () => {
            this.#threads.delete(made);
            this.#next();
          },
        });
        this.#threads.add(made);
        thread = made;
      }
      const piece = thread === undefined ? undefined : this.#waiting.shift();
      if (piece === undefined) {
        return;
      }
      thread?.take(piece);
    }
  }
}

interface ThreadEvents {
  readonly idle: () => void;
  readonly gone: () => void;
}

class PoolThread {
  readonly #worker: Worker;
  readonly #limitMs: number;
  readonly #events: ThreadEvents;
  #piece: Piece | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isGone = false;

  constructor(program: string, limitMs: number, events: ThreadEvents) {
    this.#limitMs = limitMs;
    this.#events = events;
    // Nothing of this process's environment is its business.
    this.#worker = new Worker(program, { env: {}, execArgv: [], resourceLimits: memoryLimits });
    this.#worker.on('message', (reply: WorkReply) => this.#take(reply));
    this.#worker.on('error', () => this.#giveUp('could not be worked on to its end'));
    this.#worker.on('exit', () => this.#giveUp('could not be worked on to its end'));
  }

  get isIdle(): boolean {
    return !this.#isGone && this.#piece === undefined;
  }

  take(piece: Piece): void {
    this.#piece = piece;
    this.#worker.ref();
    this.#within(startMs);
    this.#worker.postMessage(piece.request);
  }

  end(error?: Error): void {
    this.#leave();
    if (error !== undefined) {
      this.#piece?.fail(error);
    }
    this.#piece = undefined;
  }

  #take(reply: WorkReply): void {
    if (this.#isGone) {
      return;
    }
    if (reply.kind === 'begun') {
      this.#within(this.#limitMs);
      return;
    }
    const piece = this.#piece;
    this.#piece = undefined;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end(), idleMs).unref();
    this.#worker.unref();
    piece?.settle(
      reply.kind === 'done'
        ? { kind: 'done', result: reply.result as Work[WorkKind]['result'] }
        : { kind: 'gaveUp', reason: `could not be worked on: ${reply.reason}` },
    );
    this.#events.idle();
  }

  #within(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#giveUp(`took longer than ${this.#limitMs / 1_000} s`), milliseconds);
  }

  #giveUp(reason: string): void {
    const piece = this.#piece;
    this.#piece = undefined;
    this.#leave();
    piece?.settle({ kind: 'gaveUp', reason });
  }

  /** The thread is stopped wherever it is, in the middle of a regular expression too. */
  #leave(): void {
    clearTimeout(this.#timer);
    if (!this.#isGone) {
      this.#isGone = true;
      void this.#worker.terminate();
      this.#events.gone();
    }
  }
}
