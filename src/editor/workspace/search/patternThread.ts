import { Worker } from 'node:worker_threads';
import { AppError } from '../../../base/errors.ts';
import { toDisposable, type Disposable } from '../../../base/lifecycle.ts';
import type { PatternSource } from './globs.ts';
import type { LineMatch } from './searchEngine.ts';
import { workerSource } from './workerSource.ts';

/** So long without a word means that a pattern has run away. */
const patienceMs = 3_000;

export interface FilterRequest {
  readonly kind: 'filter';
  readonly paths: readonly string[];
  /** Globs match what follows the folder's name, and the whole. */
  readonly prefixLengths: readonly number[];
  readonly include: readonly PatternSource[];
  readonly exclude: readonly PatternSource[];
}

export interface SearchRequest {
  readonly kind: 'search';
  /** Files are read below it. */
  readonly root: string | undefined;
  readonly files: readonly string[];
  readonly texts: readonly (readonly [string, string])[];
  readonly pattern: PatternSource;
  readonly maxLines: number;
  readonly maxBytes: number;
}

/** `spans`: start and end of each match, from 0, one after the other. */
interface MatchedLine {
  readonly line: number;
  readonly text: string;
  readonly spans: readonly number[];
}

type Report =
  | { readonly kind: 'kept'; readonly indexes: readonly number[] }
  | { readonly kind: 'searched'; readonly file: string; readonly lines: readonly MatchedLine[] }
  | { readonly kind: 'finished' };

/** Other people's patterns at work, in a thread that is stopped when one runs away or the caller has gone. */
export class PatternThread implements Disposable {
  readonly #signal: AbortSignal;
  readonly #patienceMs: number;
  readonly #lifetime = toDisposable(() => void this.#worker?.terminate());
  #worker: Worker | undefined;

  constructor(signal: AbortSignal, patience = patienceMs) {
    this.#signal = signal;
    this.#patienceMs = patience;
  }

  async filter(request: Omit<FilterRequest, 'kind'>): Promise<string[]> {
    const kept: string[] = [];
    await this.#run({ kind: 'filter', ...request }, (report) => {
      if (report.kind === 'kept') {
        kept.push(...report.indexes.map((index) => request.paths[index] ?? ''));
      }
    });
    return kept;
  }

  async search(request: Omit<SearchRequest, 'kind'>): Promise<Map<string, readonly LineMatch[]>> {
    const found = new Map<string, readonly LineMatch[]>();
    await this.#run({ kind: 'search', ...request }, (report) => {
      if (report.kind === 'searched' && report.lines.length > 0) {
        found.set(report.file, report.lines.flatMap(toLineMatches));
      }
    });
    return found;
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #run(request: FilterRequest | SearchRequest, onReport: (report: Report) => void): Promise<void> {
    this.#signal.throwIfAborted();
    const worker = (this.#worker ??= new Worker(workerSource, { eval: true, env: {}, execArgv: [] }));
    return new Promise<void>((resolve, reject) => {
      let patience: NodeJS.Timeout | undefined;
      const settle = (error?: Error): void => {
        clearTimeout(patience);
        this.#signal.removeEventListener('abort', onAbort);
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
        patience = setTimeout(() => settle(tooSlow()), this.#patienceMs);
      };
      const onAbort = (): void => settle(this.#signal.reason as Error);
      const onExit = (): void => settle(new Error('The search thread has ended.'));
      const onMessage = (report: Report): void => {
        onReport(report);
        if (report.kind === 'finished') {
          settle();
        } else {
          wait();
        }
      };
      this.#signal.addEventListener('abort', onAbort, { once: true });
      worker.on('message', onMessage).on('error', settle).on('exit', onExit);
      wait();
      worker.postMessage(request);
    });
  }
}

function toLineMatches({ line, text, spans }: MatchedLine): LineMatch[] {
  const matches: LineMatch[] = [];
  for (let index = 0; index + 1 < spans.length; index += 2) {
    matches.push({ line, character: (spans[index] ?? 0) + 1, endCharacter: (spans[index + 1] ?? 0) + 1, text });
  }
  return matches;
}

function tooSlow(): AppError {
  return new AppError('search.tooSlow', 'This pattern takes too long. Use a simpler one.');
}
