import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import { type AppError, hasCode, messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import { DisposableStore } from '../../base/lifecycle.ts';
import type { FromSupervisor, ToSupervisor } from '../../contract/supervisorMessages.ts';
import { LineSplitter } from '../../platform/processes/lineSplitter.ts';
import { killGroup } from '../../platform/processes/processTree.ts';
import { intakeLimits } from '../intake/intakeLimits.ts';
import { hostError } from '../shared/hostErrors.ts';
import type { ChildExit, ChildSpec, ErrorLines, ServerProcess } from './serverProcess.ts';

/** An environment variable that every descendant of the server inherits: leftovers are found by it when the server is gone. */
const markerName = 'DUPLEX_SERVER_PROCESS';
/** The longest line that a server may send. A longer one is an attack or an accident, not a message. */
const maxLineBytes = intakeLimits.message.bytes;
/** Up to so many unread bytes a sender does not have to wait. */
const maxFree = 1024 * 1024;
/** A server that leaves so many bytes unread does not read at all. */
const maxUnread = 64 * 1024 * 1024;
/** How long output may still arrive after the process itself is gone. A grandchild can hold the pipe open for ever. */
const lastWordsMs = 200;

type EndCause = 'exited' | 'stopped' | 'lineTooLong';
type Tell = (message: ToSupervisor) => void;

/** The process of one server. This window holds its pipes; the supervisor knows of it too, so that nothing of it outlives the window. */
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
    this.started.catch(() => undefined); // whoever awaits it gets the failure; nobody has to
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
    // Messages that are sent in the same tick go out together, because a write of its own is the costliest part of a short
    // message.
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

  /** The messages that tell a new supervisor about this process, after the earlier supervisor died. */
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

  /** Kills the process group when no supervisor is left to do so. Descendants that left the group are not found. */
  abandon(): void {
    if (this.#lastExit === undefined) {
      killGroup(this.#process?.pid);
      this.#process?.kill('SIGKILL'); // on platforms without process groups
    }
    this.#failStart(hostError('host.supervisorEnded'));
    this.#settle({ kind: 'supervisorEnded', lastErrorLines: [] });
    this.#finish();
  }

  #spawn({ command, args, env, cwd, isVerbatim = false, furtherInput }: ChildSpec): void {
    this.#tell({ type: 'expect', child: this.#name, marker: this.#marker });
    try {
      // The process gets a group and session of its own: a Ctrl+C in the editor's terminal does not reach it, and its
      // descendants are found by the group.
      this.#process = spawn(command, args, {
        cwd,
        env: { ...env, [markerName]: this.#mark },
        detached: process.platform !== 'win32',
        shell: false,
        stdio: furtherInput === undefined ? 'pipe' : ['pipe', 'pipe', 'pipe', 'pipe'],
        windowsHide: true,
        windowsVerbatimArguments: isVerbatim,
      });
    } catch (error) {
      // For some commands (a batch file on Windows, a zero byte) `spawn` throws instead of emitting an error.
      const code = ['EINVAL', 'ERR_INVALID_ARG_VALUE'].find((known) => hasCode(error, known)) ?? 'UNKNOWN';
      this.#couldNotStart(code, messageOf(error));
      return;
    }
    if (this.#process.pid !== undefined) {
      this.#tell({ type: 'watch', child: this.#name, pid: this.#process.pid });
    }
    this.#listen(this.#process);
    if (furtherInput !== undefined) {
      const further = this.#process.stdio[3] as Writable | null;
      further?.on('error', () => undefined); // the process has ended; its exit is reported on its own
      further?.end(furtherInput);
    }
  }

  #listen(process: ChildProcessWithoutNullStreams): void {
    const { stdin, stdout, stderr } = process;
    process.once('spawn', () => this.#markStarted(process.pid ?? 0));
    process.on('error', (error) => {
      // Only an error before the start counts; later ones, such as a signal that could not be sent, change nothing.
      if (process.pid === undefined) {
        this.#couldNotStart('code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN', messageOf(error));
      }
    });
    process.once('exit', (code, signal) => this.#onExit(code, signal));
    process.once('close', () => {
      this.#isSilent = true;
      this.#reportExit();
    });
    stdin.on('error', () => this.#release()); // the process is ending; its exit is reported on its own
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
    this.#tell({ type: 'exited', child: this.#name }); // the supervisor now ends what the process left behind
    setTimeout(() => this.#reportExit(), lastWordsMs).unref();
  }

  #reportExit(): void {
    const { code, signal } = this.#lastExit ?? { code: null, signal: null };
    const lastErrorLines = [...this.#errors.lastLines()];
    this.#settle(this.#cause === 'exited' ? { kind: 'exited', code, signal, lastErrorLines } : { kind: this.#cause, lastErrorLines });
  }

  /** Waits for the last output, but not for ever: a leftover process may hold the pipe open. */
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

  /** Ends the wait for the process with a report of how it ended; only the first one is kept. */
  #settle(exit: ChildExit): void {
    this.#exit ??= exit;
    this.#release();
    this.#markExited(this.#exit);
  }

  /** Called when nothing of the process is left, or when nobody watches it any more. */
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
/** The most bytes of one line of a server's error output; a longer one is handed on in pieces. */
const maxErrorLine = 2_000;
const linesPerSecond = 200;
const bytesPerSecond = 4 * 1024 * 1024;

/**
 * Buffers a server's standard error. The last lines are always kept; all lines are passed on at a bounded rate. When lines
 * come faster, some are dropped, and then reading pauses, which slows down only that server.
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

  /** `pauseMs` says how long the caller must stop reading. */
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
      return { lines: [], dropped: 0 }; // these are counted as dropped with the next lines that pass
    }
    const dropped = this.#dropped;
    this.#dropped = 0;
    return { lines, dropped };
  }
}
