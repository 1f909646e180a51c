// tests/: what testRuns/ needs of the editor and this machine: what says how tests run, processes, and files of reports.
// This file is the port.
import { constants, statSync } from 'node:fs';
import { access } from 'node:fs/promises';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { ActingPort, FoundTask } from '../../server/seen/ports/actingPort.ts';
import type { ChainSources } from '../../testRuns/chain/runChain.ts';
import type { PlaceResolver } from '../../testRuns/recordedRun.ts';
import type { DescribedTask, ProcessPlan, TestGround, TestSources, TestWork } from '../../testRuns/testGround.ts';
import type { RunEnd } from '../../testRuns/testRun.ts';
import type { SettingsReader } from '../settingsReader.ts';
import { toClientPath } from '../shared/clientPlaces.ts';
import { chainSources, fetchTasks } from '../workspace/workspaceTasks.ts';
import { ReportFiles } from './reportFiles.ts';
import { testFiles } from './testFiles.ts';
import { prepareProcess, TestProcess } from './testProcess.ts';

export interface EditorTestGroundOptions {
  readonly settings: Pick<SettingsReader, 'get' | 'onDidChange'>;
  readonly tasks: TaskRunner;
  readonly terminals: TestGround['terminals'];
  /** The PATH of the person's login shell. It is asked for only when something may run, because that starts the shell. */
  readonly loginShellPath: () => Promise<string>;
  readonly log: Log;
}

/** The workspace, its terminals and this machine, as far as running tests needs them. */
export function createEditorTestGround({
  settings,
  tasks,
  terminals,
  loginShellPath,
  log,
}: EditorTestGroundOptions): TestGround & Disposable {
  const reports = new ReportFiles({
    globs: () => settings.get('duplex.tests.reports'),
    onDidChangeGlobs: (listener) => settings.onDidChange((affects) => (affects('duplex.tests.reports') ? listener() : undefined)),
    log,
  });
  return {
    sources: { ...createTestSources(() => settings.get('duplex.tests.command'), tasks), ...testFiles(loginShellPath) },
    reports,
    terminals,
    resolvePlace,
    readyToStart: async () => {
      await loginShellPath();
    },
    startProcess: async (plan: ProcessPlan, onOutput) => new TestProcess(await prepareProcess(plan, await loginShellPath()), onOutput),
    dispose: () => reports.dispose(),
  };
}

type TaskRunner = Pick<ActingPort, 'findTask' | 'startTask'>;

/** What the settings, tasks.json and the folders of the workspace say about tests. */
function createTestSources(command: () => string, tasks: TaskRunner): Pick<TestSources, 'command' | 'findTestTask' | keyof ChainSources> {
  return {
    command,
    findTestTask: async (folder) => {
      const name = await findTestTask(folder);
      // The tasks of a workspace file belong to no folder, also where there is only one.
      const home = (vscode.workspace.workspaceFolders ?? []).length < 2 ? undefined : folder;
      return name === undefined ? undefined : { name, describe: async () => describe(await tasks.findTask(name, home), tasks) };
    },
    ...chainSources,
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
 * The name of the test task that somebody wrote down for the folder, or for the whole workspace, if there is one to choose. Tasks that VS Code finds in package.json do not
 * count: they are the script itself, with less to see. VS Code is asked only where there is a file for tasks, because asking wakes
 * every extension that provides some.
 */
async function findTestTask(folder: string | undefined): Promise<string | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const written = await Promise.all(folders.map(({ uri }) => exists(path.join(uri.fsPath, '.vscode', 'tasks.json'))));
  if (vscode.workspace.workspaceFile === undefined && !written.includes(true)) {
    return undefined;
  }
  const all = await fetchTasks();
  const isHere = ({ scope }: vscode.Task): boolean => (typeof scope === 'object' ? scope.uri.fsPath : undefined) === folder;
  const isAlone = folders.length < 2;
  const tests = all.filter(
    (task) => task.source === 'Workspace' && task.group?.id === vscode.TaskGroup.Test.id && (isAlone || isHere(task)),
  );
  const chosen = tests.find(({ group }) => group?.isDefault === true) ?? (tests.length === 1 ? tests[0] : undefined);
  return chosen?.name;
}

async function exists(file: string): Promise<boolean> {
  return access(file, constants.R_OK).then(
    () => true,
    () => false,
  );
}

/**
 * Finds the workspace file that a report names. Anybody writes reports: a file that is not there, or outside of the workspace, is
 * no place.
 */
const resolvePlace: PlaceResolver = (file, cwd) => {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
  const named = toPath(file);
  if (named === undefined) {
    return undefined;
  }
  const bases = [...(cwd === undefined ? [] : [cwd]), ...folders];
  const candidates = path.isAbsolute(named) ? [path.normalize(named)] : bases.map((base) => path.resolve(base, named));
  const found = candidates.find((candidate) => isInWorkspace(candidate) && isFile(candidate));
  return found === undefined ? undefined : toClientPath(vscode.Uri.file(found));
};

function toPath(file: string): string | undefined {
  if (!file.startsWith('file:')) {
    return file.includes('\0') ? undefined : file;
  }
  try {
    return fileURLToPath(file);
  } catch {
    return undefined;
  }
}

function isInWorkspace(file: string): boolean {
  return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file)) !== undefined;
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
