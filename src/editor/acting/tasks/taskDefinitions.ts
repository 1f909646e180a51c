import * as path from 'node:path';
import * as vscode from 'vscode';
import { joinCommand } from '../../../base/commandLine.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import type { FoundTask } from '../../../server/seen/ports/actingPort.ts';
import type { ChainStart, ResolveChain } from '../../../testRuns/chain/runChain.ts';
import { terminalSettings } from '../../settingsReader.ts';
import { editorError } from '../../shared/editorErrors.ts';
import { configuredTasks } from '../../workspace/runSettings.ts';
import { clientNames, findNamed } from '../../workspace/sameNames.ts';
import { chainSources, fetchTasks, namedTask } from '../../workspace/workspaceTasks.ts';
import {
  entriesNamed,
  entriesOf,
  hasOwnMatcher,
  isNamed,
  isOnlyOthers,
  isPartOf,
  neededBy,
  runsInOrder,
  shellOptions,
} from './taskEntries.ts';

/** Matches variables that depend on more than the workspace: what runs is known only when it runs. */
const openVariable = /\$\{(?!workspaceFolder)[^}]*\}?/g;

export interface LookedUpTask {
  readonly plan: TaskPlan;
  readonly found: FoundTask;
}

/** A task with those that run before it, as VS Code knew them when they were looked up. */
export interface TaskPlan {
  readonly task: vscode.Task;
  readonly before: readonly TaskPlan[];
  /** Whether those before it run one after the other. */
  readonly isInOrder: boolean;
  /** Whether only VS Code can run the task, by its name. */
  readonly isEditorsOwn: boolean;
}

/** Looks for a task by its name, in one folder if that is given. */
export type LookUpTask = (name: string, folder?: string) => Promise<LookedUpTask>;

/** Makes a function that looks for a task anew each time: tasks.json and package.json may have changed. */
export function createTaskLookUp(resolveChain: ResolveChain): LookUpTask {
  return async (name, folder) => {
    const tasks = await fetchTasks();
    const isThere = ({ scope }: vscode.Task): boolean => typeof scope === 'object' && scope.uri.fsPath === folder;
    const task = findTask(name, folder === undefined ? tasks : tasks.filter(isThere));
    const commands = commandsOf(task, tasks);
    const found = await describeTask(task, commands, resolveChain);
    return { plan: commands.plan, found: { ...found, name, ...(folder !== undefined && { folder }) } };
  };
}

/** Finds a task by its name, or by `source: name` where several have the same name, with their folder before it where folders do. */
function findTask(name: string, tasks: readonly vscode.Task[]): vscode.Task {
  const { workspaceFolders = [] } = vscode.workspace;
  const found = findNamed(name, tasks.map(namedTask), workspaceFolders, (wanted, among) => {
    const named = among.filter(({ task }) => task.name === wanted);
    const all = named.length > 0 ? named : among.filter(({ task }) => fullName(task) === wanted);
    const ownFirst = all.filter(({ task }) => task.source === 'Workspace');
    return ownFirst.length > 0 ? ownFirst : all;
  });
  const [first, ...others] = found;
  if (first === undefined) {
    throw editorError('editor.noTask', { name });
  }
  if (others.length > 0) {
    const full = found.map(({ task, folder }) => ({ name: fullName(task), folder }));
    const sameNamed = clientNames(full, workspaceFolders).map((each) => `"${each}"`);
    throw editorError('editor.ambiguousTask', { name, tasks: sameNamed.join(', ') });
  }
  return first.task;
}

/** Describes everything that decides what a task runs, as far as VS Code and the files tell. */
async function describeTask(task: vscode.Task, commands: TaskCommands, resolveChain: ResolveChain): Promise<FoundTask> {
  const { runs, ...execution } = executionOf(task);
  const terminal = terminalSettings();
  const { folder } = namedTask(task);
  const isOneOfMany = (vscode.workspace.workspaceFolders ?? []).length > 1;
  const described = {
    source: task.source,
    // Tasks of several folders may differ in nothing else.
    ...(folder !== undefined && isOneOfMany && { folder: folder.uri.fsPath }),
    definition: task.definition,
    runs,
    ...execution,
    ...(commands.before.length > 0 && { before: commands.before.map((each) => ({ task: fullName(each), ...executionOf(each) })) }),
    ...(Object.keys(commands.entries).length > 0 && { tasksJson: commands.entries }),
    ...(Object.keys(commands.forAll).length > 0 && { tasksJsonForAll: commands.forAll }),
    terminal: terminal.values,
  };
  const definition = JSON.stringify(described, undefined, 2);
  const chain = await resolveChain(commands.starts, chainSources);
  const chosen = [...[task, ...commands.before].flatMap(chosenBy), ...shellOptions(commands.forAll), ...terminal.ofWorkspace];
  const unknown = [...commands.unknown, ...chosen, ...(definition.match(openVariable) ?? []), ...chain.unknown];
  const cwd = execution.cwd ?? folderOf(task)?.uri.fsPath;
  return {
    name: task.name,
    definition,
    chain: { steps: chain.steps, unknown: [...new Set(unknown)] },
    ...(runs !== undefined && { commandLine: runs }),
    ...(cwd !== undefined && { cwd }),
    isTest: task.group?.id === vscode.TaskGroup.Test.id,
  };
}

