import { joinCommand, parseCommandLine } from '../base/commandLine.ts';
import { errorMaker, type ErrorTable, messageOf } from '../base/errors.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { resolveChain } from './chain/runChain.ts';
import { type CannotFilter, filterLine } from './filter/filteredLine.ts';
import type { FoundPath, Selection } from './filter/selections.ts';
import { pythonTests } from './pythonTests.ts';
import type { DescribedTask, PlannedPart, ProcessLaunch, TestFolder, TestPlan, TestRequest, TestSources } from './testGround.ts';

type Planned = PlannedPart | 'nothingToRun' | { readonly cannot: CannotFilter | 'task'; readonly command: string };

/**
 * Finds out what running the tests means here, in each folder: the person's command, else the test task, else the package's test
 * script, else what Python's projects say. A path runs tests only in the folder that it leads to.
 */
export async function planTests(request: TestRequest, sources: TestSources): Promise<TestPlan<PlannedPart>> {
  const { filter, file } = request;
  const folders = foldersFor(request, sources);
  const files = file === undefined ? [] : await Promise.all(folders.map((folder) => findShown(folder, file, request, sources)));
  if (file !== undefined && files.every((found) => found === undefined)) {
    throw testRunsError('tests.noSuchFile', { path: file });
  }
  const whole = request.folder === undefined && filter === undefined && sources.command().trim() === '' && folders.length > 1;
  const task = whole ? await sources.findTestTask(undefined) : undefined;
  if (task !== undefined && folders[0] !== undefined) {
    return { request, parts: [planTask(await task.describe(), folders[0])], left: [] };
  }
  const wanted =
    filter === undefined
      ? folders.map((folder) => ({ folder, selection: undefined }))
      : await selectionsIn(folders, filter, request, sources);
  const plans: { readonly folder: TestFolder; readonly planned: Planned }[] = [];
  for (const { folder, selection } of wanted) {
    const find = (path: string): Promise<FoundPath | undefined> => findShown(folder, path, request, sources);
    plans.push({ folder, planned: await planFolder({ folder, sources, find }, selection) });
  }
  const parts = plans.flatMap(({ planned }) => (typeof planned === 'object' && 'launch' in planned ? [planned] : []));
  if (parts.length === 0) {
    throw whyNothing(plans.map(({ planned }) => planned));
  }
  const left = plans.flatMap(({ folder, planned }): TestPlan['left'] => {
    const isPlanned = typeof planned === 'object' && 'launch' in planned;
    return isPlanned ? [] : [{ folder: folder.name, why: planned === 'nothingToRun' ? planned : 'filter' }];
  });
  return { request, parts, left };
}

function foldersFor({ folder }: TestRequest, sources: TestSources): readonly TestFolder[] {
  const folders = sources.folders();
  if (folders.length === 0) {
    throw testRunsError('tests.noFolder');
  }
  const named = folder === undefined ? folders : folders.filter(({ name }) => name === folder.replace(/[\\/]$/, ''));
  if (named.length === 0) {
    throw testRunsError('tests.noSuchFolder', { folder: folder ?? '', names: folders.map(({ name }) => name).join(', ') });
  }
  return named;
}

/** What a filter means in each folder. One that is a path, or has one in it, counts only where that path leads. */
async function selectionsIn(
  folders: readonly TestFolder[],
  filter: string,
  request: TestRequest,
  sources: TestSources,
): Promise<readonly { readonly folder: TestFolder; readonly selection: Selection }[]> {
  const found = await Promise.all(
    folders.map(async (folder) => ({ folder, selection: await selectionOf(filter, (path) => findShown(folder, path, request, sources)) })),
  );
  const withPath = found.filter(({ selection }) => selection.path !== undefined);
  return withPath.length > 0 ? withPath : found;
}

async function findShown(folder: TestFolder, path: string, { isShown }: TestRequest, sources: TestSources): Promise<FoundPath | undefined> {
  const found = await sources.findFile(folder.path, path);
  return found === undefined || isShown?.(found.clientPath) === false ? undefined : found;
}

