import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { AppError, messageOf } from '../../base/errors.ts';
import { readBounded } from '../../platform/readBounded.ts';
import type { ActingPort, FoundTask } from '../../server/seen/ports/actingPort.ts';
import type { TestPlan } from '../../server/seen/ports/testsPort.ts';
import { joinCommand, splitCommand } from '../../testRuns/commandLine.ts';
import { lockfiles, packageTestScript } from '../../testRuns/packageScript.ts';
import { fetchTasks } from '../workspace/taskList.ts';

export interface PlannedRun extends TestPlan {
  readonly launch:
    | { readonly kind: 'program'; readonly program: string; readonly args: readonly string[] }
    /** As it is, in the system's shell. */
    | { readonly kind: 'shell'; readonly commandLine: string; readonly args: readonly string[] }
    | { readonly kind: 'task'; readonly task: FoundTask };
}

export type TaskRunner = Pick<ActingPort, 'findTask' | 'startTask'>;

const largestManifest = 4 * 1024 * 1024;

/** What running the tests means here: the person's command, else the workspace's test task, else the package's test script. */
export async function planTests(filter: string | undefined, command: string, tasks: TaskRunner): Promise<PlannedRun> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
  const [first] = folders;
  if (first === undefined) {
    throw new AppError('tests.nothingToRun', 'No folder is open, so there are no tests to run.');
  }
  if (command.trim() !== '') {
    return planCommand(command.trim(), filter, first);
  }
  const task = await findTestTask();
  if (task !== undefined && filter === undefined) {
    return planTask(await tasks.findTask(task), first);
  }
  for (const folder of folders) {
    const planned = await planScript(folder, filter);
    if (planned !== undefined) {
      return planned;
    }
  }
  if (task !== undefined) {
    throw new AppError('tests.noFilter', `The test task "${task}" takes no filter. Leave the filter out, or set duplex.tests.command.`);
  }
  throw new AppError(
    'tests.nothingToRun',
    'Nothing says how to run the tests here: there is no duplex.tests.command, no test task in tasks.json and no test script in package.json.',
  );
}

function planCommand(command: string, filter: string | undefined, cwd: string): PlannedRun {
  const more = filter === undefined ? [] : [filter];
  const [program, ...args] = splitCommand(command) ?? [];
  const launch: PlannedRun['launch'] =
    program === undefined ? { kind: 'shell', commandLine: command, args: more } : { kind: 'program', program, args: [...args, ...more] };
  return {
    commandLine: [command, ...(filter === undefined ? [] : [joinCommand(more)])].join(' '),
    script: command,
    cwd,
    isFullyKnown: true,
    filter,
    launch,
  };
}

function planTask(task: FoundTask, folder: string): PlannedRun {
  return {
    commandLine: task.commandLine ?? task.name,
    script: task.definition,
    cwd: task.cwd ?? folder,
    isFullyKnown: task.isFullyKnown,
    filter: undefined,
    launch: { kind: 'task', task },
  };
}

async function planScript(folder: string, filter: string | undefined): Promise<PlannedRun | undefined> {
  const manifest = path.join(folder, 'package.json');
  if (!(await exists(manifest))) {
    return undefined;
  }
  const found = await Promise.all(lockfiles.map(async ([file]) => ((await exists(path.join(folder, file))) ? [file] : [])));
  try {
    const text = (await readBounded(manifest, largestManifest))?.toString('utf8');
    const script = text === undefined ? undefined : packageTestScript(text, new Set(found.flat()), filter);
    if (script === undefined) {
      return undefined;
    }
    const { manager, args } = script;
    const commandLine = joinCommand([manager, ...args]);
    return {
      commandLine,
      script: script.script,
      cwd: folder,
      isFullyKnown: true,
      filter,
      launch: { kind: 'program', program: manager, args },
    };
  } catch (error) {
    throw new AppError('tests.badManifest', `package.json could not be read: ${messageOf(error)}`);
  }
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
