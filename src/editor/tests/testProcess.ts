import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import * as path from 'node:path';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { messageOf } from '../../base/errors.ts';
import { endTree, killTreeNow, type TreeRoot } from '../../platform/processes/processTree.ts';
import {
  findExecutable,
  isBatchFile,
  pathVariable,
  type ProgramDisk,
  programDisk,
  variableIn,
} from '../../platform/processes/findExecutable.ts';
import type { ProcessPlan, TestWork } from '../../testRuns/testGround.ts';
import type { RunEnd } from '../../testRuns/testRun.ts';
import { editorError } from '../shared/editorErrors.ts';

interface ProcessStart {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether `program` is a whole line for the system's shell, which the person wrote. */
  readonly needsShell?: boolean | undefined;
  /** On Windows: whether the arguments are written as the program reads them, and get no quotation marks any more. */
  readonly isVerbatim?: boolean | undefined;
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
    const { program, args, needsShell = false, isVerbatim = false } = start;
    this.#process = spawn(program, args, {
      cwd: start.cwd,
      env: { ...start.env, [markerName]: marker },
      // A process group and session of its own, by which its descendants are known.
      detached: process.platform !== 'win32',
      shell: needsShell,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      windowsVerbatimArguments: isVerbatim,
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

function listen(stream: Readable | null, onOutput: (text: string) => void): void {
  const decoder = new StringDecoder('utf8');
  stream?.on('data', (chunk: Buffer) => onOutput(decoder.write(chunk)));
  stream?.on('error', () => undefined); // the process is going away, and its exit is told elsewhere
}

/** The system that a process is started on: this one, unless a test has another. */
interface StartSystem {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly disk?: ProgramDisk | undefined;
}

/** Finds out exactly which program to start, and with what around it. `terminalPath` is the PATH the person has in a terminal. */
export async function prepareProcess(plan: ProcessPlan, terminalPath: string, system: StartSystem = process): Promise<ProcessStart> {
  const { launch, cwd, commandLine } = plan;
  const { platform, env: own, disk = programDisk(platform) } = system;
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const searchPath = launch.usesPackages === true ? [...programFolders(cwd, paths), terminalPath].join(paths.delimiter) : terminalPath;
  const env = testEnvironment(own, searchPath);
  if (launch.kind === 'shell') {
    return platform === 'win32'
      ? { program: launch.commandLine, args: [], cwd, env, needsShell: true }
      : { program: '/bin/sh', args: ['-c', launch.commandLine], cwd, env };
  }
  const pathExtensions = variableIn(own, 'PATHEXT', platform);
  const program = await findExecutable(launch.program, { shownCommand: commandLine, searchPath, cwd, platform, pathExtensions }, disk);
  const start = { program, args: launch.args, cwd, env };
  return isBatchFile(program, platform) ? throughBatchFile(start, { searchPath, pathExtensions, own, disk }) : start;
}

interface BatchSearch {
  readonly searchPath: string;
  readonly pathExtensions: string | undefined;
  readonly own: StartSystem['env'];
  readonly disk: ProgramDisk;
}

/** Windows cannot start batch files by themselves: what they start is started, or the command interpreter runs them. */
async function throughBatchFile(
  start: ProcessStart & { readonly env: Record<string, string> },
  search: BatchSearch,
): Promise<ProcessStart> {
  const { program: file, args, env } = start;
  // Only Windows needs this code.
  const { programOfBatchFile } = await import('../../platform/processes/batchProgram.ts');
  const found = await programOfBatchFile(file, { ...search, env, ownEnv: search.own }, search.disk);
  if (found.kind === 'program') {
    return { ...start, program: found.program, args: [...found.before, ...args], env: { ...env, ...found.env } };
  }
  const { batchArguments, isRefusedByBatch } = await import('../../platform/processes/batchLine.ts');
  const unsafe = args.find(isRefusedByBatch);
  if (unsafe !== undefined) {
    throw editorError('tests.unsafeFilter', { filter: unsafe });
  }
  const { values } = batchArguments(
    file,
    args.map((value) => ({ value, shown: value })),
  );
  return { ...start, program: found.interpreter, args: values, isVerbatim: true, env: { ...env, NoDefaultCurrentDirectoryInExePath: '1' } };
}

/** The folders in which packages have their programs, nearest first, as package managers put them before PATH. */
function programFolders(cwd: string, paths: path.PlatformPath): readonly string[] {
  const above = paths.dirname(cwd);
  return [paths.join(cwd, 'node_modules', '.bin'), ...(above === cwd ? [] : programFolders(above, paths))];
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
