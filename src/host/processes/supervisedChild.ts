import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { type AppError, hasCode, messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import { DisposableStore } from '../../base/lifecycle.ts';
import type { FromSupervisor, ToSupervisor } from '../../contract/supervisorMessages.ts';
import { LineSplitter } from '../../platform/processes/lineSplitter.ts';
import { killGroup } from '../../platform/processes/processTree.ts';
import { hostError } from '../shared/hostErrors.ts';
import type { ChildExit, ChildSpec, ErrorLines, ServerProcess } from './serverProcess.ts';

/** Everything a server starts inherits this, and is found by it when the server is gone. */
const markerName = 'DUPLEX_SERVER_PROCESS';
/** A longer line from a server is not a message but an attack or an accident. */
const maxLineBytes = 16 * 1024 * 1024;
/** Up to here a sender is not kept waiting for the server to read. */
const maxFree = 1024 * 1024;
/** A server that has not read so much does not read at all. */
const maxUnread = 64 * 1024 * 1024;
/** How long output may still come after the process itself is gone; a grandchild can hold the pipe open for good. */
const lastWordsMs = 200;

type EndCause = 'exited' | 'stopped' | 'lineTooLong';
type Tell = (message: ToSupervisor) => void;

/** One server's process: its pipes are ours, and the supervisor knows of it, so that nothing of it outlives this window. */
export class SupervisedChild implements ServerProcess {
  readonly #name: string;
  readonly #tell: Tell;
  readonly #mark = randomUUID();
  readonly #marker = `${markerName}=${this.#mark}`;
  readonly #lifetime = new DisposableStore();
  readonly #lines = this.#lifetime.add(new Emitter<Buffer>());
  readonly #errorLines = this.#lifetime.add(new Emitter<ErrorLines>());
  readonly #output = new LineSplitter(maxLineBytes, 'fail');
  readonly #errors = new ErrorOutput();
  #process: ChildProcessWithoutNullStreams | undefined;
  #cause: EndCause = 'exited';
  #lastExit: { readonly code: number | null; readonly signal: string | null } | undefined;
  #exit: ChildExit | undefined;
  #waiting: (() => void)[] = [];
  #isSilent = false;

  readonly onLine = this.#lines.event;
  readonly onErrorLines = this.#errorLines.event;
  readonly started: Promise<number>;
  readonly exited: Promise<ChildExit>;
  readonly ended: Promise<void>;
  #markStarted!: (pid: number) => void;
  #failStart!: (error: AppError) => void;
  #markExited!: (exit: ChildExit) => void;
  #markEnded!: () => void;

  constructor(name: string, spec: ChildSpec, tell: Tell) {
    this.#name = name;
    this.#tell = tell;
    this.started = new Promise((resolve, reject) => {
      this.#markStarted = resolve;
      this.#failStart = reject;
    });
    this.started.catch(() => undefined); // whoever awaits it is told; nobody has to
    this.exited = new Promise((resolve) => (this.#markExited = resolve));
    this.ended = new Promise((resolve) => (this.#markEnded = resolve));
    this.#spawn(spec);
  }

  async write(text: string): Promise<void> {
    const stdin = this.#process?.stdin;
    if (this.#exit !== undefined || stdin === undefined || !stdin.writable) {
      throw hostError('host.connectionClosed');
    }
    if (stdin.writableLength + text.length > maxUnread) {
      throw hostError('host.serverNotReading');
    }
    // What is sent in the same turn goes out together: a write of its own is the dearest part of a short message.
    if (stdin.writableCorked === 0) {
      stdin.cork();
      process.nextTick(() => stdin.uncork());
    }
    stdin.write(text);
    if (stdin.writableLength > maxFree) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async stop(): Promise<void> {
    this.#end('stopped');
    await this.ended;
  }

  receive(message: FromSupervisor): void {
    switch (message.type) {
      case 'closeInput':
        this.#process?.stdin.end();
        break;
      case 'ended':
        this.#whenSilent(() => this.#finish());
        break;
    }
  }

  /** What another supervisor has to be told when the one before is gone. */
  toBeWatched(): readonly ToSupervisor[] {
    const child = this.#name;
    const pid = this.#process?.pid;
    return [
      { type: 'expect', child, marker: this.#marker },
      ...(pid === undefined ? [] : [{ type: 'watch', child, pid } as const]),
      ...(this.#lastExit === undefined ? [] : [{ type: 'exited', child } as const]),
      ...(this.#cause === 'exited' ? [] : [{ type: 'stop', child } as const]),
    ];
  }

  /** Nobody looks after it any more. What it left behind is not known; it leads a group of its own. */
  abandon(): void {
    if (this.#lastExit === undefined) {
      killGroup(this.#process?.pid);
      this.#process?.kill('SIGKILL'); // where there are no groups
    }
    this.#failStart(hostError('host.supervisorEnded'));
    this.#settle({ kind: 'supervisorEnded', lastErrorLines: [] });
    this.#finish();
  }

  #spawn({ command, args, env, cwd }: ChildSpec): void {
    this.#tell({ type: 'expect', child: this.#name, marker: this.#marker });
    try {
      // A group and session of its own: a Ctrl+C in the editor's terminal does not reach it, and its family is known by it.
      this.#process = spawn(command, args, {
        cwd,
        env: { ...env, [markerName]: this.#mark },
        detached: process.platform !== 'win32',
        shell: false,
        stdio: 'pipe',
        windowsHide: true,
      });
    } catch (error) {
      // For some of what it is given it throws at once (a batch file on Windows, a zero byte).
      const code = ['EINVAL', 'ERR_INVALID_ARG_VALUE'].find((known) => hasCode(error, known)) ?? 'UNKNOWN';
      this.#couldNotStart(code, messageOf(error));
      return;
    }
    if (this.#process.pid !== undefined) {
      this.#tell({ type: 'watch', child: this.#name, pid: this.#process.pid });
    }
    this.#listen(this.#process);
  }

  #listen(process: ChildProcessWithoutNullStreams): void {
    const { stdin, stdout, stderr } = process;
    process.once('spawn', () => this.#markStarted(process.pid ?? 0));
    process.on('error', (error) => {
      // Only when it never ran; later errors (a signal that could not be sent) change nothing.
      if (process.pid === undefined) {
        this.#couldNotStart('code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN', messageOf(error));
      }
    });
    process.once('exit', (code, signal) => this.#onExit(code, signal));
    process.once('close', () => {
      this.#isSilent = true;
      this.#reportExit();
    });
    stdin.on('error', () => this.#release()); // the process is going away; its exit is the news
    stdin.on('drain', () => this.#release());
    stdout.on('error', () => undefined);
    stderr.on('error', () => undefined);
    stdout.on('data', (chunk: Buffer) => this.#onOutput(chunk));
    stderr.on('data', (chunk: Buffer) => this.#onErrors(chunk));
    stderr.once('end', () => this.#passErrors(this.#errors.end()));
  }

  #onOutput(chunk: Buffer): void {
    if (this.#cause === 'lineTooLong') {
      return;
    }
    const { lines, tooLong } = this.#output.push(chunk);
    lines.forEach((line) => this.#lines.fire(line));
    if (tooLong) {
      this.#process?.stdout.pause();
      this.#end('lineTooLong');
    }
  }

  #onErrors(chunk: Buffer): void {
    const passed = this.#errors.push(chunk);
    this.#passErrors(passed);
    if (passed.pauseMs > 0) {
      this.#process?.stderr.pause();
      setTimeout(() => this.#process?.stderr.resume(), passed.pauseMs).unref();
    }
  }

  #passErrors(passed: ErrorLines): void {
    if (passed.lines.length > 0 || passed.dropped > 0) {
      this.#errorLines.fire(passed);
    }
  }

  #couldNotStart(code: string, message: string): void {
    this.#tell({ type: 'forget', child: this.#name });
    this.#failStart(hostError('host.spawnFailed', { code }, { detail: message }));
    this.#settle({ kind: 'stopped', lastErrorLines: [] });
    this.#finish();
  }

  #onExit(code: number | null, signal: string | null): void {
    this.#lastExit = { code, signal };
    this.#tell({ type: 'exited', child: this.#name }); // what it leaves behind goes too
    setTimeout(() => this.#reportExit(), lastWordsMs).unref();
  }

  #reportExit(): void {
    const { code, signal } = this.#lastExit ?? { code: null, signal: null };
    const lastErrorLines = [...this.#errors.lastLines()];
    this.#settle(this.#cause === 'exited' ? { kind: 'exited', code, signal, lastErrorLines } : { kind: this.#cause, lastErrorLines });
  }

  /** What it said last may still be on its way; what it left behind may hold the pipe open for good. */
  #whenSilent(then: () => void): void {
    if (this.#process === undefined || this.#isSilent) {
      then();
    } else {
      const timer = setTimeout(then, lastWordsMs);
      this.#process.once('close', () => {
        clearTimeout(timer);
        then();
      });
    }
  }

  #end(cause: EndCause): void {
    if (this.#lastExit === undefined) {
      this.#cause = this.#cause === 'exited' ? cause : this.#cause;
      this.#tell({ type: 'stop', child: this.#name });
    }
  }

  /** The first news of its end counts. */
  #settle(exit: ChildExit): void {
    this.#exit ??= exit;
    this.#release();
    this.#markExited(this.#exit);
  }

  /** Nothing of it is left, or nobody knows of it any more. */
  #finish(): void {
    this.#process?.stdin.destroy();
    this.#process?.stdout.destroy();
    this.#process?.stderr.destroy();
    if (this.#process !== undefined) {
      this.#reportExit();
    }
    this.#markEnded();
    this.#lifetime.dispose();
  }

  #release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    waiting.forEach((resolve) => resolve());
  }
}

const keptLines = 50;
const maxErrorLine = 2_000;
const linesPerSecond = 200;
const bytesPerSecond = 4 * 1024 * 1024;

/**
 * A server's standard error: the last lines are always at hand, the rest is passed on at a bounded rate. A flood is first
 * thinned out, then slowed down by not reading: the server waits, nobody else does.
 */
export class ErrorOutput {
  readonly #splitter = new LineSplitter(maxErrorLine, 'cut');
  readonly #now: () => number;
  #last: string[] = [];
  #windowStart = -Infinity;
  #windowLines = 0;
  #windowBytes = 0;
  #dropped = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** `pauseMs`: how long to stop reading. */
  push(chunk: Buffer): ErrorLines & { readonly pauseMs: number } {
    const elapsed = this.#now() - this.#windowStart;
    if (elapsed >= 1_000) {
      this.#windowStart = this.#now();
      this.#windowLines = 0;
      this.#windowBytes = 0;
    }
    this.#windowBytes += chunk.length;
    const passed = this.#pass(this.#splitter.push(chunk).lines);
    const pauseMs = this.#windowBytes > bytesPerSecond ? Math.max(1, 1_000 - (this.#now() - this.#windowStart)) : 0;
    return { ...passed, pauseMs };
  }

  end(): ErrorLines {
    this.#windowLines = 0;
    return this.#pass(this.#splitter.end());
  }

  lastLines(): readonly string[] {
    return this.#last;
  }

  #pass(raw: readonly Buffer[]): ErrorLines {
    const texts = raw.slice(-keptLines - linesPerSecond).map((line) => line.toString('utf8'));
    this.#last = [...this.#last, ...texts].slice(-keptLines);
    const room = Math.max(0, linesPerSecond - this.#windowLines);
    const lines = texts.slice(0, room);
    this.#windowLines += lines.length;
    this.#dropped += raw.length - lines.length;
    if (lines.length === 0 && raw.length > 0) {
      return { lines: [], dropped: 0 }; // told with the next lines that pass
    }
    const dropped = this.#dropped;
    this.#dropped = 0;
    return { lines, dropped };
  }
}
