import * as path from 'node:path';
import * as vscode from 'vscode';
import { joinCommand } from '../../base/commandLine.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { ChainStart } from '../../testRuns/chain/runChain.ts';
import { configuredTasks } from '../settingsReader.ts';

/** What a task runs, and the tasks that VS Code runs before it. */
export interface TaskCommands {
  readonly starts: readonly ChainStart[];
  /** Their entries in tasks.json, by label: VS Code's API leaves out what they say of other tasks. */
  readonly entries: Readonly<Record<string, JsonObject>>;
  /** In their own words. */
  readonly unknown: readonly string[];
}

/** Tasks that somebody wrote down have an entry somewhere; one that is not found may run others first. */
const written: ReadonlySet<string> = new Set(['Workspace', 'User']);

/** `all` is what VS Code knows: a task is named among them. */
export function commandsOf(task: vscode.Task, all: readonly vscode.Task[]): TaskCommands {
  const reader = new TaskReader(all, configuredTasks(folderOf(task)?.uri).filter(isJsonObject));
  reader.visit(task);
  return reader;
}

export function folderOf({ scope }: vscode.Task): vscode.WorkspaceFolder | undefined {
  return typeof scope === 'object' ? scope : vscode.workspace.workspaceFolders?.[0];
}

export function fullName(task: vscode.Task): string {
  return `${task.source}: ${task.name}`;
}

class TaskReader implements TaskCommands {
  readonly starts: ChainStart[] = [];
  readonly entries: Record<string, JsonObject> = {};
  readonly unknown: string[] = [];
  readonly #all: readonly vscode.Task[];
  readonly #configured: readonly JsonObject[];
  readonly #visited = new Set<vscode.Task>();

  constructor(all: readonly vscode.Task[], configured: readonly JsonObject[]) {
    this.#all = all;
    this.#configured = configured;
  }

  visit(task: vscode.Task): void {
    if (this.#visited.has(task)) {
      return;
    }
    this.#visited.add(task);
    const entry = this.#configured.find((each) => isNamed(each, task.name)) ?? this.#configured.find((each) => isUnnamed(each, task));
    if (entry !== undefined) {
      this.entries[task.name] = entry;
    } else if (written.has(task.source)) {
      this.unknown.push(task.name);
    }
    for (const needed of entry === undefined ? [] : neededBy(entry)) {
      this.#need(needed, task);
    }
    const start = startOf(task);
    if (start !== undefined) {
      this.starts.push(start);
    } else if (entry === undefined || !isOnlyOthers(entry)) {
      this.unknown.push(task.name);
    }
  }

  #need(needed: unknown, by: vscode.Task): void {
    const found = typeof needed === 'string' ? this.#named(needed, by) : this.#defined(needed);
    if (found.length === 1) {
      found.forEach((task) => this.visit(task));
    } else {
      this.unknown.push(typeof needed === 'string' ? needed : JSON.stringify(needed));
    }
  }

  #named(label: string, by: vscode.Task): vscode.Task[] {
    const entry = this.#configured.find((each) => isNamed(each, label));
    const isMeant = (task: vscode.Task): boolean =>
      task.name === label || fullName(task) === label || (entry !== undefined && isNamed(entry, task.name));
    const found = this.#all.filter(isMeant);
    const own = found.filter((task) => written.has(task.source) && folderOf(task)?.uri.toString() === folderOf(by)?.uri.toString());
    return own.length > 0 ? own : found;
  }

  /** `{"type": "npm", "script": "build"}` */
  #defined(wanted: unknown): vscode.Task[] {
    return isJsonObject(wanted) && typeof wanted['type'] === 'string'
      ? this.#all.filter(({ definition }) => isPartOf(wanted, definition))
      : [];
  }
}

function isNamed(entry: JsonObject, label: string): boolean {
  return ['label', 'taskName', 'identifier'].some((key) => entry[key] === label);
}

/** An entry without a label stands for the task that has all that it says of one. */
function isUnnamed(entry: JsonObject, { definition }: vscode.Task): boolean {
  const own = Object.fromEntries(Object.entries(definition).filter(([key]) => key !== 'id' && !key.startsWith('_')));
  return entry['label'] === undefined && entry['taskName'] === undefined && isPartOf(own, entry);
}

function isPartOf(part: object, whole: object): boolean {
  const members: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(whole));
  return Object.entries(part).every(([key, value]) => JSON.stringify(members[key]) === JSON.stringify(value));
}

function neededBy(entry: JsonObject): readonly unknown[] {
  const all = [entry, entry['windows'], entry['osx'], entry['linux']].filter(isJsonObject).map(({ dependsOn }) => dependsOn as unknown);
  return all.flatMap((needed): unknown[] => (Array.isArray(needed) ? (needed as unknown[]) : needed === undefined ? [] : [needed]));
}

function isOnlyOthers(entry: JsonObject): boolean {
  const parts = [entry, entry['windows'], entry['osx'], entry['linux']].filter(isJsonObject);
  return (
    neededBy(entry).length > 0 && parts.every(({ command, script, type }) => command === undefined && script === undefined && isShell(type))
  );
}

function isShell(type: unknown): boolean {
  return type === undefined || type === 'shell' || type === 'process';
}

/** `undefined` for what an extension does with code of its own. */
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
  const { type, script, path: place } = task.definition as { type: string; script?: unknown; path?: unknown };
  return type === 'npm' && typeof script === 'string'
    ? { command: ['npm', 'run', script], folder: folderIn(typeof place === 'string' ? place : undefined, root) }
    : undefined;
}

/** As VS Code joins it: what has spaces is quoted unless it is already, the rest is the shell's. */
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
