import assert from 'node:assert/strict';
import type * as Launches from '../../../../src/editor/debug/launches.ts';
import type * as TaskDefinitions from '../../../../src/editor/acting/tasks/taskDefinitions.ts';
import type * as WorkspaceTasks from '../../../../src/editor/workspace/workspaceTasks.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';

/** A VS Code with three folders, two of one name, which have a task and a debug configuration of one name. The workspace has more. */
const vscode = `
const folders = ['/a/app', '/b/app', '/web'].map((fsPath) => ({
  name: fsPath.split('/').at(-1),
  uri: { fsPath, toString: () => 'file://' + fsPath },
}));
export class ShellExecution { constructor(commandLine) { this.commandLine = commandLine; } }
export class ProcessExecution {}
export class CustomExecution {}
export const TaskScope = { Workspace: 2 };
export const TaskGroup = { Test: { id: 'test' } };
export const env = { shell: '/bin/sh' };
const task = (scope, name, source = 'Workspace') =>
  ({ name, source, scope, definition: { type: 'shell' }, execution: new ShellExecution('make') });
const ofFolders = [...folders.slice(0, 2).map((folder) => task(folder, 'build')), task(folders[2], 'lint')];
const shared = [task(folders[0], 'all'), task(1, 'all', 'User')];
export const tasks = { fetchTasks: async () => [...ofFolders, ...shared] };
const launch = { name: 'Run', type: 'scripted', request: 'launch', preLaunchTask: 'all' };
const values = (uri) => (uri?.fsPath.endsWith('app') ? [launch] : uri && [{ ...launch, name: 'Web' }, { ...launch, name: 'All' }]);
export const workspace = {
  workspaceFolders: folders,
  getConfiguration: (_, uri) => ({
    get: () => undefined,
    inspect: (name) =>
      name === 'configurations'
        ? { workspaceFolderValue: values(uri ?? _), workspaceValue: [{ ...launch, name: 'All', program: '/all.js' }] }
        : undefined,
  }),
};
workspace.getConfiguration = ((original) => (section, uri) => original(section?.fsPath ? section : undefined, uri))(workspace.getConfiguration);
export const extensions = { all: [{ packageJSON: { contributes: { debuggers: [{ type: 'scripted' }] } } }] };
`;
const program = `
export { createTaskLookUp } from './src/editor/acting/tasks/taskDefinitions.ts';
export { listConfigurations, lookUpLaunch } from './src/editor/debug/launches.ts';
export { tasksOfWorkspace } from './src/editor/workspace/workspaceTasks.ts';`;

describe('What several folders call the same', () => {
  const { signal } = new AbortController();
  const resolveChain = (): Promise<{ steps: []; unknown: [] }> => Promise.resolve({ steps: [], unknown: [] });
  let editor: typeof TaskDefinitions & typeof Launches & typeof WorkspaceTasks;

  before(async () => {
    editor = await importWithFakes(program, { vscode });
  });

  it('is a task that is listed and found with its folder, which the person is shown, or without one if it has none', async () => {
    const listed = (await editor.tasksOfWorkspace(signal)).map(({ name }) => name);
    assert.deepEqual(listed, ['app/build', 'app~2/build', 'lint', 'app/all', 'all']);
    const lookUp = editor.createTaskLookUp(resolveChain);
    const found = await Promise.all(listed.map(async (name) => (await lookUp(name)).found));
    assert.deepEqual(
      found.map(({ name, cwd, definition }) => [name, cwd, (JSON.parse(definition) as { folder?: string }).folder]),
      [
        ['app/build', '/a/app', '/a/app'],
        ['app~2/build', '/b/app', '/b/app'],
        ['lint', '/web', '/web'],
        ['app/all', '/a/app', '/a/app'],
        ['all', '/a/app', undefined],
      ],
    );
    await assert.rejects(lookUp('build'), { message: /"app\/Workspace: build", "app~2\/Workspace: build"/ });
    const { found: full } = await lookUp('app~2/Workspace: build');
    assert.equal(full.cwd, '/b/app');
    const { found: inFolder } = await lookUp('build', '/a/app');
    assert.deepEqual([inFolder.name, inFolder.cwd, inFolder.folder], ['build', '/a/app', '/a/app']);
  });

  const find = (name: string): ReturnType<typeof Launches.lookUpLaunch> =>
    editor.lookUpLaunch({ kind: 'configuration', name }, editor.createTaskLookUp(resolveChain), resolveChain);

  it('is run before a debug configuration as its own folder has it, else as the workspace has it', async () => {
    const plans = await Promise.all(['app/Run', 'web/All', 'All'].map(find));
    assert.deepEqual(
      plans.map(({ plan }) => plan.before?.plan.task.source),
      ['Workspace', 'User', 'User'],
    );
  });

  it('is a debug configuration that is listed and found with its folder, or without one if it has none', async () => {
    const listed = editor.listConfigurations().map(({ name }) => name);
    assert.deepEqual(listed, ['app/Run', 'app~2/Run', 'Web', 'web/All', 'All']);
    const found = await Promise.all(listed.map(find));
    assert.deepEqual(
      found.map(({ found: { name }, plan }) => [name, plan.configuration.name, plan.folder?.uri.fsPath]),
      [
        ['app/Run', 'Run', '/a/app'],
        ['app~2/Run', 'Run', '/b/app'],
        ['Web', 'Web', '/web'],
        ['web/All', 'All', '/web'],
        ['All', 'All', undefined],
      ],
    );
    await assert.rejects(find('Run'), { code: 'debug.ambiguousConfiguration', message: /"app\/Run", "app~2\/Run"/ });
    await assert.rejects(find('web/Run'), { code: 'debug.noConfiguration', message: /"app\/Run", "app~2\/Run", "Web"/ });
  });
});
