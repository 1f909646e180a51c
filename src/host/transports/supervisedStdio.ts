import type { AppError } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import { batchRefusal, mayBatch, MessageReader } from '../intake/messageText.ts';
import type { ChildExit, ChildSpec, ServerProcess } from '../processes/serverProcess.ts';
import { hostError } from '../shared/hostErrors.ts';
import type { JSONRPCMessage, Transport } from '../shared/sdk.ts';
import { errorOutputMark, strayMark } from '../shared/serverLink.ts';

/** Starts processes, and makes sure that none of them outlives the window. */
export interface ProcessStarter {
  start(spec: ChildSpec): ServerProcess;
  /** Called instead of `start` when nothing will be started: what was made for that is cleared away. */
  discard?(): void;
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly child: ServerProcess; readonly output: Disposable }
  /** The process was asked to stop. Until it has ended, it may still read and write. */
  | { readonly kind: 'stopping'; readonly child: ServerProcess; readonly output: Disposable; readonly stopped: Promise<void> }
  /** `gone` resolves when everything that the process had started is gone too. */
  | { readonly kind: 'closed'; readonly end: AppError | undefined; readonly gone: Promise<void> };

/** The most lines of a server's error output that are kept: the last ones, which tell why it ended. */
const maxErrorLines = 50;

/** Speaks JSON-RPC over the pipes of a supervised process, one message per line. The process starts with the transport. */
export class SupervisedStdioTransport implements Transport {
  readonly #supervisor: ProcessStarter;
  readonly #spec: ChildSpec;
  readonly #log: Log;
  readonly #incoming = new PacedDelivery((message) => this.#deliver(message));
  readonly #strayOutput: StrayOutput;
  #state: State = { kind: 'idle' };
  #revision: string | undefined;
  #lastErrorLines: readonly string[] = [];

  /** The SDK recognises a pipe by these two members. On a pipe, an unanswered first question means an older server, not an outage. */
  readonly stderr = null;
  readonly pid = null;

  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;

  constructor(supervisor: ProcessStarter, spec: ChildSpec, log: Log) {
    this.#supervisor = supervisor;
    this.#spec = spec;
    this.#log = log;
    this.#strayOutput = new StrayOutput(log);
  }

  /** Why the server is gone; undefined while it is there, and when it was asked to go. */
  get end(): AppError | undefined {
    return this.#state.kind === 'closed' ? this.#state.end : undefined;
  }

  /** The last lines that the server wrote to its standard error. */
  get lastWords(): string {
    return this.#lastErrorLines.map(revealInvisible).join('\n');
  }

  async start(): Promise<void> {
    if (this.#state.kind !== 'idle') {
      throw hostError('host.connectionClosed');
    }
    const child = this.#supervisor.start(this.#spec);
    const output = new DisposableStore();
    const reader = this.#readerFor(child);
    output.add(child.onLine((line) => reader.read(line)));
    output.add(child.onErrorLines(({ lines, dropped }) => this.#onErrorLines(lines, dropped)));
    this.#state = { kind: 'running', child, output };
    void child.exited.then(async (exit) => {
      // A large last message may still be worked on.
      await reader.idle;
      this.#onExit(exit);
    });
    await child.started;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const state = this.#state;
    switch (state.kind) {
      case 'idle':
      case 'closed':
        throw hostError('host.connectionClosed');
      case 'running':
      case 'stopping':
        await state.child.write(`${JSON.stringify(message)}\n`);
    }
  }

  async close(): Promise<void> {
    const state = this.#state;
    switch (state.kind) {
      case 'idle':
        this.#supervisor.discard?.();
        this.#markClosed(undefined);
        return;
      case 'running': {
        const stopped = state.child.stop().then(() => this.#markClosed(undefined));
        this.#state = { ...state, kind: 'stopping', stopped };
        return stopped;
      }
      case 'stopping':
        return state.stopped;
      case 'closed':
        return state.gone;
    }
  }

  /** The SDK calls this once the revision is agreed. */
  setProtocolVersion(revision: string): void {
    this.#revision = revision;
  }

  #readerFor(child: ServerProcess): MessageReader {
    return new MessageReader({
      mayBatch: () => mayBatch(this.#revision),
      take: (message) => this.#incoming.push(message),
      refuseBatch: () => this.#refuseBatch(child),
      stray: (line) => this.#strayOutput.report(line),
      fail: (error) => {
        void child.stop();
        this.#markClosed(error);
      },
    });
  }

  #refuseBatch(child: ServerProcess): void {
    this.#log.warn('The server sent several messages at once, which its revision does not allow; they were refused.');
    // A server that does not read any more has ended, which is reported elsewhere.
    child.write(`${JSON.stringify(batchRefusal)}\n`).catch(() => undefined);
  }

  #deliver(message: JSONRPCMessage): void {
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #onErrorLines(lines: readonly string[], dropped: number): void {
    this.#lastErrorLines = [...this.#lastErrorLines, ...lines].slice(-maxErrorLines);
    lines.forEach((line) => this.#log.info(`${errorOutputMark}${revealInvisible(line)}`));
    if (dropped > 0) {
      this.#log.warn(`stderr: ${dropped} more lines came too fast to be shown.`);
    }
  }

  #onExit(exit: ChildExit): void {
    if (exit.lastErrorLines.length > 0) {
      this.#lastErrorLines = exit.lastErrorLines;
    }
    this.#markClosed(exitFailure(exit, this.lastWords));
  }

  /** Ends the transport with a reason; only the first one is kept. */
  #markClosed(end: AppError | undefined): void {
    const state = this.#state;
    switch (state.kind) {
      case 'idle':
        this.#state = { kind: 'closed', end, gone: Promise.resolve() };
        break;
      case 'running':
      case 'stopping':
        this.#state = { kind: 'closed', end, gone: state.child.ended };
        state.output.dispose();
        this.#incoming.flush();
        break;
      case 'closed':
        return;
    }
    this.onclose?.();
  }
}

