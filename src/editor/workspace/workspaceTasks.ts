import { lstat } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { neverAborted, within } from '../../base/abort.ts';
import { readBounded } from '../../platform/files/ownFiles.ts';
import type { TaskEntry } from '../../server/seen/ports/workspacePort.ts';
import type { ChainSources } from '../../testRuns/chain/runChain.ts';
import { editorError } from '../shared/editorErrors.ts';
import { clientNames, type Named } from './sameNames.ts';

/** The longest wait, in ms, for tasks: providers of other extensions look through the whole workspace. */
const timeoutMs = 15_000;

/** All tasks that VS Code knows. Rejects with `tasks.tooSlow` when a provider does not answer. */
export async function fetchTasks(signal: AbortSignal = neverAborted()): Promise<vscode.Task[]> {
  return within(vscode.tasks.fetchTasks(), timeoutMs, signal, () => editorError('tasks.tooSlow'));
}

export async function tasksOfWorkspace(signal: AbortSignal): Promise<TaskEntry[]> {
  const tasks = await fetchTasks(signal);
  const names = clientNames(tasks.map(namedTask), vscode.workspace.workspaceFolders ?? []);
  return tasks.map((task, index) => ({
    name: names[index] ?? task.name,
    source: task.source,
    ...(task.group !== undefined && { group: task.group.id }),
  }));
}

/** A task with its name, and the folder that brings it. */
export function namedTask(task: vscode.Task): Named<vscode.WorkspaceFolder> & { readonly task: vscode.Task } {
  const { workspaceFolders = [] } = vscode.workspace;
  const uri = typeof task.scope === 'object' ? task.scope.uri.toString() : undefined;
  return { name: task.name, folder: workspaceFolders.find((folder) => folder.uri.toString() === uri), task };
}

/** The size, in MiB, of the largest file that is read to find out what a command runs. */
const maxMebibytes = 4;

/** Reads what runs: the files on disk, whatever is open in the editor. */
export const chainSources: ChainSources = {
  readFile: async (folder, name) => {
    const file = path.resolve(folder, name);
    try {
      const bytes = await readBounded(file, maxMebibytes * 1024 * 1024);
      if (bytes === undefined) {
        throw editorError('editor.tooLarge', { path: file, limit: maxMebibytes });
      }
      return bytes.toString('utf8');
    } catch (error) {
      if (isMissing(error)) {
        return undefined;
      }
      throw error;
    }
  },
  filesIn: async (folder, names) => {
    const found = await Promise.all(names.map(async (name) => ((await exists(path.join(folder, name))) ? [name] : [])));
    return new Set(found.flat());
  },
  resolveFolder: (from, to) => path.resolve(from, to),
};

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
