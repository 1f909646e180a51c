import { abortError, neverAborted, untilAborted } from '../base/abort.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import type { SchemaVerdict } from '../contract/forms/formFields.ts';
import { JobThread, type JobOutcome } from '../platform/processes/jobThread.ts';
import type { ReadReport } from '../testRuns/parsers/parseReport.ts';
import type { ParsedReport, ReportText } from '../testRuns/parsers/report.ts';

/** What a thread of the pool can do, each with what comes of it. Texts, not objects: to pass them on costs next to nothing. */
export interface PoolJobs {
  readonly checkSchema: {
    /** Both JSON; without a value the schema alone is looked at. */
    readonly job: { readonly schema: string; readonly value: string | undefined };
    readonly result: SchemaVerdict;
  };
  readonly readReport: { readonly job: ReportText; readonly result: ParsedReport | undefined };
}

export type PoolOutcome<K extends keyof PoolJobs> =
  | { readonly kind: 'done'; readonly result: PoolJobs[K]['result'] }
  /** `reason` is the rest of a sentence: "it …". `isItsFault`: the job itself is to blame, and would be given up again. */
  | { readonly kind: 'gaveUp'; readonly isItsFault: boolean; readonly reason: string };

export interface WorkerPoolOptions {
  /** The file of the bundle of workThread.ts. */
  readonly program: string;
  readonly maxThreads?: number | undefined;
  /** The longest that one job may take, from when a thread begins it. */
  readonly limitMs?: number | undefined;
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  /** For whom the job is done. One job of an owner is worked on at a time, so that nobody keeps all threads from the others. */
  readonly owner?: object | undefined;
}

const defaults = { maxThreads: 2, limitMs: 5_000 };
/** How long a thread may take to load its program and begin, on a machine that has much else to do. */
const startMs = 30_000;
const memoryLimits = { maxOldGenerationSizeMb: 512 };
/** The most jobs that wait for a thread; a further one is given up at once. */
const maxWaiting = 200;
/** The most jobs of one owner, such as one connection to a server, that wait for a thread. */
const maxWaitingOfOneOwner = 100;
/** The most characters of one text of a job; a job with a longer one is refused. */
const maxJobCharacters = 32 * 1024 * 1024;
/** The most characters of an error's message in the reason why a job failed. */
const maxReasonCharacters = 500;

/** A job from when it is asked for until a thread takes it, and then until somebody hears what came of it. */
interface PoolJob {
  readonly owner: object | undefined;
  readonly signal: AbortSignal;
  readonly start: (thread: JobThread<PoolJobs>) => Promise<void>;
  readonly fail: (error: Error) => void;
}

/** Work that could be slow, off the main thread and within a time limit. Threads start when they are needed. */
export class WorkerPool implements Disposable {
  readonly #options: WorkerPoolOptions;
  /** The threads, each with the job that it works on. */
  readonly #threads = new Map<JobThread<PoolJobs>, PoolJob | undefined>();
  readonly #waiting: PoolJob[] = [];
  #isDisposed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /** Rejects only when `signal` fires or the pool is disposed. For a caller who has gone nothing is worked on any longer. */
  async run<K extends keyof PoolJobs>(
    kind: K,
    job: PoolJobs[K]['job'],
    { signal = neverAborted(), owner }: RunOptions = {},
  ): Promise<PoolOutcome<K>> {
    signal.throwIfAborted();
    if (this.#isDisposed) {
      throw abortError();
    }
    if (Object.values(job).some((part) => typeof part === 'string' && part.length > maxJobCharacters)) {
      return { kind: 'gaveUp', isItsFault: true, reason: 'is too large' };
    }
    const isFull = owner !== undefined && this.#waiting.filter((each) => each.owner === owner).length >= maxWaitingOfOneOwner;
    if (isFull || this.#waiting.length >= maxWaiting) {
      return { kind: 'gaveUp', isItsFault: false, reason: 'came while too much else was waiting' };
    }
    const { limitMs = defaults.limitMs } = this.#options;
    let waiting: PoolJob | undefined;
    const outcome = new Promise<PoolOutcome<K>>((settle, fail) => {
      const start = async (thread: JobThread<PoolJobs>): Promise<void> => {
        const done = await thread.run(kind, job, { signal, startMs, silenceMs: limitMs });
        settle(toPoolOutcome<K>(done, limitMs));
      };
      this.#waiting.push((waiting = { owner, signal, start, fail }));
    });
    this.#next();
    try {
      return await untilAborted(outcome, signal);
    } finally {
      this.#forget(waiting);
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    [...this.#threads.keys()].forEach((thread) => thread.dispose());
    this.#waiting.splice(0).forEach(({ fail }) => fail(abortError()));
  }

  /** Does nothing for a job that no longer waits. */
  #forget(job: PoolJob | undefined): void {
    const index = this.#waiting.findIndex((each) => each === job);
    if (index >= 0) {
      this.#waiting.splice(index, 1);
    }
  }

  #next(): void {
    const { maxThreads = defaults.maxThreads } = this.#options;
    for (;;) {
      const busy = new Set([...this.#threads.values()].map((job) => job?.owner));
      const index = this.#waiting.findIndex(({ owner, signal }) => !signal.aborted && (owner === undefined || !busy.has(owner)));
      if (index < 0 || this.#isDisposed) {
        return;
      }
      const [idle] = [...this.#threads].find(([, job]) => job === undefined) ?? [];
      const thread = idle ?? (this.#threads.size < maxThreads ? this.#startThread() : undefined);
      if (thread === undefined) {
        return;
      }
      this.#waiting.splice(index, 1).forEach((job) => void this.#work(thread, job));
    }
  }

  async #work(thread: JobThread<PoolJobs>, job: PoolJob): Promise<void> {
    this.#threads.set(thread, job);
    try {
      await job.start(thread);
    } catch (error) {
      job.fail(error as Error);
    }
    if (!thread.isOver) {
      this.#threads.set(thread, undefined);
      this.#next();
    }
  }

  #startThread(): JobThread<PoolJobs> {
    const thread = new JobThread<PoolJobs>({
      program: this.#options.program,
      stops: 'thread',
      resourceLimits: memoryLimits,
      onOver: () => {
        this.#threads.delete(thread);
        this.#next();
      },
    });
    this.#threads.set(thread, undefined);
    return thread;
  }
}

function toPoolOutcome<K extends keyof PoolJobs>(outcome: JobOutcome<PoolJobs[K]['result']>, limitMs: number): PoolOutcome<K> {
  switch (outcome.kind) {
    case 'done':
      return outcome;
    case 'failed':
      return { kind: 'gaveUp', isItsFault: true, reason: `could not be worked on: ${outcome.message.slice(0, maxReasonCharacters)}` };
    case 'tooSlow':
      return { kind: 'gaveUp', isItsFault: outcome.hasBegun, reason: `took longer than ${limitMs / 1_000} s` };
    case 'threadEnded':
      return { kind: 'gaveUp', isItsFault: outcome.hasBegun, reason: 'could not be worked on to its end' };
  }
}

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
