// processes/: finding, running and ending programs: a single run (this file), process trees, lines of a pipe, PATH.
import { spawn, type StdioOptions } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { type Disposable, toDisposable } from '../../base/lifecycle.ts';
import { platformError } from '../platformErrors.ts';
import type { ProgramOrder, ProgramReport } from '../programThread.ts';

export interface ProgramRequest {
  readonly program: string;
  /** As they are: there is no shell in between. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly input?: string | undefined;
  /** More output ends the program. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

export interface ProgramResult {
  /** `null` when it was ended. */
  readonly exitCode: number | null;
  readonly output: Buffer;
  readonly errorText: string;
  readonly isCut: boolean;
}

/** How a program is run: `runProgram`, or the same from another thread. */
export type RunProgram = (request: ProgramRequest, signal: AbortSignal) => Promise<ProgramResult>;

const maxErrorCharacters = 4_000;

/** Runs a program that only looks; it ends with the signal, with its time, or with too much output. */
export function runProgram(request: ProgramRequest, signal: AbortSignal): Promise<ProgramResult> {
  signal.throwIfAborted();
  const { program, args, cwd, env = process.env, input, maxBytes, timeoutMs } = request;
  return new Promise((resolve, reject) => {
    // Without input there is nothing to write: a program that is gone before would make an error of it.
    const stdio: StdioOptions = [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'];
    const child = spawn(program, args, { cwd, env, shell: false, windowsHide: true, stdio });
    const pieces: Buffer[] = [];
    let size = 0;
    let errorText = '';
    let isCut = false;
    let failure: Error | undefined;
    const end = (error?: Error): void => {
      failure ??= error;
      child.kill('SIGKILL');
    };
    const onAbort = (): void => end(signal.reason as Error);
    const timer = setTimeout(() => end(platformError('program.tooSlow')), timeoutMs);
    signal.addEventListener('abort', onAbort, { once: true });
    child.stdout?.on('data', (piece: Buffer) => {
      if (size + piece.length > maxBytes) {
        isCut = true;
        pieces.push(piece.subarray(0, maxBytes - size));
        size = maxBytes;
        end();
      } else {
        size += piece.length;
        pieces.push(piece);
      }
    });
    child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      errorText = (errorText + piece).slice(0, maxErrorCharacters);
    });
    // It may be gone before it read its input.
    child.stdin?.on('error', () => undefined).end(input);
    child.on('error', (error) => {
      failure ??= error;
    });
    child.on('close', (exitCode) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      if (failure === undefined) {
        resolve({ exitCode, output: Buffer.concat(pieces), errorText, isCut });
      } else {
        reject(failure);
      }
    });
  });
}

/** A search is seldom the only one. */
const keptMs = 60_000;
const hasEnded = 'The thread for programs has ended.';

/** From a thread that has ended before it said anything: a program that only looks is run without it. */
class NoThread extends Error {}

interface Waiting {
  readonly resolve: (result: ProgramResult) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Runs programs from a thread of its own, which is there while they run and for a while after. To start one takes until the system
 * has copied this process and begun the program in its place: whoever starts it can do nothing else meanwhile, and a large process
 * on a busy machine waits for hundreds of milliseconds.
 */
export class ProgramsApart implements Disposable {
  readonly #program: string;
  readonly #lifetime = toDisposable(() => this.#drop());
  #isOver = false;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  /** `program`: the file of the thread's bundle. */
  constructor(program: string) {
    this.#program = program;
  }

  /** As `runProgram`. */
  readonly run: RunProgram = async (request, signal) => {
    signal.throwIfAborted();
    if (this.#isOver) {
      throw new Error(hasEnded);
    }
    const id = (this.#lastId += 1);
    const end = (): void => this.#send({ kind: 'end', id });
    signal.addEventListener('abort', end, { once: true });
    try {
      return await this.#ask(id, request);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof NoThread) {
        return await runProgram(request, signal);
      }
      throw error;
    } finally {
      signal.removeEventListener('abort', end);
    }
  };

  dispose(): void {
    this.#isOver = true;
    this.#lifetime.dispose();
  }

  #ask(id: number, request: ProgramRequest): Promise<ProgramResult> {
    clearTimeout(this.#idle);
    this.#thread ??= this.#start();
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ kind: 'run', id, request: { ...request, env: { ...(request.env ?? process.env) } } });
    });
  }

  #start(): Worker {
    const thread = new Worker(this.#program, { env: {}, execArgv: [] });
    let hasReported = false;
    const lose = (cause: unknown): void => {
      if (this.#thread === thread) {
        this.#thread = undefined;
        this.#fail(hasReported ? new Error(hasEnded, { cause }) : new NoThread(hasEnded, { cause }));
      }
    };
    thread.on('message', (report: ProgramReport) => {
      hasReported = true;
      this.#settle(report);
    });
    thread.on('error', lose);
    thread.on('exit', () => lose(undefined));
    return thread;
  }

  #send(order: ProgramOrder): void {
    this.#thread?.postMessage(order);
  }

  #settle(report: ProgramReport): void {
    const { resolve, reject } = this.#waiting.get(report.id) ?? {};
    this.#waiting.delete(report.id);
    if (report.kind === 'ended') {
      const { exitCode, output, errorText, isCut } = report;
      resolve?.({ exitCode, output: Buffer.from(output.buffer, output.byteOffset, output.byteLength), errorText, isCut });
    } else {
      const { code, message } = report;
      reject?.(code === 'program.tooSlow' ? platformError(code) : Object.assign(new Error(message), code === '' ? {} : { code }));
    }
    if (this.#waiting.size === 0 && this.#thread !== undefined) {
      clearTimeout(this.#idle);
      this.#idle = setTimeout(() => this.#drop(), keptMs);
      this.#idle.unref();
    }
  }

  /** It ends by itself when it has ended its programs: ended from here, it would leave them running. */
  #drop(): void {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    thread?.postMessage({ kind: 'close' } satisfies ProgramOrder);
    thread?.unref();
    this.#fail(new Error(hasEnded));
  }

  #fail(error: Error): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    waiting.forEach(({ reject }) => reject(error));
  }
}
