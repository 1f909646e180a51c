import { Worker } from 'node:worker_threads';
import type { Work, WorkKind, WorkOutcome, WorkReply, WorkRequest } from './workMessages.ts';

/** One piece of work, from when it is asked for until somebody hears what came of it. */
export interface Piece {
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
export class PoolThread {
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
