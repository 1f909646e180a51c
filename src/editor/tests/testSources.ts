import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ActingPort, FoundTask } from '../../server/seen/ports/actingPort.ts';
import type { TestSources } from '../../testRuns/testGround.ts';
import type { RunEnd } from '../../testRuns/testRun.ts';
import type { DescribedTask, TestWork } from '../../testRuns/testTask.ts';
import { chainSources } from '../workspace/chainSources.ts';
import { fetchTasks } from '../workspace/taskList.ts';

export type TaskRunner = Pick<ActingPort, 'findTask' | 'startTask'>;

/** What the settings, tasks.json and the folders of the workspace say about tests. */
export function createTestSources(command: () => string, tasks: TaskRunner): TestSources {
  return {
    folders: () => (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath),
    command,
    findTestTask: async () => {
      const name = await findTestTask();
      return name === undefined ? undefined : { name, describe: async () => describe(await tasks.findTask(name), tasks) };
    },
    ...chainSources,
    filesIn: async (folder, names) => {
      const found = await Promise.all(names.map(async (name) => ((await exists(path.join(folder, name))) ? [name] : [])));
      return new Set(found.flat());
    },
  };
}

function describe(task: FoundTask, tasks: TaskRunner): DescribedTask {
  return { ...task, start: (onOutput) => startTask(task, tasks, onOutput) };
}

async function startTask(task: FoundTask, tasks: TaskRunner, onOutput: (text: string) => void): Promise<TestWork> {
  const running = await tasks.startTask(task, onOutput);
  const ended = running.ended.then((end): RunEnd =>
    end.wasTerminated ? { kind: 'cancelled' } : { kind: 'exited', exitCode: end.exitCode },
  );
  // Tasks are VS Code's: they do not end with Duplex.
  return { ended, cancel: () => running.terminate(), dispose: () => undefined };
}

/**
 * Only tasks that somebody wrote down: the ones that VS Code finds in package.json are the script itself, with less to see.
 * Looked for only where there is a file for them, since asking wakes every extension that provides tasks.
 */
async function findTestTask(): Promise<string | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const written = await Promise.all(folders.map(({ uri }) => exists(path.join(uri.fsPath, '.vscode', 'tasks.json'))));
  if (vscode.workspace.workspaceFile === undefined && !written.includes(true)) {
    return undefined;
  }
  const all = await fetchTasks();
  const tests = all.filter(({ source, group }) => source === 'Workspace' && group?.id === vscode.TaskGroup.Test.id);
  const chosen = tests.find(({ group }) => group?.isDefault === true) ?? (tests.length === 1 ? tests[0] : undefined);
  return chosen?.name;
}

async function exists(file: string): Promise<boolean> {
  return access(file, constants.R_OK).then(
    () => true,
    () => false,
  );
}
