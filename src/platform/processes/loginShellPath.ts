import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import type { Log } from '../../base/log.ts';
import { pathVariable } from './findExecutable.ts';
import { killGroup } from './processTree.ts';

export interface LoginShellOptions {
  /** The person's shell, from `$SHELL`. */
  readonly shell: string | undefined;
  readonly home: string;
  /** The editor's own environment: the shell is started with it, and its PATH counts when the shell gives no answer. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly timeoutMs: number;
  readonly log: Log;
}

/** How many characters the shell may write before it is given up. */
const maxOutputLength = 1024 * 1024;
/** How long, in ms, the shell may take; one that takes longer is stuck in a startup file. */
const maxMs = 10_000;

/**
 * Finds out the PATH that the person has in a terminal: an editor that was started from a desktop lacks what nvm, fnm or mise put
 * there. The shell runs once, in the home folder (not where a repository's files are), and only when the PATH is first read, which
 * is after a first approval.
 */
export class LoginShellPath {
  readonly #options: LoginShellOptions;
  #answer: Promise<string> | undefined;

  constructor(options: LoginShellOptions) {
    this.#options = options;
  }

  static ofThisProcess(log: Log): LoginShellPath {
    const { env, platform } = process;
    return new LoginShellPath({ shell: env['SHELL'], home: os.homedir(), env, platform, timeoutMs: maxMs, log });
  }

  get wasAsked(): boolean {
    return this.#answer !== undefined;
  }

  /** Returns the PATH; without an answer of the shell it is the editor's own. It never rejects. */
  read(): Promise<string> {
    const { env, platform } = this.#options;
    const own = pathVariable(env).value;
    return (this.#answer ??= platform === 'win32' ? Promise.resolve(own) : askShell(this.#options, own));
  }
}

async function askShell(options: LoginShellOptions, own: string): Promise<string> {
  const { shell, log } = options;
  if (shell === undefined || !path.isAbsolute(shell)) {
    return own;
  }
  try {
    const found = await runShell(shell, options);
    log.info(`The PATH of the login shell ${shell} has ${found.split(':').length} folders.`);
    return joinPaths(found, own);
  } catch (error) {
    log.warn(`The PATH of the login shell ${shell} could not be read; the editor's own is used. ${String(error)}`);
    return own;
  }
}

function runShell(shell: string, options: LoginShellOptions): Promise<string> {
  const mark = randomUUID();
  const command = `echo "${mark}"; /usr/bin/env printenv PATH; echo "${mark}"`;
  return new Promise((resolve, reject) => {
    // It runs in a session of its own: an interactive shell would otherwise fight for the editor's terminal.
    const child = spawn(shell, [...shellFlags(shell), command], {
      cwd: options.home,
      env: {
        ...options.env,
        NODE_OPTIONS: undefined,
        ELECTRON_RUN_AS_NODE: undefined,
        VSCODE_RESOLVING_ENVIRONMENT: '1', // people's startup files know this one
      },
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const timer = setTimeout(() => finish(new Error(`It did not answer within ${options.timeoutMs} ms.`)), options.timeoutMs);
    let output = '';
    let isDone = false;
    const finish = (result: string | Error): void => {
      if (isDone) {
        return;
      }
      isDone = true;
      clearTimeout(timer);
      child.stdout.destroy();
      killGroup(child.pid);
      if (typeof result === 'string') {
        resolve(result);
      } else {
        reject(result);
      }
    };
    child.once('error', finish);
    child.once('close', () => finish(new Error('It ended without an answer.')));
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      const found = new RegExp(`${mark}\\r?\\n([^\\n]+)\\r?\\n${mark}`).exec(output)?.[1]?.trim();
      if (found !== undefined) {
        finish(found);
      } else if (output.length > maxOutputLength) {
        finish(new Error('It wrote too much.'));
      }
    });
  });
}

/** The options that make a shell both a login shell and an interactive one: most version managers are set up in the file for interactive shells. */
function shellFlags(shell: string): readonly string[] {
  switch (path.basename(shell)) {
    case 'csh':
    case 'tcsh':
      return ['-ic'];
    case 'pwsh':
      return ['-Login', '-Command'];
    default:
      return ['-i', '-l', '-c'];
  }
}

function joinPaths(first: string, second: string): string {
  return [...new Set([...first.split(':'), ...second.split(':')].filter((folder) => path.isAbsolute(folder)))].join(':');
}
