import { editorError } from '../../shared/editorErrors.ts';
import { findExecutable, pathVariable, type ProgramDisk } from '../../../platform/processes/findExecutable.ts';
import { runProgram, type ProgramResult, type RunProgram } from '../../../platform/processes/runProgram.ts';

/** How long, in ms, one run of the git program may take. */
const timeoutMs = 15_000;

/**
 * Options that keep Git from running programs which a repository's own configuration names: no differ, text converter, monitor,
 * hook or pager of it runs, and nothing is fetched (an old Git may still fetch what a partial clone lacks). What remains are its
 * clean filters: Git compares what they make of a changed file, as with Git LFS. So the workspace has to be trusted first.
 */
const harmless = [
  '--no-optional-locks',
  '--no-pager',
  '--literal-pathspecs',
  '-c',
  'core.fsmonitor=',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'diff.external=',
  '-c',
  'core.quotePath=false',
  '-c',
  'color.ui=false',
  '-c',
  'diff.noprefix=false',
  '-c',
  'diff.mnemonicPrefix=false',
];

/**
 * Finds Git where its extension does not say. Windows would look into the folder that Git is to look at first, where a repository
 * could have its own `git.exe`.
 */
export async function findGit({ env, platform }: Pick<NodeJS.Process, 'env' | 'platform'> = process, disk?: ProgramDisk): Promise<string> {
  if (platform !== 'win32') {
    return 'git';
  }
  const search = { shownCommand: 'git', searchPath: pathVariable(env).value, cwd: 'C:\\', platform, pathExtensions: '.exe' } as const;
  return findExecutable('git', search, disk).catch(() => {
    throw editorError('git.missing');
  });
}

/** Runs Git, only ever to look. */
export class GitProgram {
  readonly #program: string;
  readonly #signal: AbortSignal;
  readonly #run: RunProgram;

  constructor(program: string, signal: AbortSignal, run: RunProgram = runProgram) {
    this.#program = program;
    this.#signal = signal;
    this.#run = run;
  }

  /** The output of Git as text; rejects when Git fails. */
  async text(cwd: string, args: readonly string[], maxBytes = 8 * 1024 * 1024): Promise<string> {
    const result = await this.run(cwd, args, maxBytes);
    if (result.exitCode !== 0 && !result.isCut) {
      throw editorError('git.failed', { folder: cwd }, { detail: result.errorText });
    }
    return result.output.toString();
  }

  run(cwd: string, args: readonly string[], maxBytes: number): Promise<ProgramResult> {
    const env = {
      ...process.env,
      GIT_OPTIONAL_LOCKS: '0',
      GIT_TERMINAL_PROMPT: '0',
      GIT_NO_LAZY_FETCH: '1',
      GIT_PAGER: 'cat',
      LC_ALL: 'C',
    };
    for (const name of ['GIT_EXTERNAL_DIFF', 'GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_DIFF_OPTS', 'GIT_TRACE']) {
      Reflect.deleteProperty(env, name);
    }
    return this.#run({ program: this.#program, args: [...harmless, ...args], cwd, env, maxBytes, timeoutMs }, this.#signal);
  }
}
