import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import * as path from 'node:path';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { messageOf } from '../../base/errors.ts';
import { endTree, killTreeNow, type TreeRoot } from '../../platform/processes/processTree.ts';
import { findExecutable, pathVariable } from '../../platform/processes/findExecutable.ts';
import type { ProcessPlan, TestWork } from '../../testRuns/testGround.ts';
import type { RunEnd } from '../../testRuns/testRun.ts';
import { editorError } from '../shared/editorErrors.ts';

interface ProcessStart {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Whether the program has to run in a shell, as batch files on Windows do. Then nothing in `args` may mean anything to that
   * shell.
   */
  readonly needsShell?: boolean | undefined;
}

/** The variable that everything the tests start inherits, and is found by when the test runner is gone. */
const markerName = 'DUPLEX_TEST_PROCESS';
/** How long, in ms, output may still come after the process itself is gone: a grandchild can hold the pipe open for good. */
const lastWordsMs = 300;

/** A test runner and everything it starts. */
export class TestProcess implements TestWork {
  readonly #process: ChildProcess;
  readonly #root: TreeRoot;
  #exit: { readonly code: number | null } | undefined;
  #isCancelled = false;
  #isOver = false;
  #ending: Promise<unknown> | undefined;

  /** The promise never rejects. It settles when the process and its whole tree are gone. */
  readonly ended: Promise<RunEnd>;

  constructor(start: ProcessStart, onOutput: (text: string) => void) {
    const marker = randomUUID();
    const { program, args, needsShell = false } = start;
    this.#process = spawn(needsShell ? [program, ...args].map(quoteForWindows).join(' ') : program, needsShell ? [] : args, {
      cwd: start.cwd,
      env: { ...start.env, [markerName]: marker },
      // A process group and session of its own, by which its descendants are known.
      detached: process.platform !== 'win32',
      shell: needsShell,
      stdio: ['ignore', 'pipe', 'pipe'],
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
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      listen(stream, onOutput);
    }
    this.ended = this.#untilEnded();
  }

  cancel(): void {
    if (this.#exit === undefined) {
      this.#isCancelled = true;
    }
    void this.#end();
  }

  /** Kills the whole tree at once: the editor is going away and nothing can be awaited. */
  dispose(): void {
    this.#isCancelled ||= this.#exit === undefined;
    if (this.#root.pid > 0 && !this.#isOver) {
      killTreeNow(this.#root);
    }
  }

  async #untilEnded(): Promise<RunEnd> {
    const failure = await new Promise<Error | undefined>((resolve) => {
      this.#process.once('error', (error) => {
        // Later errors (a signal that could not be sent) change nothing.
        if (this.#process.pid === undefined) {
          resolve(error);
        }
      });
      this.#process.once('exit', (code) => {
        this.#exit = { code };
        const timer = setTimeout(() => resolve(undefined), lastWordsMs);
        this.#process.once('close', () => {
          clearTimeout(timer);
          resolve(undefined);
        });
      });
    });
    if (failure !== undefined) {
      return { kind: 'failedToStart', reason: messageOf(failure) };
    }
    await this.#end(); // ends what the process left behind
    this.#isOver = true;
    this.#process.stdout?.destroy();
    this.#process.stderr?.destroy();
    return this.#isCancelled ? { kind: 'cancelled' } : { kind: 'exited', exitCode: this.#exit?.code ?? undefined };
  }

  #end(): Promise<unknown> {
    // On Windows the pid of a process that is gone may already be somebody else's.
    if (this.#root.pid === 0 || (process.platform === 'win32' && this.#exit !== undefined)) {
      return Promise.resolve();
    }
    this.#ending ??= endTree(this.#root, () => undefined, { closeMs: 0, terminateMs: 1_500, killMs: 1_000 });
    return this.#ending;
  }
}

function quoteForWindows(word: string): string {
  return /^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word}"`;
}

function listen(stream: Readable | null, onOutput: (text: string) => void): void {
  const decoder = new StringDecoder('utf8');
  stream?.on('data', (chunk: Buffer) => onOutput(decoder.write(chunk)));
  stream?.on('error', () => undefined); // the process is going away, and its exit is told elsewhere
}

/** Matches characters that mean something to a Windows shell. */
const shellCharacters = /["%!^&|<>()\r\n]/;

/** Finds out exactly which program to start, and with what around it. `terminalPath` is the PATH the person has in a terminal. */
export async function prepareProcess(plan: ProcessPlan, terminalPath: string): Promise<ProcessStart> {
  const { launch, cwd, commandLine } = plan;
  const searchPath = launch.usesPackages === true ? [...programFolders(cwd), terminalPath].join(path.delimiter) : terminalPath;
  const { platform } = process;
  const env = testEnvironment(process.env, searchPath);
  if (launch.kind === 'shell') {
    return platform === 'win32'
      ? { program: launch.commandLine, args: [], cwd, env, needsShell: true }
      : { program: '/bin/sh', args: ['-c', launch.commandLine], cwd, env };
  }
  const program = await findExecutable(launch.program, {
    shownCommand: commandLine,
    searchPath,
    cwd,
    platform,
    pathExtensions: process.env['PATHEXT'],
  });
  const isBatchFile = platform === 'win32' && /\.(?:cmd|bat)$/i.test(program);
  return { program, args: isBatchFile ? demandPlain(launch.args) : launch.args, cwd, env, needsShell: isBatchFile };
}

/** The folders in which packages have their programs, nearest first, as package managers put them before PATH. */
function programFolders(cwd: string): readonly string[] {
  const above = path.dirname(cwd);
  return [path.join(cwd, 'node_modules', '.bin'), ...(above === cwd ? [] : programFolders(above))];
}

function demandPlain(args: readonly string[]): readonly string[] {
  const unsafe = args.find((word) => shellCharacters.test(word));
  if (unsafe !== undefined) {
    throw editorError('tests.unsafeFilter', { filter: unsafe });
  }
  return args;
}

/** Names of variables that tests do not get: what the editor sets for itself, and keys that Duplex holds for its own use. */
const notForTests: readonly RegExp[] = [
  /^ELECTRON_/,
  /^VSCODE_(?!.*(?:PORTABLE|SHELL_LOGIN)$)/,
  /^DUPLEX_(?:CLIENT_TOKEN|TEST_PROCESS|SERVER_PROCESS)$/,
  /^ANTHROPIC_/,
  // A test runner that finds this variable reports to its parent instead of to people.
  /^NODE_TEST_CONTEXT$/,
  /^NODE_OPTIONS$/,
];

/** The environment of the tests: the editor's own, with the PATH the person has in a terminal. */
export function testEnvironment(own: Readonly<Record<string, string | undefined>>, searchPath: string): Record<string, string> {
  const kept = Object.entries(own).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !notForTests.some((name) => name.test(entry[0])),
  );
  return { ...Object.fromEntries(kept), [pathVariable(own).name]: searchPath };
}
