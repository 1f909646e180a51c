import { parentPort, Worker, type ResourceLimits, type Transferable } from 'node:worker_threads';
import { abortError } from '../../base/abort.ts';
import { messageOf } from '../../base/errors.ts';
import { toDisposable, type Disposable } from '../../base/lifecycle.ts';

// A worker thread that works on jobs. `JobThread` is its owner's end, `serveJobs` the end of the program that runs in it. Both ends
// are of one build and one process, so types are enough: no message is checked.

/** One kind of job: what the thread is given, what it tells before the job is done (if anything), and what comes of it. */
export interface JobKind {
  readonly job: unknown;
  readonly part?: unknown;
  readonly result: unknown;
}

/** The kinds of jobs by name. Written as an interface, because each kind has types of its own. */
type JobKinds<Kinds> = { readonly [K in keyof Kinds]: JobKind };
type Name<Kinds> = keyof Kinds & string;

export type JobOutcome<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  /** The job threw, and the thread lives on. `code` is empty where the error had none. */
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
  /** The job passed its deadline, and the thread was stopped. `hasBegun` is false when the thread did not even get to the job. */
  | { readonly kind: 'tooSlow'; readonly hasBegun: boolean }
  /** The thread ended under the job: it could not be loaded, ran out of memory, or was stopped because of another job. */
  | { readonly kind: 'threadEnded'; readonly hasBegun: boolean; readonly cause: unknown };

export interface JobThreadOptions {
  /** The file of the bundle that calls `serveJobs`. */
  readonly program: string;
  /**
   * How a job ends that nobody waits for any longer. 'thread' stops the thread wherever it is, in the middle of a regular
   * expression too, and with it all jobs it has. 'job' tells the job by its signal: a thread that was stopped would leave behind
   * the programs it has started.
   */
  readonly stops: 'thread' | 'job';
  readonly resourceLimits?: ResourceLimits | undefined;
  /** Called once when the thread takes no more jobs, for whatever reason. */
  readonly onOver?: (() => void) | undefined;
}

export interface JobOptions<Part> {
  readonly signal: AbortSignal;
  /** How long it may take until the thread begins the job, loading of the program included. Without it there is no limit. */
  readonly startMs?: number | undefined;
  /** How long the job may go on without a word (a part, or its end) once it has begun. Without it there is no limit. */
  readonly silenceMs?: number | undefined;
  readonly onPart?: ((part: Part) => void) | undefined;
}

/** A thread without a job gives its memory back after this time; until then it saves the next job the start of one. */
const idleMs = 60_000;

/** A thread that is `maxWaitingParts` ahead of its owner waits: the owner takes all that wait at once, and others wait meanwhile. */
export const maxWaitingParts = 8;

type Order =
  | { readonly kind: 'run'; readonly id: number; readonly name: string; readonly job: unknown; readonly taken: TakenCount }
  | { readonly kind: 'abort'; readonly id: number }
  /** Aborts all jobs; the thread ends by itself once they have ended. */
  | { readonly kind: 'close' };

type Report = { readonly id: number } & (
  | { readonly kind: 'begun' }
  | { readonly kind: 'part'; readonly part: unknown }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
);

/** How many parts the owner has taken; both threads see it. */
type TakenCount = Int32Array<SharedArrayBuffer>;

/**
 * The owner's end of one thread. It starts with its first job and ends when told to, when it fails, or after a while without
 * jobs.
 */
export class JobThread<Kinds extends JobKinds<Kinds>> implements Disposable {
  readonly #options: JobThreadOptions;
  readonly #jobs = new Map<number, RunningJob>();
  #worker: Worker | undefined;
  /** Shows the leak check a thread that nobody ends. */
  #started: Disposable | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isOver = false;
  #lastId = 0;

  constructor(options: JobThreadOptions) {
    this.#options = options;
  }

  /** A thread that is over takes no more jobs. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Rejects only when `signal` fires, with its reason, or when the thread is ended from here. */
  async run<K extends Name<Kinds>>(
    name: K,
    job: Kinds[K]['job'],
    options: JobOptions<Kinds[K]['part']>,
  ): Promise<JobOutcome<Kinds[K]['result']>> {
    options.signal.throwIfAborted();
    if (this.#isOver) {
      throw abortError();
    }
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    const id = (this.#lastId += 1);
    const running = new RunningJob(options, () => this.#giveUp(id));
    this.#jobs.set(id, running);
    const stop = (): void => {
      if (this.#options.stops === 'job') {
        this.#send({ kind: 'abort', id });
      } else {
        this.end(options.signal.reason as Error);
      }
    };
    options.signal.addEventListener('abort', stop, { once: true });
    this.#send({ kind: 'run', id, name, job, taken: running.taken });
    try {
      return await running.outcome;
    } finally {
      options.signal.removeEventListener('abort', stop);
      this.#jobs.delete(id);
      this.#rest();
    }
  }

  /** Ends the thread; whoever waits for a job gets the error. */
  end(error: Error): void {
    if (this.#leave()) {
      if (this.#options.stops === 'thread') {
        void this.#worker?.terminate();
      } else {
        this.#send({ kind: 'close' });
        this.#worker?.unref();
      }
      this.#jobs.forEach((job) => job.reject(error));
    }
  }

  dispose(): void {
    this.end(abortError());
  }

  #start(): Worker {
    // Nothing of this process's environment is its business.
    const worker = new Worker(this.#options.program, { env: {}, execArgv: [], resourceLimits: this.#options.resourceLimits ?? {} });
    this.#started = toDisposable(() => undefined);
    worker.on('message', (report: Report) => this.#take(report));
    worker.on('error', (error) => this.#lose(error));
    worker.on('exit', () => this.#lose(undefined));
    return worker;
  }

  #send(order: Order): void {
    this.#worker?.postMessage(order);
  }

  #take(report: Report): void {
    const job = this.#isOver ? undefined : this.#jobs.get(report.id);
    switch (report.kind) {
      case 'begun':
        job?.begin();
        break;
      case 'part':
        job?.take(report.part);
        break;
      case 'done':
        job?.settle({ kind: 'done', result: report.result });
        break;
      case 'failed':
        job?.settle({ kind: 'failed', code: report.code, message: report.message });
        break;
    }
  }

  #giveUp(id: number): void {
    const job = this.#jobs.get(id);
    job?.settle({ kind: 'tooSlow', hasBegun: job.hasBegun });
    this.#lose(undefined);
    void this.#worker?.terminate();
  }

  /** The thread is gone, or is as good as gone. */
  #lose(cause: unknown): void {
    if (this.#leave()) {
      this.#jobs.forEach((job) => job.settle({ kind: 'threadEnded', hasBegun: job.hasBegun, cause }));
    }
  }

  /** Ends this thread for all its users; the result is false when it was over before. */
  #leave(): boolean {
    if (this.#isOver) {
      return false;
    }
    this.#isOver = true;
    clearTimeout(this.#idle);
    this.#started?.dispose();
    this.#options.onOver?.();
    return true;
  }

  #rest(): void {
    if (this.#jobs.size === 0 && !this.#isOver) {
      this.#worker?.unref();
      clearTimeout(this.#idle);
      this.#idle = setTimeout(() => this.dispose(), idleMs).unref();
    }
  }
}

/** A job from when it is sent until somebody hears what came of it. */
class RunningJob {
  readonly outcome: Promise<JobOutcome<unknown>>;
  readonly taken: TakenCount = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  hasBegun = false;
  readonly #options: JobOptions<unknown>;
  readonly #onDeadline: () => void;
  #settle: (outcome: JobOutcome<unknown>) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #takenNow = 0;

