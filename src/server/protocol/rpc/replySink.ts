/** Where the answers to one delivery go: a POST, a stream, the other end of a pipe. All texts are JSON. */
export interface ReplySink {
  /**
   * The answer, exactly once, unless `abandon` is called instead. `status` is what HTTP says of it, if that is not 200;
   * other transports have no use for it.
   */
  respond(text: string, status?: number): void;
  /** Something that belongs to the request and comes before its answer. */
  notify(text: string): void;
  /** No answer will come: the client cancelled, or the session is gone. */
  abandon(): void;
}

/** Gathers the answers to a batch into one array. */
export class BatchSink implements ReplySink {
  readonly #target: ReplySink;
  readonly #answers: string[] = [];
  #open: number;

  constructor(target: ReplySink, expected: number) {
    this.#target = target;
    this.#open = expected;
  }

  respond(text: string): void {
    this.#answers.push(text);
    this.#countDown();
  }

  notify(text: string): void {
    this.#target.notify(text);
  }

  abandon(): void {
    this.#countDown();
  }

  #countDown(): void {
    this.#open -= 1;
    if (this.#open > 0) {
      return;
    }
    if (this.#answers.length > 0) {
      this.#target.respond(`[${this.#answers.join(',')}]`);
    } else {
      this.#target.abandon();
    }
  }
}
