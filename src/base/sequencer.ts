/** A Sequencer runs asynchronous tasks one after the other, in the order in which they were given. */
export class Sequencer {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the task when all earlier ones have ended, well or not. The caller gets its result or its failure; later tasks see neither. */
  run<T>(task: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when every task that was given before this call has ended; it never rejects. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