interface ShownExecution {
  readonly runs?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly shell?: string;
}

function executionOf({ execution }: vscode.Task): ShownExecution {
  if (execution instanceof vscode.ShellExecution) {
    const { command, args = [], commandLine, options } = execution;
    const words = [command, ...args].map((word) => (typeof word === 'string' ? word : word?.value)).filter((word) => word !== undefined);
    const { cwd, env, executable, shellArgs } = options ?? {};
    return {
      runs: commandLine ?? words.join(' '),
      ...(cwd !== undefined && { cwd }),
      ...(env !== undefined && { env }),
      ...(executable !== undefined && { shell: [executable, ...(shellArgs ?? [])].join(' ') }),
    };
  }
  if (execution instanceof vscode.ProcessExecution) {
    const { cwd, env } = execution.options ?? {};
    return { runs: [execution.process, ...execution.args].join(' '), ...(cwd !== undefined && { cwd }), ...(env !== undefined && { env }) };
  }
  return {};
}

/** The shell and the variables that a task chooses itself. They decide what its command means. */
function chosenBy(task: vscode.Task): readonly string[] {
  const { shell, env = {} } = executionOf(task);
  return [...(shell === undefined ? [] : [`shell ${shell}`]), ...Object.keys(env).map((name) => `env ${name}`)];
}

/** What a task runs, and the tasks that VS Code runs before it. */
interface TaskCommands {
  readonly plan: TaskPlan;
  readonly starts: readonly ChainStart[];
  /** The tasks that VS Code runs before it. */
  readonly before: readonly vscode.Task[];
  /** The entries of all these tasks in tasks.json, by label: VS Code's API leaves out what they say about other tasks. */
  readonly entries: Readonly<Record<string, JsonObject>>;
  /** The part of tasks.json that counts for all tasks. */
  readonly forAll: JsonObject;
  /** The parts of which it cannot be known what they run, in their own words. */
  readonly unknown: readonly string[];
}

/**
 * The sources of tasks that somebody wrote down: they have an entry somewhere, and one whose entry is not found may run others
 * first.
 */
const written: ReadonlySet<string> = new Set(['Workspace', 'User']);

/** What a task runs. `all` are the tasks that VS Code knows, among which entries name the ones they need. */
function commandsOf(task: vscode.Task, all: readonly vscode.Task[]): TaskCommands {
  const { entries, forAll } = configuredTasks(folderOf(task)?.uri);
  const reader = new TaskReader(all, entries.filter(isJsonObject));
  const plan = reader.visit(task);
  const { starts, unknown, visited } = reader;
  return {
    plan,
    starts,
    unknown,
    before: [...visited.keys()].filter((each) => each !== task),
    entries: Object.fromEntries(reader.entries),
    forAll,
  };
}

function folderOf({ scope }: vscode.Task): vscode.WorkspaceFolder | undefined {
  return typeof scope === 'object' ? scope : vscode.workspace.workspaceFolders?.[0];
}

function fullName(task: vscode.Task): string {
  return `${task.source}: ${task.name}`;
}

class TaskReader {
  readonly starts: ChainStart[] = [];
  readonly entries = new Map<string, JsonObject>();
  readonly unknown: string[] = [];
  readonly visited = new Map<vscode.Task, TaskPlan | undefined>();
  readonly #all: readonly vscode.Task[];
  readonly #configured: readonly JsonObject[];

  constructor(all: readonly vscode.Task[], configured: readonly JsonObject[]) {
    this.#all = all;
    this.#configured = configured;
  }

