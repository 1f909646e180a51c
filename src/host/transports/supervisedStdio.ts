import { AppError } from '../../base/errors.ts';
import { isJsonObject } from '../../base/json.ts';
import { DisposableStore } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { JSONRPCMessage, Transport } from '../sdk.ts';
import type { ChildExit, SupervisedChild } from '../supervisedChild.ts';
import type { ChildSpec, SupervisorClient } from '../supervisorClient.ts';
import { isTooDeep } from '../../base/jsonDepth.ts';
import { batchRefusal, mayBatch } from './batches.ts';
import { PacedDelivery } from './pacedDelivery.ts';

const shownNoise = 200;
const noisePerSecond = 20;

/** JSON-RPC over the pipes of a supervised process, a message per line. The process starts with the transport. */
export class SupervisedStdioTransport implements Transport {
  readonly #supervisor: SupervisorClient;
  readonly #spec: ChildSpec;
  readonly #log: Log;
  readonly #lifetime = new DisposableStore();
  readonly #incoming = new PacedDelivery((message) => this.#deliver(message));
  #child: SupervisedChild | undefined;
  #revision: string | undefined;
  #lastErrorLines: string[] = [];
  #end: AppError | undefined;
  #isClosed = false;
  #noise = { since: -Infinity, count: 0 };

  /** The SDK knows pipes by these two: a first question that nobody answers is then no outage but an older server. */
  readonly stderr = null;
  readonly pid = null;

  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;

  constructor(supervisor: SupervisorClient, spec: ChildSpec, log: Log) {
    this.#supervisor = supervisor;
    this.#spec = spec;
    this.#log = log;
  }

  /** Why the server is gone, once it is and nobody had asked it to go. */
  get end(): AppError | undefined {
    return this.#end;
  }

  /** What the server last wrote to its standard error. */
  get lastWords(): string {
    return this.#lastErrorLines.map(revealInvisible).join('\n');
  }

  async start(): Promise<void> {
    const child = this.#supervisor.start(this.#spec);
    this.#child = child;
    this.#lifetime.add(child.onLine((line) => this.#onLine(line)));
    this.#lifetime.add(child.onErrorLines(({ lines, dropped }) => this.#onErrorLines(lines, dropped)));
    void child.exited.then((exit) => this.#onExit(exit));
    await child.started;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#child === undefined || this.#isClosed) {
      throw new AppError('host.connectionClosed', 'The server is not running.');
    }
    await this.#child.write(Buffer.from(`${JSON.stringify(message)}\n`));
  }

  async close(): Promise<void> {
    await this.#child?.stop();
    this.#markClosed();
  }

  #onLine(bytes: Uint8Array): void {
    const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    if (line.trim() === '') {
      return;
    }
    if (isTooDeep(line)) {
      this.#fail(new AppError('host.messageTooDeep', 'The server sent a message that is nested too deeply.'));
      return;
    }
    const parsed = parse(line);
    if (Array.isArray(parsed) && !mayBatch(this.#revision)) {
      this.#refuseBatch();
      return;
    }
    const messages: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
    if (!messages.every(isJsonObject)) {
      this.#reportNoise(line);
      return;
    }
    messages.forEach((message) => this.#incoming.push(message as unknown as JSONRPCMessage));
  }

  /** Told by the SDK once the revision is agreed. */
  setProtocolVersion(revision: string): void {
    this.#revision = revision;
  }

  #refuseBatch(): void {
    this.#log.warn('The server sent several messages at once, which its revision does not allow; they were refused.');
    // A server that does not read any more has ended, and is told of elsewhere.
    this.#child?.write(Buffer.from(`${JSON.stringify(batchRefusal)}\n`)).catch(() => undefined);
  }

  #deliver(message: JSONRPCMessage): void {
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #onErrorLines(lines: readonly string[], dropped: number): void {
    this.#lastErrorLines = [...this.#lastErrorLines, ...lines].slice(-50);
    lines.forEach((line) => this.#log.info(`stderr: ${revealInvisible(line)}`));
    if (dropped > 0) {
      this.#log.warn(`stderr: ${dropped} more lines came too fast to be shown.`);
    }
  }

  #onExit(exit: ChildExit): void {
    if (exit.lastErrorLines.length > 0) {
      this.#lastErrorLines = [...exit.lastErrorLines];
    }
    this.#end ??= endOf(exit, this.lastWords);
    this.#markClosed();
  }

  #fail(error: AppError): void {
    this.#end ??= error;
    void this.#child?.stop();
    this.#markClosed();
  }

  #markClosed(): void {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#lifetime.dispose();
      this.#incoming.flush();
      this.onclose?.();
    }
  }

  /** Many servers greet on standard output before they speak. Told, within measure, and otherwise ignored. */
  #reportNoise(line: string): void {
    const now = performance.now();
    if (now - this.#noise.since > 1_000) {
      this.#noise = { since: now, count: 0 };
    }
    this.#noise.count += 1;
    if (this.#noise.count <= noisePerSecond) {
      this.#log.warn(`Not a message, ignored: ${revealInvisible(line.slice(0, shownNoise))}`);
    }
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function endOf(exit: ChildExit, detail: string): AppError | undefined {
  const more = detail === '' ? {} : { detail };
  switch (exit.kind) {
    case 'stopped':
      return undefined;
    case 'exited': {
      const how = exit.signal === null ? `exit code ${String(exit.code)}` : `signal ${exit.signal}`;
      return new AppError('host.serverEnded', `The server's process ended by itself (${how}).`, { args: { how }, ...more });
    }
    case 'lineTooLong':
      return new AppError('host.lineTooLong', 'The server sent a line of more than 16 MB and was stopped.', more);
    case 'supervisorEnded':
      return new AppError('host.supervisorEnded', 'The process that looks after the servers ended, and they with it.', more);
  }
}
