import { Worker } from 'node:worker_threads';
import { neverAborted } from '../../../base/abort.ts';
import { type Disposable, toDisposable } from '../../../base/lifecycle.ts';
import type {
  FilterRequest,
  MatchedLine,
  SearchRequest,
  SearchThreadOrder,
  SearchThreadReport,
  SearchThreadRequest,
} from '../../../contract/searchMessages.ts';
import { editorError } from '../../shared/editorErrors.ts';
import type { LineMatch } from './searchEngine.ts';

/** So long without a word means that a pattern has run away. */
const patienceMs = 3_000;

const pathsAtOnce = 10_000;

/** Other people's patterns at work, in a thread that is stopped when one runs away or the caller has gone. */
export class PatternThread implements Disposable {
  readonly #program: string;
  readonly #signal: AbortSignal;
  readonly #patienceMs: number;
  readonly #lifetime = toDisposable(() => void this.#worker?.terminate());
  #worker: Worker | undefined;

  /** `program`: the file of the search worker's bundle. */
  constructor(program: string, signal: AbortSignal, patience = patienceMs) {
    this.#program = program;
    this.#signal = signal;
    this.#patienceMs = patience;
  }

  /** Which of the paths are left, by their index. */
  async filter(request: Omit<FilterRequest, 'kind'>, signal = this.#signal): Promise<number[]> {
    const kept: number[] = [];
    // Not all at once: to copy what is sent takes time, too.
    for (let from = 0; from < request.paths.length; from += pathsAtOnce) {
      const paths = request.paths.slice(from, from + pathsAtOnce);
      const prefixLengths = request.prefixLengths.slice(from, from + pathsAtOnce);
      await this.#run(
        { kind: 'filter', ...request, paths, prefixLengths },
        (report) => {
          if (report.kind === 'kept') {
            kept.push(...report.indexes.map((index) => from + index));
          }
        },
        signal,
      );
    }
    return kept;
  }

  async search(request: Omit<SearchRequest, 'kind'>): Promise<Map<string, readonly LineMatch[]>> {
    const found = new Map<string, LineMatch[]>();
    await this.#run({ kind: 'search', ...request }, (report) => {
      if (report.kind === 'searched' && report.lines.length > 0) {
        const matches = found.get(report.file) ?? [];
        report.lines.forEach((line) => addLineMatches(line, matches));
        found.set(report.file, matches);
      }
    });
    return found;
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #run(request: SearchThreadRequest, onReport: (report: SearchThreadReport) => void, signal = this.#signal): Promise<void> {
    signal.throwIfAborted();
    const worker = (this.#worker ??= new Worker(this.#program, { env: {}, execArgv: [] }));
    return new Promise<void>((resolve, reject) => {
      let patience: NodeJS.Timeout | undefined;
      const settle = (error?: Error): void => {
        clearTimeout(patience);
        signal.removeEventListener('abort', onAbort);
        worker.off('message', onMessage).off('error', settle).off('exit', onExit);
        if (error === undefined) {
          resolve();
        } else {
          this.dispose();
          reject(error);
        }
      };
      const wait = (): void => {
        clearTimeout(patience);
        patience = setTimeout(() => settle(editorError('search.tooSlow')), this.#patienceMs);
      };
      const onAbort = (): void => settle(signal.reason as Error);
      const onExit = (): void => settle(new Error('The search thread has ended.'));
      const taken = new TakenReports();
      const onMessage = (report: SearchThreadReport): void => {
        onReport(report);
        taken.add();
        if (report.kind === 'finished') {
          settle();
        } else {
          wait();
        }
      };
      signal.addEventListener('abort', onAbort, { once: true });
      worker.on('message', onMessage).on('error', settle).on('exit', onExit);
      wait();
      worker.postMessage({ request, taken: taken.shared } satisfies SearchThreadOrder);
    });
  }
}

function addLineMatches({ line, text, spans }: MatchedLine, matches: LineMatch[]): void {
  for (let index = 0; index + 1 < spans.length; index += 2) {
    matches.push({ line, character: (spans[index] ?? 0) + 1, endCharacter: (spans[index + 1] ?? 0) + 1, text });
  }
}

/** How many reports were worked on, as the thread sees it: it waits when too many wait for their turn. */
class TakenReports {
  readonly shared = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #count = 0;

  /** Told in the next turn: what came at once would otherwise be followed by more in this one. */
  add(): void {
    this.#count += 1;
    if (this.#count === 1) {
      setImmediate(() => {
        Atomics.add(this.shared, 0, this.#count);
        Atomics.notify(this.shared, 0);
        this.#count = 0;
      });
    }
  }
}

const keptMs = 60_000;

/** A thread that waits for the next globs for a while: to start one takes longer than most globs do. */
export class SpareThread implements Disposable {
  readonly #program: string;
  readonly #lifetime = toDisposable(() => this.#drop());
  #isOver = false;
  #spare: { readonly thread: PatternThread; readonly timer: NodeJS.Timeout } | undefined;

  constructor(program: string) {
    this.#program = program;
  }

  /** One caller at a time has the spare one; others get a thread of their own. One that failed is not used again. */
  async use<T>(work: (thread: PatternThread) => Promise<T>): Promise<T> {
    const thread = this.#take();
    try {
      const result = await work(thread);
      this.#keep(thread);
      return result;
    } catch (error) {
      thread.dispose();
      throw error;
    }
  }

  dispose(): void {
    this.#isOver = true;
    this.#lifetime.dispose();
  }

  #take(): PatternThread {
    const thread = this.#spare?.thread;
    clearTimeout(this.#spare?.timer);
    this.#spare = undefined;
    return thread ?? new PatternThread(this.#program, neverAborted());
  }

  #keep(thread: PatternThread): void {
    if (this.#isOver || this.#spare !== undefined) {
      thread.dispose();
      return;
    }
    const timer = setTimeout(() => this.#drop(), keptMs);
    timer.unref();
    this.#spare = { thread, timer };
  }

  #drop(): void {
    clearTimeout(this.#spare?.timer);
    this.#spare?.thread.dispose();
    this.#spare = undefined;
  }
}
