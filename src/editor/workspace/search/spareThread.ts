import { neverAborted } from '../../../base/abort.ts';
import { toDisposable, type Disposable } from '../../../base/lifecycle.ts';
import { PatternThread } from './patternThread.ts';

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
