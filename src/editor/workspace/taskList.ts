import * as vscode from 'vscode';
import type { TaskEntry } from '../../server/seen/ports/workspacePort.ts';
import { neverAborted, within } from '../../base/abort.ts';
import { editorError } from '../shared/editorErrors.ts';

/** Providers of other extensions look through the whole workspace. */
const timeoutMs = 15_000;

/** Every task that VS Code knows; rejects with `tasks.tooSlow` when a provider does not answer. */
export async function fetchTasks(signal: AbortSignal = neverAborted()): Promise<vscode.Task[]> {
  return within(vscode.tasks.fetchTasks(), timeoutMs, signal, () => editorError('tasks.tooSlow'));
}

export async function listTasks(signal: AbortSignal): Promise<TaskEntry[]> {
  const tasks = await fetchTasks(signal);
  return tasks.map((task) => ({
    name: task.name,
    source: task.source,
    ...(task.group !== undefined && { group: task.group.id }),
  }));
}
