import * as path from 'node:path';
import * as vscode from 'vscode';
import { hasCode } from '../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { DebugOverview, FoundLaunch, LaunchRequest } from '../../server/seen/ports/debugPort.ts';
import type { ChainStart, ResolveChain, RunChain } from '../../testRuns/chain/runChain.ts';
import type { LookedUpTask, LookUpTask } from '../acting/tasks/taskDefinitions.ts';
import { configuredLaunches } from '../workspace/runSettings.ts';
import { clientNames, findNamed, type Named } from '../workspace/sameNames.ts';
import { chainSources } from '../workspace/workspaceTasks.ts';
import { debugError } from './debugErrors.ts';
import { launchSettings } from './launchSettings.ts';

/** Matches variables that depend on more than the workspace: what runs is known only when it runs. */
const openVariable = /\$\{(?!workspaceFolder)[^}]*\}?/g;

/** What would be started, and the task that is run before it as it was looked up. */
export interface LaunchPlan {
  readonly configuration: vscode.DebugConfiguration;
  readonly folder: vscode.WorkspaceFolder | undefined;
  readonly before: LookedUpTask | undefined;
}

interface LookedUpLaunch {
  readonly plan: LaunchPlan;
  readonly found: FoundLaunch;
}

/** A configuration as it is written, with the folder that it belongs to. */
interface Written extends Named<vscode.WorkspaceFolder> {
  readonly entry: JsonObject & { readonly name: string; readonly type: string };
}

/** The debug types that installed extensions bring. */
export function debugTypes(): ReadonlySet<string> {
  const types = vscode.extensions.all.flatMap(({ packageJSON }) => {
    const manifest: unknown = packageJSON;
    const contributes = isJsonObject(manifest) ? manifest['contributes'] : undefined;
    const debuggers = isJsonObject(contributes) ? contributes['debuggers'] : undefined;
    return Array.isArray(debuggers) ? debuggers.map((each) => (isJsonObject(each) ? each['type'] : undefined)) : [];
  });
  return new Set(types.filter((type) => typeof type === 'string'));
}

export function listConfigurations(): DebugOverview['configurations'] {
  const { workspaceFolders = [] } = vscode.workspace;
  const isMultiRoot = workspaceFolders.length > 1;
  const all = written();
  const names = clientNames(all, workspaceFolders);
  return all.map(({ entry, folder }, index) => ({
    name: names[index] ?? entry.name,
    type: entry.type,
    ...(isMultiRoot && folder !== undefined && { folder: folder.name }),
  }));
}

/** Finds what would be started, anew each time: launch.json, tasks.json and package.json may have changed. */
export async function lookUpLaunch(request: LaunchRequest, lookUpTask: LookUpTask, resolveChain: ResolveChain): Promise<LookedUpLaunch> {
  const { entry, folder } = request.kind === 'configuration' ? findWritten(request.name) : forProgram(request);
  if (!debugTypes().has(entry.type)) {
    throw debugError('debug.noType', { type: entry.type });
  }
  const configuration = expanded(entry, folder) as JsonObject;
  const [before, after] = [
    await taskOf(configuration['preLaunchTask'], folder, lookUpTask),
    await taskOf(configuration['postDebugTask'], folder, lookUpTask),
  ];
  const settings = await launchSettings(configuration, folder);
  const definition = JSON.stringify(
    {
      configuration,
      ...(Object.keys(settings.values).length > 0 && { settings: settings.values }),
      ...(folder !== undefined && { folder: folder.uri.fsPath }),
      ...(before.task !== undefined && { before: JSON.parse(before.task.found.definition) as JsonObject }),
      ...(after.task !== undefined && { after: JSON.parse(after.task.found.definition) as JsonObject }),
    },
    undefined,
    2,
  );
  const own = request.kind === 'program' ? request.chain : await resolveChain(startsOf(configuration, folder), chainSources);
  const chains = [before.task?.found.chain, own, after.task?.found.chain];
  const chosen = [...chosenBy(configuration), ...settings.ofWorkspace];
  const unknown = [...before.unknown, ...after.unknown, ...chosen, ...(definition.match(openVariable) ?? [])];
  const found = { request, name: request.name, definition, chain: joined(chains, unknown) };
  return { plan: planOf(configuration, folder, before.task), found };
}

/**
 * A task that ends runs here, as it was looked up; VS Code would look for it once more by its name, and ask in a dialog if it fails.
 * One in the background is left to VS Code, which alone knows when it is ready.
 */
function planOf(configuration: JsonObject, folder: vscode.WorkspaceFolder | undefined, before: LookedUpTask | undefined): LaunchPlan {
  const { preLaunchTask, ...rest } = configuration;
  const isRunHere = before !== undefined && !before.plan.task.isBackground;
  const started = isRunHere || preLaunchTask === undefined ? rest : { ...rest, preLaunchTask };
  return { configuration: started as vscode.DebugConfiguration, folder, before: isRunHere ? before : undefined };
}

function written(): readonly Written[] {
  const isNamed = (entry: unknown): entry is Written['entry'] =>
    isJsonObject(entry) && typeof entry['name'] === 'string' && typeof entry['type'] === 'string';
  return configuredLaunches().flatMap(({ entries, folder }) =>
    entries.filter(isNamed).map((entry) => ({ name: entry.name, entry, folder })),
  );
}

