import path from 'node:path';
import { hasCode } from '../base/errors.ts';
import {
  findExecutable,
  isBatchFile,
  pathVariable,
  type ProgramDisk,
  programDisk,
  variableIn,
} from '../platform/processes/findExecutable.ts';
import type { LaunchContext, PreparedLaunch } from './prepareLaunch.ts';
import type { WantedPath } from './otherMachines.ts';
import type { Expanded } from './variables.ts';

/** The program that is started, as far as it is known before the person is asked. */
type LaunchProgram = Pick<PreparedLaunch, 'executable' | 'args' | 'batchFile' | 'env'>;

interface WantedProgram {
  readonly command: Expanded;
  readonly args: readonly Expanded[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether an input decides which program it is: then nothing that tells which one is shown. */
  readonly dependsOnInput: boolean;
  /** Throws when looking at that file would call another machine. */
  readonly refuseFar: (file: string) => Promise<void>;
}

/** Finds the program of a command. Throws an AppError when there is none, unless a PATH that is still to come may lead to it. */
export async function findProgram(wanted: WantedProgram, context: LaunchContext): Promise<LaunchProgram> {
  const { command, args, env, cwd } = wanted;
  const { platform } = context;
  const disk = context.disk ?? programDisk(platform);
  const unresolved = { args, batchFile: undefined, env };
  try {
    const executable = await findExecutable(
      command.value,
      {
        shownCommand: command.shown,
        searchPath: pathVariable(env).value,
        cwd,
        platform,
        pathExtensions: variableIn(context.env, 'PATHEXT', platform),
      },
      disk,
    );
    return isBatchFile(executable, platform) ? await throughBatchFile(executable, wanted, context, disk) : { ...unresolved, executable };
  } catch (error) {
    if (!context.isPathFinal && hasCode(error, 'definitions.commandNotFound')) {
      return { ...unresolved, executable: undefined };
    }
    throw error;
  }
}

/** Windows cannot start batch files by themselves: what they start is started, or the command interpreter runs them. */
async function throughBatchFile(file: string, wanted: WantedProgram, context: LaunchContext, disk: ProgramDisk): Promise<LaunchProgram> {
  // Only Windows needs this code.
  const { programOfBatchFile } = await import('../platform/processes/batchProgram.ts');
  const { env, args, dependsOnInput } = wanted;
  const surroundings = {
    searchPath: pathVariable(env).value,
    pathExtensions: variableIn(context.env, 'PATHEXT', context.platform),
    env,
    ownEnv: context.env,
    refuse: (each: string) => (isOnShareOf(file, each) ? Promise.resolve() : wanted.refuseFar(each)),
  };
  const shownAs = (text: string): Expanded => ({
    value: text,
    shown: dependsOnInput ? 'depends on what you enter' : text,
    variables: [],
    inputs: dependsOnInput ? wanted.command.inputs : [],
  });
  const started = await programOfBatchFile(file, surroundings, disk);
  if (started.kind === 'program') {
    return {
      executable: started.program,
      args: [...started.before.map(shownAs), ...args],
      batchFile: { path: file, isRun: false, env: started.env },
      env: { ...env, ...started.env },
    };
  }
  const { batchArguments } = await import('../platform/processes/batchLine.ts');
  const { values, shown } = batchArguments(file, args);
  const options = values.slice(0, -1).map(plain);
  const line: Expanded = {
    value: values.at(-1) ?? '',
    shown: dependsOnInput ? shownAs('').shown : shown,
    variables: args.flatMap(({ variables }) => variables),
    inputs: args.flatMap(({ inputs }) => inputs),
  };
  return {
    executable: started.interpreter,
    args: [...options, line],
    batchFile: { path: file, isRun: true, env: {} },
    // cmd.exe would look for programs in the working folder first: a repository could put its own `node` there.
    env: { ...env, NoDefaultCurrentDirectoryInExePath: '1' },
  };
}

/** Whether a file is on the share on which the batch file was found, by a PATH that may lead there. */
function isOnShareOf(batchFile: string, file: string): boolean {
  const [share, other] = [batchFile, file].map((each) => path.win32.parse(each).root.toLowerCase());
  return share !== undefined && share.startsWith('\\\\') && share === other;
}

export function plain(text: string): Expanded {
  return { value: text, shown: text, variables: [], inputs: [] };
}

/** The values of PATH, however its name is written. */
export function searchPathOf(env: Readonly<Record<string, Expanded | null>>): readonly (Expanded | null)[] {
  return Object.entries(env).flatMap(([name, value]) => (name.toUpperCase() === 'PATH' ? [value] : []));
}

/** All paths at which the program may be: the command itself, or its name in the folders of a PATH that the definition sets. */
export function programPaths(
  command: Expanded,
  cwd: string,
  env: Readonly<Record<string, Expanded | null>>,
  { platform }: LaunchContext,
): readonly WantedPath[] {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const endings = platform === 'win32' ? ['', '.exe', '.com', '.bat', '.cmd'] : [''];
  const folders = searchPathOf(env).flatMap((each) =>
    each === null ? [] : each.value.split(paths.delimiter).map((folder) => ({ ...each, value: folder.replace(/^"(.*)"$/, '$1') })),
  );
  const named = folders.flatMap((folder) =>
    endings.map((ending) => ({ ...folder, value: paths.join(folder.value, command.value + ending) })),
  );
  const own = endings.map((ending) => ({ ...command, value: command.value + ending }));
  return [...own, ...folders, ...named].map((file) => ({ file, base: cwd }));
}