/** Why a server's process is gone; undefined when it was asked to go. `lastWords` is the end of its standard error. */
function exitFailure(exit: ChildExit, lastWords: string): AppError | undefined {
  const more = lastWords === '' ? {} : { detail: lastWords };
  switch (exit.kind) {
    case 'stopped':
      return undefined;
    case 'exited':
      return hostError('host.serverEnded', { exitCode: String(exit.code), ...(exit.signal === null ? {} : { signal: exit.signal }) }, more);
    case 'lineTooLong':
      return hostError('host.lineTooLong', {}, more);
    case 'supervisorEnded':
      return hostError('host.supervisorEnded', {}, more);
  }
}

/** How many messages are held back at most; after that they are delivered without a pause, still in order. */
const maxHeld = 1_000;

/**
 * Delays some answers so that no progress is lost. The SDK delivers a notification a moment later but an answer at once, and
 * after the answer it ignores progress. So an answer right behind a notification waits for the next tick of the event loop.
 * The order of messages never changes.
 */
export class PacedDelivery {
  readonly #deliver: (message: JSONRPCMessage) => void;
  #held: JSONRPCMessage[] = [];
  #hasNotice = false;
  #turn: NodeJS.Immediate | undefined;

  constructor(deliver: (message: JSONRPCMessage) => void) {
    this.#deliver = deliver;
  }

  push(message: JSONRPCMessage): void {
    const mustWait = this.#held.length > 0 || (this.#hasNotice && isAnswer(message));
    if (mustWait) {
      this.#held.push(message);
      if (this.#held.length > maxHeld) {
        this.flush();
      }
      return;
    }
    if (isNotice(message)) {
      this.#hasNotice = true;
      this.#turn ??= setImmediate(() => this.#nextTurn());
    }
    this.#deliver(message);
  }

  /** Delivers everything that waits, because nothing more will come. */
  flush(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    this.#hasNotice = false;
    const held = this.#held;
    this.#held = [];
    held.forEach((message) => this.#deliver(message));
  }

  #nextTurn(): void {
    this.#turn = undefined;
    this.#hasNotice = false;
    const held = this.#held;
    this.#held = [];
    held.forEach((message) => this.push(message));
  }
}

function isNotice(message: JSONRPCMessage): boolean {
  return 'method' in message && !('id' in message);
}

function isAnswer(message: JSONRPCMessage): boolean {
  return !('method' in message);
}

/** The most characters of a line on standard output that are logged although it is no message. */
const maxShownLength = 200;
/** The most lines within a second that are logged although they are no messages. */
const maxLinesPerSecond = 20;

/**
 * Logs, at a bounded rate, lines on standard output that are no messages, and otherwise ignores them. Many servers print a
 * greeting there.
 */
class StrayOutput {
  readonly #log: Log;
  #window = { since: -Infinity, lines: 0 };

  constructor(log: Log) {
    this.#log = log;
  }

  report(line: string): void {
    const now = performance.now();
    if (now - this.#window.since > 1_000) {
      this.#window = { since: now, lines: 0 };
    }
    this.#window.lines += 1;
    if (this.#window.lines <= maxLinesPerSecond) {
      this.#log.warn(`${strayMark}${revealInvisible(line.slice(0, maxShownLength))}`);
    }
  }
}
