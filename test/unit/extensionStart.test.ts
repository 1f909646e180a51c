import assert from 'node:assert/strict';
import { commands, rowCommands } from '../../src/contract/commands.ts';
import { importWithFakes } from '../support/build/importWithFakes.ts';

interface Extension {
  activate(context: object): unknown;
  deactivate(): Promise<void> | undefined;
  readonly vscode: {
    readonly said: string[];
    readonly runs: Map<string, (...args: unknown[]) => Promise<unknown>>;
    readonly files: Map<string, { readFile(uri: unknown): Promise<unknown> }>;
    readonly tasks: Map<string, { resolveTask(task: unknown): Promise<unknown> }>;
  };
}

/** As much of the editor as an activation uses. */
const editor = `
  const noted = (map) => (name, what) => (map.set(name, what), { dispose: () => map.delete(name) });
  const [said, runs, files, taskProviders] = [[], new Map(), new Map(), new Map()];
  const channel = { appendLine() {}, show() {}, dispose() {} };
  export const window = { createOutputChannel: () => channel, showErrorMessage: (text) => (said.push(text), Promise.resolve()) };
  export const commands = { registerCommand: noted(runs) };
  export const workspace = { registerFileSystemProvider: noted(files) };
  export const tasks = { registerTaskProvider: noted(taskProviders) };
  export const l10n = { t: (text) => text };
  export const ExtensionMode = { Production: 1, Test: 3 };
  export const records = { said, runs, files, tasks: taskProviders };`;

const program = "export * from './src/extension.ts'; export { records as vscode } from 'vscode';";
const fakes = { vscode: editor, './app.ts': 'export const createApp = (context) => context.createApp();' };

describe('The extension, when its window activates it,', function () {
  this.timeout(60_000);
  let extension: Extension;
  let context: { readonly subscriptions: { dispose(): void }[]; readonly extensionMode: number; createApp: () => unknown };

  /** An app whose every part says its name. */
  const app = {
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    dispose: () => undefined,
    logLevel: () => 'info',
    parts: {
      commands: Object.fromEntries(commands.map((name) => [name, () => name])),
      resources: () => Promise.resolve({ readFile: () => 'a resource', onDidChangeFile: () => ({ dispose: () => undefined }) }),
      toolTasks: () => Promise.resolve({ resolveTask: () => 'a task' }),
    },
  };

  beforeEach(async () => {
    extension = await importWithFakes<Extension>(program, fakes);
    context = { subscriptions: [], extensionMode: 1, createApp: () => app };
  });
  afterEach(() => context.subscriptions.forEach((each) => each.dispose()));

  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const run = (id: string): Promise<unknown> => extension.vscode.runs.get(id)?.() ?? Promise.reject(new Error('no such command'));

  it('has its commands, tasks and files there at once, and makes the app after that', async () => {
    let apps = 0;
    context.createApp = () => {
      apps += 1;
      return app;
    };
    assert.equal(extension.activate(context), undefined, 'it has no API');
    const { runs, files, tasks } = extension.vscode;
    assert.deepEqual(
      [[...runs.keys()], [...files.keys()], [...tasks.keys()]],
      [[...commands.map((name) => `duplex.${name}`), ...rowCommands.map((name) => `duplex.${name}.here`)], ['duplex-resource'], ['duplex']],
    );
    for (let step = 0; step < 50; step += 1) {
      await Promise.resolve(); // all that can be done before others have their turn
    }
    assert.equal(apps, 0);
    await turn();
    await turn();
    assert.equal(apps, 1);
    await extension.deactivate();
  });

  it('lets what is used before the app is there wait for it', async () => {
    let goOn = (): void => undefined;
    context.createApp = () => ({ ...app, start: () => new Promise<void>((resolve) => (goOn = resolve)) });
    extension.activate(context);
    let isDone = false;
    const used = Promise.all([
      run('duplex.doctor'),
      extension.vscode.files.get('duplex-resource')?.readFile({}),
      extension.vscode.tasks.get('duplex')?.resolveTask({}),
    ]).finally(() => (isDone = true));
    await turn();
    await turn();
    assert.equal(isDone, false);
    goOn();
    assert.deepEqual(await used, ['doctor', 'a resource', 'a task']);
    await extension.deactivate();
  });

  it('tells the person why the app could not be made, and makes it when a command is used', async () => {
    context.createApp = () => {
      throw new Error('the disk was away');
    };
    extension.activate(context);
    await turn();
    await turn();
    assert.deepEqual(extension.vscode.said, ['the disk was away']);
    context.createApp = () => app;
    assert.equal(await run('duplex.doctor'), 'doctor');
    await extension.deactivate();
  });

  it('tells only once why the app could not be made, whoever waited for it, and again when it still cannot', async () => {
    const failure = new Error('the disk was away');
    context.createApp = () => {
      throw failure;
    };
    extension.activate(context);
    await Promise.all([run('duplex.doctor'), run('duplex.openChat')]);
    await turn();
    await turn();
    assert.deepEqual(extension.vscode.said, ['the disk was away']);
    await run('duplex.doctor');
    assert.deepEqual(extension.vscode.said, ['the disk was away', 'the disk was away']);
    await extension.deactivate();
  });
});
