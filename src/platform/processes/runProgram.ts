// processes/: finding, running and ending programs: a single run (this file), process trees, lines of a pipe, PATH.
import { spawn, type StdioOptions } from 'node:child_process';
import { Writable } from 'node:stream';
import { type Disposable, toDisposable } from '../../base/lifecycle.ts';
import { platformError } from '../platformErrors.ts';
import { JobThread, type JobFunction } from './jobThread.ts';

export interface ProgramRequest {
  readonly program: string;
  /** The arguments as the program gets them: there is no shell in between. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly input?: string | undefined;
  /** A text that the program reads from its file descriptor 3. */
  readonly furtherInput?: string | undefined;
  /** The most output that is read; the program is ended when it writes more. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

export interface ProgramResult {
  /** `null` when the program was ended by a signal, and always when its output was cut: it may have ended by itself just before. */
  readonly exitCode: number | null;
  readonly output: Buffer;
  /** The beginning of what it wrote to standard error. When the output was cut, how much of it came by then is not certain. */
  readonly errorText: string;
  /** The program wrote more than `maxBytes` and was ended; `output` has exactly that many bytes then. */
  readonly isCut: boolean;
}

/** Runs a program: `runProgram` itself, or the same from another thread. */
export type RunProgram = (request: ProgramRequest, signal: AbortSignal) => Promise<ProgramResult>;

/** How much of what a program writes to standard error is kept. */
const maxErrorCharacters = 4_000;

/** Runs a program that only looks at things. It is ended by the signal, when its time is up, or when it writes too much. */
export function runProgram(request: ProgramRequest, signal: AbortSignal): Promise<ProgramResult> {
  signal.throwIfAborted();
  const { program, args, cwd, env = process.env, maxBytes, timeoutMs } = request;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, shell: false, windowsHide: true, stdio: pipesFor(request) });
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
    give(child.stdin, request.input);
    give(child.stdio[3], request.furtherInput);
    child.on('error', (error) => {
      failure ??= error;
    });
    child.on('close', (exitCode) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      if (failure === undefined) {
        // A program that has just been told to end may be gone already, by itself: how it ended would be chance.
        resolve({ exitCode: isCut ? null : exitCode, output: Buffer.concat(pieces), errorText, isCut });
      } else {
        reject(failure);
      }
    });
  });
}

/** Without input there is no pipe: writing to a program that has ended already would be an error. */
function pipesFor({ input, furtherInput }: ProgramRequest): StdioOptions {
  return [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...(furtherInput === undefined ? [] : ['pipe' as const])];
}

function give(pipe: unknown, text: string | undefined): void {
  if (pipe instanceof Writable) {
    // The program may end before it has read its input.
    pipe.on('error', () => undefined).end(text);
  }
}

/** The job of a thread that starts programs. */
export interface ProgramJobs {
  readonly runProgram: { readonly job: ProgramRequest; readonly result: Omit<ProgramResult, 'output'> & { readonly output: Uint8Array } };
}

/** Runs a program in the thread of `ProgramThread`. */
export const runProgramJob: JobFunction<ProgramJobs['runProgram']> = async (request, { signal, handOver }) => {
  const { output, ...result } = await runProgram(request, signal);
  // Small buffers share one piece of memory: only a buffer that has its own can be handed over.
  const own = output.byteLength === output.buffer.byteLength ? output : Uint8Array.from(output);
  handOver(own.buffer as ArrayBuffer);
  return { ...result, output: own };
};

const hasEnded = 'The thread for programs has ended.';

/**
 * Runs programs from a thread of its own, which is there while they run and for a while after. To start one takes until the system
 * has copied this process and begun the program in its place: whoever starts it can do nothing else meanwhile, and a large process
 * on a busy machine waits for hundreds of milliseconds.
 */
export class ProgramThread implements Disposable {
  readonly #threadProgram: string;
  readonly #lifetime = toDisposable(() => this.#thread?.end(new Error(hasEnded)));
  #isOver = false;
  #thread: JobThread<ProgramJobs> | undefined;

  /** `threadProgram`: the file of the thread's bundle. */
  constructor(threadProgram: string) {
    this.#threadProgram = threadProgram;
  }

  /** Runs a program as `runProgram` does, but from the thread. */
  readonly run: RunProgram = async (request, signal) => {
    signal.throwIfAborted();
    if (this.#isOver) {
      throw new Error(hasEnded);
    }
    if (this.#thread?.isOver !== false) {
      this.#thread = new JobThread({ program: this.#threadProgram, stops: 'job' });
    }
    const job = { ...request, env: { ...(request.env ?? process.env) } };
    const outcome = await this.#thread.run('runProgram', job, { signal });
    if (outcome.kind === 'done') {
      const { output } = outcome.result;
      return { ...outcome.result, output: Buffer.from(output.buffer, output.byteOffset, output.byteLength) };
    }
    signal.throwIfAborted();
    if (outcome.kind === 'failed') {
      const { code, message } = outcome;
      throw code === 'program.tooSlow' ? platformError(code) : Object.assign(new Error(message), code === '' ? {} : { code });
    }
    if (outcome.hasBegun) {
      throw new Error(hasEnded, { cause: outcome.kind === 'threadEnded' ? outcome.cause : undefined });
    }
    // The thread cannot even begin. Programs that only look may be run again, so this one is run without it.
    return runProgram(request, signal);
  };

  dispose(): void {
    this.#isOver = true;
    this.#lifetime.dispose();
  }
}
