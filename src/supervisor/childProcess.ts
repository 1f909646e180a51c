import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { hasCode, messageOf } from '../base/errors.ts';
import { maxLineBytes, type EndCause, type FromSupervisor, type ToSupervisor } from '../contract/supervisorMessages.ts';
import { endTree, killTreeNow } from '../platform/endTree.ts';
import { ErrorOutput, type ErrorLines } from './errorOutput.ts';
import { LineSplitter } from './lineSplitter.ts';
import type { TreeRoot } from '../platform/processTable.ts';

export type StartMessage = Extract<ToSupervisor, { type: 'start' }>;
export type Report = (message: FromSupervisor, payload?: Uint8Array) => void;

/** Everything a server starts inherits this, and is found by it when the server is gone. */
const markerName = 'DUPLEX_SERVER_PROCESS';

/** How long output may still come after the process itself is gone; a grandchild can hold the pipe open for good. */
const lastWordsMs = 200;

/** One server's process: its pipes, its end, and the end of everything it started. */
export class SupervisedProcess {
  readonly #name: string;
  readonly #report: Report;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #output = new LineSplitter(maxLineBytes, 'fail');
  readonly #errors = new ErrorOutput();
  readonly #root: TreeRoot;
  #cause: EndCause = 'exited';
  #exit: { readonly code: number | null; readonly signal: string | null } | undefined;
  #ending: Promise<void> | undefined;
  #reportedExit = false;

  /** Resolves when the process and its whole tree are gone, or when it could not be started. */
  readonly ended: Promise<void>;
  #markEnded!: () => void;

  constructor(start: StartMessage, report: Report) {
    this.#name = start.child;
    this.#report = report;
    this.ended = new Promise((resolve) => (this.#markEnded = resolve));
    const marker = randomUUID();
    // A group and session of its own: a Ctrl+C in the editor's terminal does not reach it, and its family is known by it.
    this.#process = spawn(start.command, start.args, {
      cwd: start.cwd,
      env: { ...start.env, [markerName]: marker },
      detached: process.platform !== 'win32',
      shell: false,
      stdio: 'pipe',
      windowsHide: true,
    });
    const hasExited = (): boolean => this.#exit !== undefined;
    this.#root = {
      pid: this.#process.pid ?? 0,
      marker: `${markerName}=${marker}`,
      get hasExited() {
        return hasExited();
      },
    };
    this.#listen();
  }

  write(bytes: Uint8Array): void {
    this.#process.stdin.write(bytes, () => this.#report({ type: 'written', child: this.#name, bytes: bytes.length }));
  }

  stop(): Promise<void> {
    return this.#end('stopped');
  }

  killNow(): void {
    if (this.#root.pid > 0) {
      killTreeNow(this.#root);
    }
  }

  pauseOutput(): void {
    this.#process.stdout.pause();
  }

  resumeOutput(): void {
    this.#process.stdout.resume();
  }

  #listen(): void {
    const { stdin, stdout, stderr } = this.#process;
    this.#process.once('spawn', () => this.#report({ type: 'started', child: this.#name, pid: this.#root.pid }));
    this.#process.once('error', (error) => this.#failStart(error));
    this.#process.once('exit', (code, signal) => this.#onExit(code, signal));
    this.#process.once('close', () => this.#reportExit());
    stdin.on('error', () => undefined); // the process is going away; its exit is the news
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
    lines.forEach((line) => this.#report({ type: 'line', child: this.#name }, line));
    if (tooLong) {
      this.#process.stdout.pause();
      void this.#end('lineTooLong');
    }
  }

  #onErrors(chunk: Buffer): void {
    const passed = this.#errors.push(chunk);
    this.#passErrors(passed);
    if (passed.pauseMs > 0) {
      this.#process.stderr.pause();
      setTimeout(() => this.#process.stderr.resume(), passed.pauseMs);
    }
  }

  #passErrors({ lines, dropped }: ErrorLines): void {
    if (lines.length > 0 || dropped > 0) {
      this.#report({ type: 'errorLines', child: this.#name, lines: [...lines], dropped });
    }
  }

  /** Only when it never ran; later errors (a signal that could not be sent) change nothing. */
  #failStart(error: Error): void {
    if (this.#process.pid === undefined) {
      const code = 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';
      this.#report({ type: 'startFailed', child: this.#name, code, message: messageOf(error) });
      this.#markEnded();
    }
  }

  #onExit(code: number | null, signal: string | null): void {
    this.#exit = { code, signal };
    setTimeout(() => this.#reportExit(), lastWordsMs);
    void this.#end(this.#cause); // what it leaves behind goes too
  }

  #reportExit(): void {
    if (this.#reportedExit || this.#exit === undefined) {
      return;
    }
    this.#reportedExit = true;
    const { code, signal } = this.#exit;
    this.#report({ type: 'exited', child: this.#name, cause: this.#cause, code, signal, lastErrorLines: [...this.#errors.lastLines()] });
  }

  #end(cause: EndCause): Promise<void> {
    if (this.#ending === undefined && this.#root.pid > 0) {
      this.#cause = cause;
      this.#ending = this.#endTree();
    }
    return this.ended;
  }

  async #endTree(): Promise<void> {
    const survivors = await endTree(this.#root, () => this.#process.stdin.end());
    this.#process.stdout.destroy();
    this.#process.stderr.destroy();
    this.#exit ??= { code: null, signal: null }; // it could not even be killed
    this.#reportExit();
    this.#report({ type: 'ended', child: this.#name, survivors });
    this.#markEnded();
  }
}

/** `spawn` throws at once for some of what it is given (a batch file on Windows, a zero byte). */
export function startProcess(start: StartMessage, report: Report): SupervisedProcess | undefined {
  try {
    return new SupervisedProcess(start, report);
  } catch (error) {
    const code = ['EINVAL', 'ERR_INVALID_ARG_VALUE'].find((known) => hasCode(error, known)) ?? 'UNKNOWN';
    report({ type: 'startFailed', child: start.child, code, message: messageOf(error) });
    return undefined;
  }
}