  constructor(options: JobOptions<unknown>, onDeadline: () => void) {
    this.#options = options;
    this.#onDeadline = onDeadline;
    this.outcome = new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#reject = reject;
    });
    this.#expectWithin(options.startMs);
  }

  begin(): void {
    this.hasBegun = true;
    this.#expectWithin(this.#options.silenceMs);
  }

  take(part: unknown): void {
    this.#options.onPart?.(part);
    this.#expectWithin(this.#options.silenceMs);
    this.#takenNow += 1;
    if (this.#takenNow === 1) {
      // Counted in the next round of the event loop: otherwise the thread would send more into this one, and nobody else had a turn.
      setImmediate(() => {
        Atomics.add(this.taken, 0, this.#takenNow);
        Atomics.notify(this.taken, 0);
        this.#takenNow = 0;
      });
    }
  }

  settle(outcome: JobOutcome<unknown>): void {
    clearTimeout(this.#timer);
    this.#settle(outcome);
  }

  reject(error: Error): void {
    clearTimeout(this.#timer);
    this.#reject(error);
  }

  #expectWithin(milliseconds: number | undefined): void {
    clearTimeout(this.#timer);
    this.#timer = milliseconds === undefined ? undefined : setTimeout(this.#onDeadline, milliseconds);
  }
}

export interface JobContext<Part> {
  /** Fires when nobody waits for the job any longer, in a thread whose jobs are told so. */
  readonly signal: AbortSignal;
  /** Sends a part of the answer. Waits, and all other jobs of the thread with it, while the owner is too far behind. */
  readonly tell: (part: Part) => void;
  /** Passes this memory on with the result instead of copying it: here it is empty then. */
  readonly handOver: (buffer: ArrayBuffer) => void;
}

export type JobFunction<Kind extends JobKind> = (
  job: Kind['job'],
  context: JobContext<Kind['part']>,
) => Kind['result'] | Promise<Kind['result']>;

/** What does each kind of job. It is loaded with the first job of its kind, before that one counts as begun. */
export type JobTable<Kinds extends JobKinds<Kinds>> = { readonly [K in keyof Kinds]: () => Promise<JobFunction<Kinds[K]>> };

/** The thread's end: called once by the program that runs in it. */
export function serveJobs<Kinds extends JobKinds<Kinds>>(table: JobTable<Kinds>): void {
  const running = new Map<number, AbortController>();
  const report = (told: Report, handedOver: readonly Transferable[] = []): void => parentPort?.postMessage(told, handedOver);
  const work = async ({ id, name, job, taken }: Extract<Order, { kind: 'run' }>): Promise<void> => {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const answer = await table[name as keyof Kinds]();
      const handedOver: ArrayBuffer[] = [];
      let sent = 0;
      const tell = (part: unknown): void => {
        waitForRoom(taken, sent);
        report({ id, kind: 'part', part });
        sent += 1;
      };
      report({ id, kind: 'begun' });
      const result = await answer(job, { signal: controller.signal, tell, handOver: (buffer) => handedOver.push(buffer) });
      report({ id, kind: 'done', result }, handedOver);
    } catch (error) {
      report({ id, kind: 'failed', code: error instanceof Error && 'code' in error ? String(error.code) : '', message: messageOf(error) });
    } finally {
      running.delete(id);
    }
  };
  parentPort?.on('message', (order: Order) => {
    switch (order.kind) {
      case 'run':
        void work(order);
        break;
      case 'abort':
        running.get(order.id)?.abort();
        break;
      case 'close':
        running.forEach((controller) => controller.abort());
        parentPort?.close();
        break;
    }
  });
}

function waitForRoom(taken: TakenCount, sent: number): void {
  for (let done = Atomics.load(taken, 0); sent - done >= maxWaitingParts; done = Atomics.load(taken, 0)) {
    Atomics.wait(taken, 0, done);
  }
}
