import { editorError } from '../shared/editorErrors.ts';
import { findExecutable } from '../../platform/findExecutable.ts';
import type { ProcessPlan } from '../../testRuns/testPlan.ts';
import { testEnvironment } from './testEnvironment.ts';
import type { ProcessStart } from './testProcess.ts';

/** What a Windows shell would read something into. */
const shellCharacters = /["%!^&|<>()\r\n]/;

/** Which program exactly, with what around it. `searchPath` is the PATH the person has in a terminal. */
export async function prepareProcess(plan: ProcessPlan, searchPath: string): Promise<ProcessStart> {
  const { launch, cwd, commandLine } = plan;
  const { platform } = process;
  const env = testEnvironment(process.env, searchPath);
  if (launch.kind === 'shell') {
    return platform === 'win32'
      ? { program: launch.commandLine, args: demandPlain(launch.args), cwd, env, needsShell: true }
      : {
          program: '/bin/sh',
          args: ['-c', launch.args.length === 0 ? launch.commandLine : `${launch.commandLine} "$@"`, 'sh', ...launch.args],
          cwd,
          env,
        };
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

function demandPlain(args: readonly string[]): readonly string[] {
  const unsafe = args.find((word) => shellCharacters.test(word));
  if (unsafe !== undefined) {
    throw editorError('tests.unsafeFilter', { filter: unsafe });
  }
  return args;
}
