import { Worker } from 'node:worker_threads';
import { abortError, neverAborted, untilAborted } from '../base/abort.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import type { SchemaVerdict } from '../contract/forms/argumentFields.ts';
import type { ReadReport } from '../testRuns/parsers/parseReport.ts';
import type { ParsedReport, ReportText } from '../testRuns/parsers/report.ts';

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

/** One piece of work, from when it is asked for until somebody hears what came of it. */
interface Piece {
  readonly request: WorkRequest;
  /** For whom it is done. */
  readonly owner: object | undefined;
  readonly signal: AbortSignal;
  readonly settle: (outcome: WorkOutcome<WorkKind>) => void;
  readonly fail: (error: Error) => void;
}

/** Loading the program, on a machine that has much else to do. */
const startMs = 30_000;
/** A thread that nobody needed for so long gives its memory back. */
const idleMs = 60_000;
const memoryLimits = { maxOldGenerationSizeMb: 512 };

interface ThreadEvents {
  readonly idle: () => void;
  readonly gone: () => void;
}

/** A thread of the pool, and the piece it works on. */
class PoolThread {
  readonly #worker: Worker;
  readonly #limitMs: number;
  readonly #events: ThreadEvents;
  #piece: Piece | undefined;
  #hasBegun = false;
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

  get piece(): Piece | undefined {
    return this.#piece;
  }

  take(piece: Piece): void {
    this.#piece = piece;
    this.#hasBegun = false;
    this.#worker.ref();
    this.#within(startMs);
    this.#worker.postMessage(piece.request);
  }

  /** Stopped wherever it is; whoever waits for its piece gets `error`. */
  end(error?: Error): void {
    const piece = this.#piece;
    this.#piece = undefined;
    this.#leave();
    if (error !== undefined) {
      piece?.fail(error);
    }
  }

  #take(reply: WorkReply): void {
    if (this.#isGone) {
      return;
    }
    if (reply.kind === 'begun') {
      this.#hasBegun = true;
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
        : { kind: 'gaveUp', isItsFault: true, reason: `could not be worked on: ${reply.reason}` },
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
    piece?.settle({ kind: 'gaveUp', isItsFault: this.#hasBegun, reason });
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

/** What a thread of the pool can do, each with what comes of it. Texts, not objects: to pass them on costs next to nothing. */
export interface Work {
  readonly checkSchema: {
    /** Both JSON; without a value the schema alone is looked at. */
    readonly job: { readonly schema: string; readonly value: string | undefined };
    readonly result: SchemaVerdict;
  };
  readonly readReport: { readonly job: ReportText; readonly result: ParsedReport | undefined };
}

type WorkKind = keyof Work;

export type WorkRequest = { readonly [K in WorkKind]: { readonly kind: K; readonly job: Work[K]['job'] } }[WorkKind];

export type WorkReply =
  /** From here on the time counts. */
  { readonly kind: 'begun' } | { readonly kind: 'done'; readonly result: unknown } | { readonly kind: 'failed'; readonly reason: string };

type WorkOutcome<K extends WorkKind> =
  | { readonly kind: 'done'; readonly result: Work[K]['result'] }
  /** `reason` is the rest of a sentence: "it …". Whether the work itself is at fault: it would be given up again. */
  | { readonly kind: 'gaveUp'; readonly isItsFault: boolean; readonly reason: string };

/** Reads large reports and outputs in the pool; what is given up is said in the log. */
export function reportReader(pool: WorkerPool, log: Log): ReadReport {
  const owner = {};
  return async (report) => {
    const outcome = await pool.run('readReport', report, { owner });
    if (outcome.kind === 'gaveUp') {
      log.warn(`Test results of ${report.text.length} characters were not read: it ${outcome.reason}.`);
      return { kind: 'gaveUp', reason: outcome.reason };
    }
    return { kind: 'read', report: outcome.result };
  };
}
