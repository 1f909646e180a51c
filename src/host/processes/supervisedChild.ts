import type { AppError } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import { DisposableStore } from '../../base/lifecycle.ts';
import type { FromSupervisor, ToSupervisor } from '../../contract/supervisorMessages.ts';
import { hostError } from '../shared/hostErrors.ts';

export type ChildExit =
  | { readonly kind: 'exited'; readonly code: number | null; readonly signal: string | null; readonly lastErrorLines: readonly string[] }
  | { readonly kind: 'stopped'; readonly lastErrorLines: readonly string[] }
  | { readonly kind: 'lineTooLong'; readonly lastErrorLines: readonly string[] }
  | { readonly kind: 'supervisorEnded'; readonly lastErrorLines: readonly string[] };

type Send = (message: ToSupervisor, payload?: Uint8Array) => void;

const pieceLength = 1024 * 1024;
/** Up to here a sender is not kept waiting for the server to read. */
const freeBytes = 1024 * 1024;
/** A server that has not read so much does not read at all. */
const maxUnreadBytes = 64 * 1024 * 1024;

/** The extension host's end of one supervised process. */
export class SupervisedChild {
  readonly name: string;
  readonly #send: Send;
  readonly #lifetime = new DisposableStore();
  readonly #lines = this.#lifetime.add(new Emitter<Uint8Array>());
  readonly #errorLines = this.#lifetime.add(new Emitter<{ readonly lines: readonly string[]; readonly dropped: number }>());
  #unreadBytes = 0;
  #waiting: (() => void)[] = [];
  #exit: ChildExit | undefined;

  readonly onLine = this.#lines.event;
  readonly onErrorLines = this.#errorLines.event;
  /** Resolves to the process id; rejects when it cannot be started. */
  readonly started: Promise<number>;
  /** The process itself is gone. */
  readonly exited: Promise<ChildExit>;
  /** It and everything it started are gone. */
  readonly ended: Promise<void>;
  #markStarted!: (pid: number) => void;
  #failStart!: (error: AppError) => void;
  #markExited!: (exit: ChildExit) => void;
  #markEnded!: () => void;

  pid: number | undefined;

  constructor(name: string, send: Send) {
    this.name = name;
    this.#send = send;
    this.started = new Promise((resolve, reject) => {
      this.#markStarted = resolve;
      this.#failStart = reject;
    });
    this.started.catch(() => undefined); // whoever awaits it is told; nobody has to
    this.exited = new Promise((resolve) => (this.#markExited = resolve));
    this.ended = new Promise((resolve) => (this.#markEnded = resolve));
  }

  /** Resolves when the server keeps up with what it is sent. */
  async write(bytes: Uint8Array): Promise<void> {
    if (this.#exit !== undefined) {
      throw hostError('host.connectionClosed');
    }
    if (this.#unreadBytes + bytes.length > maxUnreadBytes) {
      throw hostError('host.serverNotReading');
    }
    this.#unreadBytes += bytes.length;
    for (let offset = 0; offset < bytes.length; offset += pieceLength) {
      this.#send({ type: 'write', child: this.name }, bytes.subarray(offset, offset + pieceLength));
    }
    if (this.#unreadBytes > freeBytes) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Closes its input, waits, asks it to end, waits, ends it with everything it started. */
  async stop(): Promise<void> {
    this.#send({ type: 'stop', child: this.name });
    await this.ended;
  }

  receive(message: FromSupervisor, payload: Uint8Array): void {
    switch (message.type) {
      case 'started':
        this.pid = message.pid;
        this.#markStarted(message.pid);
        break;
      case 'startFailed':
        this.#failStart(hostError('host.spawnFailed', { code: message.code }, { detail: message.message }));
        this.#finish({ kind: 'stopped', lastErrorLines: [] });
        this.#end();
        break;
      case 'line':
        this.#lines.fire(payload);
        break;
      case 'errorLines':
        this.#errorLines.fire({ lines: message.lines, dropped: message.dropped });
        break;
      case 'written':
        this.#acknowledge(message.bytes);
        break;
      case 'exited': {
        const { cause, code, signal, lastErrorLines } = message;
        this.#finish(cause === 'exited' ? { kind: 'exited', code, signal, lastErrorLines } : { kind: cause, lastErrorLines });
        break;
      }
      case 'ended':
        this.#end();
        break;
    }
  }

  /** The supervisor itself is gone. */
  abandon(): void {
    this.#failStart(hostError('host.supervisorEnded'));
    this.#finish({ kind: 'supervisorEnded', lastErrorLines: [] });
    this.#end();
  }

  #acknowledge(bytes: number): void {
    this.#unreadBytes -= bytes;
    if (this.#unreadBytes <= freeBytes) {
      this.#release();
    }
  }

  #finish(exit: ChildExit): void {
    this.#exit ??= exit;
    this.#release();
    this.#markExited(this.#exit);
  }

  #end(): void {
    this.#markEnded();
    this.#lifetime.dispose();
  }

  #release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    waiting.forEach((resolve) => resolve());
  }
}