/** Some results name a test with its file: pytest by two colons, others as if the file were a suite. */
async function selectionOf(filter: string, find: (path: string) => Promise<FoundPath | undefined>): Promise<Selection> {
  const path = await find(filter);
  if (path !== undefined) {
    return { path };
  }
  for (const sign of ['::', ' > ']) {
    const at = filter.indexOf(sign);
    const file = at > 0 ? await find(filter.slice(0, at)) : undefined;
    if (file !== undefined && !file.isFolder) {
      return { path: file, name: filter.slice(at + sign.length) };
    }
  }
  return { name: filter };
}

/** A folder in which tests are planned. */
interface Ground {
  readonly folder: TestFolder;
  readonly sources: TestSources;
  readonly find: (path: string) => Promise<FoundPath | undefined>;
}

async function planFolder(ground: Ground, selection: Selection | undefined): Promise<Planned> {
  const { folder, sources } = ground;
  const command = sources.command().trim();
  if (command !== '') {
    return selection === undefined ? planCommand(command, folder, sources) : planFiltered(command, ground, selection);
  }
  const task = await sources.findTestTask(folder.path);
  if (task !== undefined && selection === undefined) {
    return planTask(await task.describe(), folder);
  }
  const words = (await packageTests(folder.path, sources)) ?? (await pythonTests(folder.path, sources));
  if (words === undefined) {
    return task === undefined ? 'nothingToRun' : { cannot: 'task', command: task.name };
  }
  return selection === undefined ? planWords(words, folder, sources) : planFiltered(joinCommand(words), ground, selection);
}

async function planCommand(command: string, folder: TestFolder, sources: TestSources): Promise<PlannedPart> {
  const line = parseCommandLine(command, 'available');
  if (line.kind === 'ok') {
    return { ...(await planWords([line.command, ...line.args], folder, sources)), commandLine: command };
  }
  const chain = await resolveChain([{ command, folder: folder.path }], sources);
  return { folder, commandLine: command, cwd: folder.path, chain, launch: { kind: 'shell', commandLine: command } };
}

async function planWords(words: readonly [string, ...string[]], folder: TestFolder, sources: TestSources): Promise<PlannedPart> {
  const [program, ...args] = words;
  const chain = await resolveChain([{ command: words, folder: folder.path }], sources);
  return { folder, commandLine: joinCommand(words), cwd: folder.path, chain, launch: { kind: 'program', program, args } };
}

function planTask(task: DescribedTask, folder: TestFolder): PlannedPart {
  const { name, definition, chain, commandLine = name, cwd = folder.path } = task;
  return { folder, commandLine, definition, cwd, chain, launch: { kind: 'task', task } };
}

/** Plans the line with the filter in it. The chain also holds what ran without: a change of that is a change of where the line comes from. */
async function planFiltered(line: string, { folder, sources, find }: Ground, selection: Selection): Promise<Planned> {
  const read = (path: string): Promise<string | undefined> => sources.readFile(folder.path, path);
  const scripts = await readScripts(folder.path, sources);
  const ground = { find, read, scripts, shell: sources.shell, nodeVersion: () => sources.nodeVersion() };
  const filtered = await filterLine(line, selection, ground);
  if (typeof filtered === 'string') {
    return { cannot: filtered, command: line };
  }
  const { line: commandLine, commands, isOfPackage } = filtered;
  const starts = [line, ...commands].map((command) => ({ command, folder: folder.path }));
  const chain = await resolveChain(starts, sources);
  const [words = [], ...more] = commands;
  const [program, ...args] = words;
  const isPlain = more.length === 0 && !words.some(({ isOpen }) => isOpen) && !/^[A-Za-z_]\w*=/.test(program?.text ?? '=');
  const launch: ProcessLaunch =
    isPlain && program !== undefined
      ? { kind: 'program', program: program.text, args: args.map(({ text }) => text), usesPackages: isOfPackage }
      : { kind: 'shell', commandLine, usesPackages: isOfPackage };
  return { folder, commandLine, cwd: folder.path, chain, selectsNames: selection.name !== undefined, launch };
}

