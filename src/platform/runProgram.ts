import { spawn, type StdioOptions } from 'node:child_process';
import { platformError } from './platformErrors.ts';

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
