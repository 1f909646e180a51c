import type { AppError } from '../../../../src/base/errors.ts';
import { Emitter } from '../../../../src/base/events.ts';
import type { ChildExit, ErrorLines, ServerProcess } from '../../../../src/host/processes/serverProcess.ts';

/** The far end of a transport's pipes: does what a test says. */
export class FakeProcess implements ServerProcess {
  /** What it was asked, by name. */
  readonly asked: string[] = [];
  readonly written: string[] = [];
  readonly #lines = new Emitter<Buffer>();
  readonly #errorLines = new Emitter<ErrorLines>();
  readonly #started = deferred<number>();
  readonly #exited = deferred<ChildExit>();
  readonly #ended = deferred<void>();
  readonly onLine = this.#lines.event;
  readonly onErrorLines = this.#errorLines.event;
  readonly started = this.#started.promise;
  readonly exited = this.#exited.promise;
  readonly ended = this.#ended.promise;

  start(): void {
    this.#started.resolve(1);
  }

  failStart(error: AppError): void {
    this.#started.reject(error);
    this.exit({ kind: 'stopped', lastErrorLines: [] });
    this.end();
  }

  say(line: string): void {
    this.#lines.fire(Buffer.from(line));
  }

  complain(lines: readonly string[]): void {
    this.#errorLines.fire({ lines, dropped: 0 });
  }

  exit(exit: ChildExit): void {
    this.#exited.resolve(exit);
  }

  end(): void {
    this.#ended.resolve();
    this.#lines.dispose();
    this.#errorLines.dispose();
  }

  write(text: string): Promise<void> {
    this.asked.push('write');
    this.written.push(text);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.asked.push('stop');
    await this.ended;
  }
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

function deferred<T>(): Deferred<T> {
  let settle: Omit<Deferred<T>, 'promise'> | undefined;
  const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }));
  if (settle === undefined) {
    throw new Error('A promise runs its executor at once.');
  }
  return { promise, ...settle };
}