  visit(task: vscode.Task): TaskPlan {
    this.visited.set(task, undefined);
    const isWritten = written.has(task.source);
    const entries = entriesOf({ name: task.name, definition: task.definition, isWritten }, this.#configured);
    entries.forEach((entry, index) => this.#record(task.name, entry, index));
    const needed = entries.flatMap(neededBy);
    const before = needed.flatMap((each) => this.#need(each, task));
    const start = startOf(task);
    if (start !== undefined) {
      this.starts.push(start);
    }
    const isOnlyForOthers = entries.length > 0 && entries.every(isOnlyOthers);
    const isStarted = start !== undefined || isOnlyForOthers;
    // VS Code tells an extension neither how an entry finds problems nor when something in the background is ready.
    const isOwn = !isStarted || entries.some(hasOwnMatcher) || before.some((each) => each.task.isBackground);
    const isInDoubt = entries.length > 1 || (isWritten && entries.length === 0);
    if (isOwn || isInDoubt) {
      this.unknown.push(task.name);
    }
    const isEditorsOwn = isOwn || isInDoubt || before.length < needed.length || before.some((each) => each.isEditorsOwn);
    const plan = { task, before, isInOrder: entries.some(runsInOrder), isEditorsOwn };
    this.visited.set(task, plan);
    return plan;
  }

  #record(name: string, entry: JsonObject, index: number): void {
    const isTaken = (key: string): boolean => this.entries.has(key) && this.entries.get(key) !== entry;
    let key = index === 0 ? name : `${name} (${index + 1})`;
    while (isTaken(key)) {
      key += '+';
    }
    this.entries.set(key, entry);
  }

  /** The plan of a task that is needed; none where it is not known which one, or where it needs itself. */
  #need(needed: unknown, by: vscode.Task): readonly TaskPlan[] {
    const [task, ...others] = typeof needed === 'string' ? this.#named(needed, by) : this.#defined(needed);
    const plan = task === undefined || others.length > 0 ? undefined : this.visited.has(task) ? this.visited.get(task) : this.visit(task);
    if (plan === undefined) {
      this.unknown.push(typeof needed === 'string' ? needed : JSON.stringify(needed));
    }
    return plan === undefined ? [] : [plan];
  }

  #named(label: string, by: vscode.Task): vscode.Task[] {
    const entries = entriesNamed(label, this.#configured);
    const isMeant = (task: vscode.Task): boolean =>
      task.name === label || fullName(task) === label || entries.some((entry) => isNamed(entry, task.name));
    const found = this.#all.filter(isMeant);
    const own = found.filter((task) => written.has(task.source) && folderOf(task)?.uri.toString() === folderOf(by)?.uri.toString());
    return own.length > 0 ? own : found;
  }

  /** Finds the tasks that an object such as `{"type": "npm", "script": "build"}` names by its definition. */
  #defined(wanted: unknown): vscode.Task[] {
    return isJsonObject(wanted) && typeof wanted['type'] === 'string'
      ? this.#all.filter(({ definition }) => isPartOf(wanted, definition))
      : [];
  }
}

/** The command that a task starts; `undefined` for a task that an extension does with code of its own. */
function startOf(task: vscode.Task): ChainStart | undefined {
  const { execution } = task;
  const root = folderOf(task)?.uri.fsPath;
  if (root === undefined) {
    return undefined;
  }
  if (execution instanceof vscode.ShellExecution) {
    return { command: expand(shellLineOf(execution), root), folder: folderIn(execution.options?.cwd, root) };
  }
  if (execution instanceof vscode.ProcessExecution) {
    const words = [execution.process, ...execution.args].map((word) => expand(word, root));
    return { command: words, folder: folderIn(execution.options?.cwd, root) };
  }
  return undefined;
}

/** The command line as VS Code joins it: words with spaces are quoted unless they are already, the rest is left to the shell. */
function shellLineOf({ commandLine, command, args = [] }: vscode.ShellExecution): string {
  if (commandLine !== undefined) {
    return commandLine;
  }
  const words = [command, ...args].filter((word) => word !== undefined);
  return words.length === 1 && typeof words[0] === 'string' ? words[0] : words.map(shellWord).join(' ');
}

function shellWord(word: string | vscode.ShellQuotedString): string {
  if (typeof word !== 'string') {
    return word.quoting === vscode.ShellQuoting.Weak ? `"${word.value}"` : joinCommand([word.value]);
  }
  return /\s/.test(word) && !/^(["']).*\1$/s.test(word) ? joinCommand([word]) : word;
}

function folderIn(cwd: string | undefined, root: string): string {
  return cwd === undefined ? root : path.resolve(root, expand(cwd, root));
}

function expand(text: string, root: string): string {
  const named = (name: string): string | undefined => vscode.workspace.workspaceFolders?.find((folder) => folder.name === name)?.uri.fsPath;
  return text
    .replaceAll(/\$\{workspace(?:Folder|Root)\}/g, () => root)
    .replaceAll(/\$\{workspaceFolder:([^}]*)\}/g, (whole, name: string) => named(name) ?? whole);
}
