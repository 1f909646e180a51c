import { joinCommand, parseCommandLine } from '../base/commandLine.ts';
import { errorMaker, type ErrorTable, messageOf } from '../base/errors.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { resolveChain } from './chain/runChain.ts';
import type { DescribedTask, PlannedRun, TestSources } from './testGround.ts';

/**
 * Finds out what running the tests means here: the person's command, else the workspace's test task, else the package's test
 * script.
 */
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

export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** Files that tell which package manager a project uses; the first that is there decides. */
const lockfiles: readonly (readonly [string, PackageManager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
];

/** Matches the script that npm writes into a new package.json. */
const placeholder = /^echo\s+["']?Error: no test specified/;

export interface PackageScript {
  readonly manager: PackageManager;
  readonly args: readonly string[];
}

/** How to run the test script of a package.json; `undefined` if it has none. Throws on text that is no JSON. */
export function packageTestScript(
  text: string,
  foundLockfiles: ReadonlySet<string>,
  filter: string | undefined,
): PackageScript | undefined {
  const content: unknown = JSON.parse(text);
  if (!isJsonObject(content)) {
    return undefined;
  }
  const test = isJsonObject(content.scripts) ? content.scripts['test'] : undefined;
  if (typeof test !== 'string' || test.trim() === '' || placeholder.test(test)) {
    return undefined;
  }
  const manager = declaredManager(content) ?? lockfiles.find(([file]) => foundLockfiles.has(file))?.[1] ?? 'npm';
  return { manager, args: argsFor(manager, filter) };
}

function declaredManager({ packageManager }: JsonObject): PackageManager | undefined {
  const name = typeof packageManager === 'string' ? packageManager.split('@')[0] : undefined;
  return (['npm', 'pnpm', 'yarn', 'bun'] as const).find((manager) => manager === name);
}

/** The arguments that run the test script. Only npm needs `--` where its own options end; the others would hand it on. */
function argsFor(manager: PackageManager, filter: string | undefined): readonly string[] {
  if (manager === 'npm') {
    return ['test', ...(filter === undefined ? [] : ['--', filter])];
  }
  return ['run', 'test', ...(filter === undefined ? [] : [filter])];
}

/**
 * The sentences that say why tests did not run. Clients and the models behind them read these, people do not, so they are in
 * English only.
 */
const testRunsErrorTable = {
  'tests.badManifest': ({ reason }: { reason: string }) => `package.json could not be read: ${reason}`,
  'tests.noFilter': ({ task }: { task: string }) =>
    `The test task "${task}" takes no filter. Leave the filter out, or set duplex.tests.command.`,
  'tests.noFolder': () => 'No folder is open, so there are no tests to run.',
  'tests.nothingToRun': () =>
    'Nothing says how to run the tests here: there is no duplex.tests.command, no test task in tasks.json and no test script in package.json.',
  'tests.planChanged': () => 'What would run changed while the question was open. Call run_tests again to ask about the new command.',
  'tests.stopped': () => 'The window is closing.',
} as const satisfies ErrorTable;

export const testRunsError = errorMaker(testRunsErrorTable);
