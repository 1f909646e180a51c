import * as vscode from 'vscode';
import type { FoundTask } from '../../server/seen/ports/actingPort.ts';
import type { ResolveChain } from '../../testRuns/chain/runChain.ts';
import { editorError } from '../shared/editorErrors.ts';
import { chainSources } from '../workspace/chainSources.ts';
import { fetchTasks } from '../workspace/taskList.ts';
import { commandsOf, folderOf, fullName, type TaskCommands } from './taskCommands.ts';

/** Variables that depend on more than the workspace: what runs is known only when it runs. */
const openVariable = /\$\{(?!workspaceFolder)[^}]*\}?/g;

export interface LookedUpTask {
  readonly task: vscode.Task;
  readonly found: FoundTask;
}

export type LookUpTask = (name: string) => Promise<LookedUpTask>;

/** Looks anew each time: tasks.json and package.json may have changed. */
export function createTaskLookUp(resolveChain: ResolveChain): LookUpTask {
  return async (name) => {
    const tasks = await fetchTasks();
    const task = findTask(name, tasks);
    return { task, found: await describeTask(task, commandsOf(task, tasks), resolveChain) };
  };
}

/** By name, or by `source: name` where several have the same. */
function findTask(name: string, tasks: readonly vscode.Task[]): vscode.Task {
  const named = tasks.filter((task) => task.name === name);
  const found = named.length > 0 ? named : tasks.filter((task) => fullName(task) === name);
  const ownFirst = found.filter((task) => task.source === 'Workspace');
  const [task, ...others] = ownFirst.length > 0 ? ownFirst : found;
  if (task === undefined) {
    throw editorError('editor.noTask', { name });
  }
  if (others.length > 0) {
    const sameNamed = [task, ...others].map((each) => `"${fullName(each)}"`).join(', ');
    throw editorError('editor.ambiguousTask', { name, tasks: sameNamed });
  }
  return task;
}

/** Everything that decides what a task runs, as far as VS Code and the files tell. */
async function describeTask(task: vscode.Task, commands: TaskCommands, resolveChain: ResolveChain): Promise<FoundTask> {
  const { runs, ...execution } = executionOf(task);
  const described = {
    source: task.source,
    definition: task.definition,
    runs,
    ...execution,
    ...(commands.before.length > 0 && { before: commands.before.map((each) => ({ task: fullName(each), ...executionOf(each) })) }),
    ...(Object.keys(commands.entries).length > 0 && { tasksJson: commands.entries }),
    ...(Object.keys(commands.forAll).length > 0 && { tasksJsonForAll: commands.forAll }),
  };
  const definition = JSON.stringify(described, undefined, 2);
  const chain = await resolveChain(commands.starts, chainSources);
  const unknown = [...commands.unknown, ...(definition.match(openVariable) ?? []), ...chain.unknown];
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
