import { joinCommand, parseCommandLine } from '../base/commandLine.ts';
import { messageOf } from '../base/errors.ts';
import { resolveChain } from './chain/runChain.ts';
import { lockfiles, packageTestScript } from './packageScript.ts';
import type { TestSources } from './testGround.ts';
import type { PlannedRun } from './testPlan.ts';
import { testRunsError } from './testRunsErrors.ts';
import type { DescribedTask } from './testTask.ts';

/** What running the tests means here: the person's command, else the workspace's test task, else the package's test script. */
export async function planTests(filter: string | undefined, sources: TestSources): Promise<PlannedRun> {
  const folders = sources.folders();
  const [first] = folders;
  if (first === undefined) {
    throw testRunsError('tests.noFolder');
  }
  const command = sources.command().trim();
  if (command !== '') {
    return planCommand(command, filter, first, sources);
  }
  const task = await sources.findTestTask();
  if (task !== undefined && filter === undefined) {
    return planTask(await task.describe(), first);
  }
  for (const folder of folders) {
    const planned = await planScript(folder, filter, sources);
    if (planned !== undefined) {
      return planned;
    }
  }
  if (task !== undefined) {
    throw testRunsError('tests.noFilter', { task: task.name });
  }
  throw testRunsError('tests.nothingToRun');
}

async function planCommand(command: string, filter: string | undefined, cwd: string, sources: TestSources): Promise<PlannedRun> {
  const more = filter === undefined ? [] : [filter];
  const line = parseCommandLine(command, 'available');
  const launch: PlannedRun['launch'] =
    line.kind === 'ok'
      ? { kind: 'program', program: line.command, args: [...line.args, ...more] }
      : { kind: 'shell', commandLine: command, args: more };
  const commandLine = [command, ...(filter === undefined ? [] : [joinCommand(more)])].join(' ');
  const runs = launch.kind === 'program' ? [launch.program, ...launch.args] : commandLine;
  const chain = await resolveChain([{ command: runs, folder: cwd }], sources);
  return { commandLine, cwd, chain, filter, launch };
}

function planTask(task: DescribedTask, folder: string): PlannedRun {
  return {
    commandLine: task.commandLine ?? task.name,
    definition: task.definition,
    cwd: task.cwd ?? folder,
    chain: task.chain,
    filter: undefined,
    launch: { kind: 'task', task },
  };
}

async function planScript(folder: string, filter: string | undefined, sources: TestSources): Promise<PlannedRun | undefined> {
  try {
    const manifest = await sources.readFile(folder, 'package.json');
    if (manifest === undefined) {
      return undefined;
    }
    const found = await sources.filesIn(
      folder,
      lockfiles.map(([file]) => file),
    );
    const script = packageTestScript(manifest, found, filter);
    if (script === undefined) {
      return undefined;
    }
    const { manager, args } = script;
    const command = [manager, ...args];
    const chain = await resolveChain([{ command, folder }], sources);
    return { commandLine: joinCommand(command), cwd: folder, chain, filter, launch: { kind: 'program', program: manager, args } };
  } catch (error) {
    throw testRunsError('tests.badManifest', { reason: messageOf(error) });
  }
}
