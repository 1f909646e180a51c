import { neverAborted } from '../../../base/abort.ts';
import { toDisposable, type Disposable } from '../../../base/lifecycle.ts';
import type { FilterRequest, MatchedLine, SearchJobs, SearchRequest } from '../../../contract/searchMessages.ts';
import { JobThread, type JobOptions } from '../../../platform/processes/jobThread.ts';
import { editorError } from '../../shared/editorErrors.ts';
import type { LineMatch } from './searchEngine.ts';

/** A pattern that lets its thread say nothing for this long has run away. */
const patienceMs = 3_000;

/** How many paths are sent to the thread at once: to copy what is sent takes time, too. */
const maxPathsAtOnce = 10_000;

/** Other people's patterns at work, in a thread that is stopped when one runs away or the caller has gone. */
export class PatternThread implements Disposable {
  readonly #thread: JobThread<SearchJobs>;
  readonly #signal: AbortSignal;
  readonly #patienceMs: number;

  /** `program`: the file of the thread's bundle. */
  constructor(program: string, signal: AbortSignal, patience = patienceMs) {
    this.#thread = new JobThread({ program, stops: 'thread' });
    this.#signal = signal;
    this.#patienceMs = patience;
  }

  /** A thread that is over cannot be used again: it failed, was disposed, or nobody used it for a while. */
  get isOver(): boolean {
    return this.#thread.isOver;
  }

  /** Which of the paths are left, by their index. */
  async filter(request: FilterRequest, signal = this.#signal): Promise<number[]> {
    const kept: number[] = [];
    for (let from = 0; from < request.paths.length; from += maxPathsAtOnce) {
      const paths = request.paths.slice(from, from + maxPathsAtOnce);
      const prefixLengths = request.prefixLengths.slice(from, from + maxPathsAtOnce);
      const onPart = (indexes: readonly number[]): void => void kept.push(...indexes.map((index) => from + index));
      await this.#run('filterPaths', { ...request, paths, prefixLengths }, { signal, onPart });
    }
    return kept;
  }

  async search(request: SearchRequest): Promise<Map<string, readonly LineMatch[]>> {
    const found = new Map<string, LineMatch[]>();
    await this.#run('searchTexts', request, {
      signal: this.#signal,
      onPart: ({ file, lines }) => {
        if (lines.length > 0) {
          const matches = found.get(file) ?? [];
          lines.forEach((line) => addLineMatches(line, matches));
          found.set(file, matches);
        }
      },
    });
    return found;
  }

  dispose(): void {
    this.#thread.dispose();
  }

  async #run<K extends keyof SearchJobs>(name: K, job: SearchJobs[K]['job'], options: JobOptions<SearchJobs[K]['part']>): Promise<void> {
    const outcome = await this.#thread.run(name, job, { ...options, startMs: this.#patienceMs, silenceMs: this.#patienceMs });
    if (outcome.kind === 'done') {
      return;
    }
    this.dispose();
    switch (outcome.kind) {
      case 'tooSlow':
        throw editorError('search.tooSlow');
      case 'failed':
        throw Object.assign(new Error(outcome.message), outcome.code === '' ? {} : { code: outcome.code });
      case 'threadEnded':
        throw outcome.cause instanceof Error ? outcome.cause : new Error('The search thread has ended.');
    }
  }
}

function addLineMatches({ line, text, spans }: MatchedLine, matches: LineMatch[]): void {
  for (let index = 0; index + 1 < spans.length; index += 2) {
    matches.push({ line, character: (spans[index] ?? 0) + 1, endCharacter: (spans[index + 1] ?? 0) + 1, text });
  }
}

/** Keeps a thread for the next globs: to start one takes longer than most globs do. */
export class SpareThread implements Disposable {
  readonly #program: string;
  readonly #lifetime = toDisposable(() => this.#spare?.dispose());
  #isOver = false;
  #spare: PatternThread | undefined;

  constructor(program: string) {
    this.#program = program;
  }

  /** One caller at a time has the spare thread; others get a thread of their own. A thread that failed is not used again. */
  async use<T>(work: (thread: PatternThread) => Promise<T>): Promise<T> {
    const thread = this.#spare?.isOver === false ? this.#spare : new PatternThread(this.#program, neverAborted());
    this.#spare = undefined;
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

  #keep(thread: PatternThread): void {
    if (this.#isOver || this.#spare?.isOver === false) {
      thread.dispose();
    } else {
      this.#spare = thread;
    }
  }
}