/** Finds a configuration by its name, with its folder before it where several folders have one of this name. */
function findWritten(name: string): Written {
  const all = written();
  const { workspaceFolders = [] } = vscode.workspace;
  const [found, ...others] = findNamed(name, all, workspaceFolders, (wanted, among) => among.filter((each) => each.name === wanted));
  if (found === undefined || others.length > 0) {
    const listed = clientNames(all, workspaceFolders).filter((_, index) => found === undefined || all[index]?.name === found.name);
    const names = listed.slice(0, maxNames).map((each) => `"${each.slice(0, maxNameLength)}"`);
    throw debugError(found === undefined ? 'debug.noConfiguration' : 'debug.ambiguousConfiguration', { name, names: names.join(', ') });
  }
  return found;
}

/** The most configurations that an error names. */
const maxNames = 20;
/** The most characters of the name of a configuration that an error names. */
const maxNameLength = 100;

/** The configuration with which a test command is debugged; what is neither Python's nor Node's cannot be. */
function forProgram({ name, program, args, cwd }: Extract<LaunchRequest, { kind: 'program' }>): Written {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(cwd));
  const common = { name, request: 'launch', cwd, console: 'internalConsole' };
  const tool = path.basename(program).replace(/\.(?:exe|cmd)$/i, '');
  if (/^(?:python|py)[\d.]*$/.test(tool)) {
    const [first = '', second = '', ...rest] = args;
    const what = first === '-m' ? { module: second, args: rest } : { program: first, args: args.slice(1) };
    return { name, entry: { ...common, type: 'debugpy', python: program, ...what }, folder };
  }
  if (/^(?:pytest|py\.test)$/.test(tool)) {
    return { name, entry: { ...common, type: 'debugpy', module: 'pytest', args: [...args] }, folder };
  }
  if (/^(?:node|npm|npx|pnpm|yarn|vitest|jest|mocha)$/.test(tool)) {
    return { name, entry: { ...common, type: 'node', runtimeExecutable: program, runtimeArgs: [...args], outputCapture: 'std' }, folder };
  }
  throw debugError('debug.notDebuggable', { program: tool });
}

/** Replaces `${workspaceFolder}` by its path everywhere in a value, so that the person sees what starts. */
function expanded(value: unknown, folder: vscode.WorkspaceFolder | undefined): unknown {
  if (typeof value === 'string') {
    return folder === undefined ? value : value.replaceAll(/\$\{workspace(?:Folder|Root)\}/g, () => folder.uri.fsPath);
  }
  if (Array.isArray(value)) {
    return value.map((each: unknown) => expanded(each, folder));
  }
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, expanded(member, folder)])) : value;
}

interface NeededTask {
  readonly task?: LookedUpTask;
  readonly unknown: readonly string[];
}

async function taskOf(label: unknown, folder: vscode.WorkspaceFolder | undefined, lookUpTask: LookUpTask): Promise<NeededTask> {
  if (label === undefined || label === '') {
    return { unknown: [] };
  }
  if (typeof label !== 'string') {
    return { unknown: [JSON.stringify(label)] };
  }
  try {
    return { task: (await writtenIn(folder, label, lookUpTask)) ?? (await lookUpTask(label)), unknown: [] };
  } catch (error) {
    if (isNoneOrSeveral(error)) {
      return { unknown: [label] };
    }
    throw error;
  }
}

/** The task that the tasks.json of the configuration's own folder calls so: where there are several folders, VS Code takes it first. */
async function writtenIn(
  folder: vscode.WorkspaceFolder | undefined,
  label: string,
  lookUpTask: LookUpTask,
): Promise<LookedUpTask | undefined> {
  if (folder === undefined || (vscode.workspace.workspaceFolders ?? []).length < 2) {
    return undefined;
  }
  try {
    const found = await lookUpTask(label, folder.uri.fsPath);
    return found.plan.task.source === 'Workspace' ? found : undefined;
  } catch (error) {
    if (isNoneOrSeveral(error)) {
      return undefined;
    }
    throw error;
  }
}

function isNoneOrSeveral(error: unknown): boolean {
  return hasCode(error, 'editor.noTask') || hasCode(error, 'editor.ambiguousTask');
}

/** The command that a configuration names itself, such as a package manager with a script. */
function startsOf({ runtimeExecutable, runtimeArgs, cwd }: JsonObject, folder: vscode.WorkspaceFolder | undefined): readonly ChainStart[] {
  const root = folder?.uri.fsPath;
  if (typeof runtimeExecutable !== 'string' || root === undefined) {
    return [];
  }
  const args = Array.isArray(runtimeArgs) ? runtimeArgs.map(String) : [];
  return [{ command: [runtimeExecutable, ...args], folder: typeof cwd === 'string' ? path.resolve(root, cwd) : root }];
}

/** The variables that a configuration sets, also from a file: they decide what a program does. */
function chosenBy({ env, envFile }: JsonObject): readonly string[] {
  const names = isJsonObject(env) ? Object.keys(env).map((name) => `env ${name}`) : [];
  return envFile === undefined ? names : [...names, 'envFile'];
}

function joined(chains: readonly (RunChain | undefined)[], unknown: readonly string[]): RunChain {
  const known = chains.filter((chain) => chain !== undefined);
  const steps = new Map(known.flatMap((chain) => chain.steps).map((step) => [step.name, step]));
  return { steps: [...steps.values()], unknown: [...new Set([...unknown, ...known.flatMap((chain) => chain.unknown)])] };
}
