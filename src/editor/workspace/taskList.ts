import * as vscode from 'vscode';
import { AppError } from '../../base/errors.ts';
import type { TaskEntry } from '../../server/seen/ports/workspacePort.ts';
import { within } from '../../base/abort.ts';

/** Providers of other extensions look through the whole workspace. */
const timeoutMs = 15_000;

const neverAborted = new AbortController().signal;

/** Every task that VS Code knows; rejects with `tasks.tooSlow` when a provider does not answer. */
export async function fetchTasks(signal: AbortSignal = neverAborted): Promise<vscode.Task[]> {
  const slow = (): AppError =>
    new AppError('tasks.tooSlow', 'VS Code is still collecting the tasks of the workspace. Try again in a moment.');
  return within(vscode.tasks.fetchTasks(), timeoutMs, signal, slow);
}

export async function listTasks(signal: AbortSignal): Promise<TaskEntry[]> {
  const tasks = await fetchTasks(signal);
  return tasks.map((task) => ({
    name: task.name,
    source: task.source,
    ...(task.group !== undefined && { group: task.group.id }),
  }));
}
