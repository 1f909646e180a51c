import * as vscode from 'vscode';
import { isJsonObject } from '../../base/json.ts';
import type { FoundTask } from '../../server/seen/ports/actingPort.ts';
import { configuredTasks } from '../settingsReader.ts';
import { editorError } from '../shared/editorErrors.ts';
import { fetchTasks } from '../workspace/taskList.ts';

/** Variables that depend on more than the workspace: what runs is known only when it runs. */
const openVariable = /\$\{(?!workspaceFolder)/;

/** By name, or by `source: name` where several have the same. */
export async function findTask(name: string): Promise<vscode.Task> {
  const tasks = await fetchTasks();
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

function fullName(task: vscode.Task): string {
  return `${task.source}: ${task.name}`;
}

/** Everything that decides what a task runs, as far as VS Code tells. */
export async function describeTask(task: vscode.Task): Promise<FoundTask> {
  const execution = executionOf(task);
  const scripts = await packageScripts(task);
  const configured = configuredEntries(task);
  const parts = { source: task.source, definition: task.definition, ...execution, ...scripts, ...configured.shown };
  const definition = JSON.stringify(parts, undefined, 2);
  const isFullyKnown = execution.runs !== undefined && configured.isComplete && !openVariable.test(definition);
  const cwd = execution.cwd ?? folderOf(task)?.uri.fsPath;
  return {
    name: task.name,
    definition,
    isFullyKnown,
    ...(execution.runs !== undefined && { commandLine: execution.runs }),
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

function folderOf({ scope }: vscode.Task): vscode.WorkspaceFolder | undefined {
  return typeof scope === 'object' ? scope : vscode.workspace.workspaceFolders?.[0];
}

/** "npm run test" says nothing: what counts is the script, and those that npm runs around it. */
async function packageScripts(task: vscode.Task): Promise<{ scripts?: Record<string, string> }> {
  const { type, script, path = '' } = task.definition as { type: string; script?: unknown; path?: unknown };
  const folder = folderOf(task);
  if (type !== 'npm' || typeof script !== 'string' || typeof path !== 'string' || folder === undefined) {
    return {};
  }
  try {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder.uri, path, 'package.json'));
    const parsed: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    const all = isJsonObject(parsed) && isJsonObject(parsed['scripts']) ? parsed['scripts'] : {};
    const scripts = [`pre${script}`, script, `post${script}`].flatMap((name) => {
      const text = all[name];
      return typeof text === 'string' ? [[name, text] as const] : [];
    });
    return { scripts: Object.fromEntries(scripts) };
  } catch {
    return {};
  }
}

/** VS Code's API leaves out what tasks.json says of other tasks to run first: they are looked up and shown too. */
function configuredEntries(task: vscode.Task): { readonly shown: object; readonly isComplete: boolean } {
  const entries = configuredTasks(folderOf(task)?.uri).filter(isJsonObject);
  const seen = new Map<string, object>();
  let isComplete = true;
  const visit = (label: string): void => {
    if (seen.has(label)) {
      return;
    }
    const entry = entries.find((each) => each['label'] === label || each['taskName'] === label);
    if (entry === undefined) {
      isComplete &&= label === task.name;
      return;
    }
    seen.set(label, entry);
    const { dependsOn } = entry;
    const needed = Array.isArray(dependsOn) ? (dependsOn as unknown[]) : dependsOn === undefined ? [] : [dependsOn];
    for (const each of needed) {
      if (typeof each === 'string') {
        visit(each);
      } else {
        isComplete = false;
      }
    }
  };
  visit(task.name);
  return { shown: seen.size === 0 ? {} : { tasksJson: Object.fromEntries(seen) }, isComplete };
}