async function readScripts(folder: string, sources: TestSources): Promise<ReadonlyMap<string, string>> {
  const scripts = (await readManifest(folder, sources))?.['scripts'];
  return new Map(
    Object.entries(isJsonObject(scripts) ? scripts : {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

async function readManifest(folder: string, sources: TestSources): Promise<JsonObject | undefined> {
  try {
    const text = await sources.readFile(folder, 'package.json');
    const content: unknown = text === undefined ? undefined : JSON.parse(text);
    return isJsonObject(content) ? content : undefined;
  } catch (error) {
    throw testRunsError('tests.badManifest', { reason: messageOf(error) });
  }
}

type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

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

/** The command that runs the test script of the package in the folder; `undefined` if it has none. */
async function packageTests(folder: string, sources: TestSources): Promise<readonly [string, ...string[]] | undefined> {
  const manifest = await readManifest(folder, sources);
  const test = isJsonObject(manifest?.['scripts']) ? manifest['scripts']['test'] : undefined;
  if (manifest === undefined || typeof test !== 'string' || test.trim() === '' || placeholder.test(test)) {
    return undefined;
  }
  const names = lockfiles.map(([file]) => file);
  const found = await sources.filesIn(folder, names);
  const manager = declaredManager(manifest) ?? lockfiles.find(([file]) => found.has(file))?.[1] ?? 'npm';
  return manager === 'npm' ? ['npm', 'test'] : [manager, 'run', 'test'];
}

function declaredManager({ packageManager }: JsonObject): PackageManager | undefined {
  const name = typeof packageManager === 'string' ? packageManager.split('@')[0] : undefined;
  return (['npm', 'pnpm', 'yarn', 'bun'] as const).find((manager) => manager === name);
}

function whyNothing(plans: readonly Planned[]): Error {
  const refused = plans.find((planned) => typeof planned === 'object' && 'cannot' in planned);
  if (refused === undefined) {
    return testRunsError('tests.nothingToRun');
  }
  const { cannot, command } = refused;
  return cannot === 'task'
    ? testRunsError('tests.noFilter', { task: command })
    : testRunsError('tests.cannotFilter', { command, why: cannot });
}

const whyNotFiltered: Readonly<Record<CannotFilter, string>> = {
  unknown: 'it is not clear which test program that runs, and how to tell it.',
  folder: 'its test program takes files and names, no folders.',
  files: 'it is not clear which of its words are files. Give the name of a test instead.',
  unsafe: 'it has characters that a shell could read as a command.',
};

/**
 * The sentences that say why tests did not run. Clients and the models behind them read these, people do not, so they are in
 * English only.
 */
const testRunsErrorTable = {
  'tests.badManifest': ({ reason }: { reason: string }) => `package.json could not be read: ${reason}`,
  'tests.cannotFilter': ({ command, why }: { command: string; why: CannotFilter }) =>
    `Nothing ran: the filter could not be applied to "${command}", because ${whyNotFiltered[why]} Leave the filter out to run all tests.`,
  'tests.noFilter': ({ task }: { task: string }) =>
    `Nothing ran: the test task "${task}" takes no filter. Leave the filter out, or set duplex.tests.command.`,
  'tests.noFolder': () => 'No folder is open, so there are no tests to run.',
  'tests.noSuchFile': ({ path }: { path: string }) => `There is no file "${path}", so nothing ran.`,
  'tests.noSuchFolder': ({ folder, names }: { folder: string; names: string }) =>
    `There is no folder "${folder}" in this workspace. Its folders: ${names}.`,
  'tests.nothingToRun': () =>
    'Nothing says how to run the tests here: there is no duplex.tests.command, no test task in tasks.json, no test script in package.json, and no test of pytest or unittest.',
  'tests.planChanged': () => 'What would run changed while the question was open. Call run_tests again to ask about the new command.',
  'tests.stopped': () => 'The window is closing.',
} as const satisfies ErrorTable;

export const testRunsError = errorMaker(testRunsErrorTable);
