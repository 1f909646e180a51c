import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type * as EditorDebugModule from '../../../../src/editor/debug/editorDebug.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';

/** A VS Code with one configuration and one task. It starts either when the test says so. */
const editor = `
const nothing = { dispose() {} };
const event = () => nothing;
export const state = { done: [], configuration: undefined, makeSession: undefined, startTask: undefined, endTask: undefined, startOwn: undefined, tracker: undefined };
let [follow, didTerminate, didEndTask] = [];
const folder = { index: 0, name: 'w', uri: { scheme: 'file', fsPath: '/w', path: '/w', toString: () => 'file:///w' } };
export class ProcessExecution { process = 'sleep'; args = ['600']; }
export class ShellExecution {}
export class Task {}
const task = { name: 'wait', source: 'own', definition: { type: 'own' }, scope: folder, execution: new ProcessExecution() };
state.endTask = () => didEndTask({ execution, exitCode: 0 });
state.startOwn = () => follow({ id: 'own', name: state.configuration.name, configuration: state.configuration });
const execution = { terminate: () => { state.done.push('end task'); didEndTask({ execution, exitCode: undefined }); } };
export const debug = {
  breakpoints: [],
  registerDebugAdapterTrackerFactory: (_type, factory) => ((follow = (session) => factory.createDebugAdapterTracker(session)), nothing),
  onDidStartDebugSession: event,
  onDidTerminateDebugSession: (listener) => ((didTerminate = listener), nothing),
  startDebugging: (_folder, configuration) => new Promise((resolve) => {
    state.done.push('start debugging');
    state.makeSession = () => { state.tracker = follow({ id: 's1', name: configuration.name, configuration }); resolve(true); };
  }),
  stopDebugging: async (session) => { state.done.push('stop ' + session.id); didTerminate(session); },
};
export const tasks = {
  fetchTasks: async () => [task],
  executeTask: () => new Promise((resolve) => { state.startTask = () => resolve(execution); }),
  onDidStartTaskProcess: event, onDidEndTask: event,
  onDidEndTaskProcess: (listener) => ((didEndTask = listener), nothing),
};
export const workspace = {
  workspaceFolders: [folder],
  getConfiguration: () => ({ get: (name) => (name === 'configurations' ? [state.configuration] : undefined), inspect: () => undefined }),
};
export const extensions = { onDidChange: event, all: [{ packageJSON: { contributes: { debuggers: [{ type: 'scripted' }] } } }] };
export const window = { onDidStartTerminalShellExecution: event };
export const [env, TaskScope, TaskGroup] = [{ shell: '/bin/sh' }, { Workspace: 2 }, { Test: { id: 'test' } }];`;

interface Fake {
  readonly state: {
    readonly done: readonly string[];
    configuration: Partial<vscode.DebugConfiguration> | undefined;
    readonly makeSession: (() => void) | undefined;
    readonly startTask: (() => void) | undefined;
    readonly endTask: () => void;
    /** The person starts the same configuration. */
    readonly startOwn: () => void;
    /** Follows the session that was made. */
    readonly tracker: vscode.DebugAdapterTracker | undefined;
  };
}

const program = "export { createEditorDebug } from './src/editor/debug/editorDebug.ts'; export { state } from 'vscode';";

describe('A program that VS Code has not started yet', () => {
  const { signal } = new AbortController();
  const configuration = { name: 'app', type: 'scripted', request: 'launch' };
  let state: Fake['state'];
  let debug: ReturnType<typeof EditorDebugModule.createEditorDebug>;

  beforeEach(async () => {
    const fake = await importWithFakes<typeof EditorDebugModule & Fake>(program, { vscode: editor });
    state = fake.state;
    debug = fake.createEditorDebug(() => Promise.resolve({ steps: [], unknown: [] }));
  });
  afterEach(() => debug.dispose());

  /** Starts it, and waits until VS Code is asked to start something. */
  async function start(isAsked: () => boolean): Promise<string> {
    const found = await debug.findLaunch({ kind: 'configuration', name: 'app' });
    const { sessionId } = await debug.start('client', found, { waitMs: 0 }, signal);
    while (!isAsked()) {
      await new Promise(setImmediate);
    }
    return sessionId;
  }

  async function startAndStop(isAsked: () => boolean): Promise<void> {
    const sessionId = await start(isAsked);
    const { state: told, reason } = await debug.step('client', { sessionId, action: 'stop' }, { waitMs: 0 }, signal);
    assert.deepEqual([told, reason], ['ended', 'It was stopped before it began.']);
  }

  async function listed(): Promise<unknown[]> {
    return (await debug.list('client')).sessions.map((each) => [each.state, each.isYours]);
  }

  it('is stopped as soon as VS Code has made its session', async () => {
    state.configuration = configuration;
    await startAndStop(() => state.makeSession !== undefined);
    state.makeSession?.();
    assert.deepEqual(state.done, ['start debugging', 'stop s1']);
    const { sessions } = await debug.list('client');
    assert.deepEqual(
      sessions.map((each) => each.state),
      ['ended', 'ended'],
    );
  });

  it('is not started at all when its call was cancelled before', async () => {
    state.configuration = configuration;
    const found = await debug.findLaunch({ kind: 'configuration', name: 'app' });
    const cancelled = new AbortController();
    const starting = debug.start('client', found, { waitMs: 0 }, cancelled.signal);
    cancelled.abort();
    await assert.rejects(starting, { name: 'AbortError' });
    assert.deepEqual(state.done, []);
  });

  it('leaves no task behind that was to run before it', async () => {
    state.configuration = { ...configuration, preLaunchTask: 'wait' };
    await startAndStop(() => state.startTask !== undefined);
    state.startTask?.();
    while (state.done.length === 0) {
      await new Promise(setImmediate);
    }
    assert.deepEqual(state.done, ['end task']);
  });

  it('leaves the session alone that the person starts while the task before it ends', async () => {
    state.configuration = { ...configuration, preLaunchTask: 'wait' };
    await startAndStop(() => state.startTask !== undefined);
    state.startOwn();
    assert.deepEqual(state.done, []);
    assert.deepEqual(await listed(), [
      ['ended', true],
      ['running', false],
    ]);
    state.startTask?.();
  });

  it('is not the session that the person starts while the task before it runs', async () => {
    state.configuration = { ...configuration, preLaunchTask: 'wait' };
    await start(() => state.startTask !== undefined);
    state.startOwn();
    state.startTask?.();
    await new Promise(setImmediate);
    state.endTask();
    while (state.makeSession === undefined) {
      await new Promise(setImmediate);
    }
    state.makeSession();
    assert.deepEqual(await listed(), [
      ['running', true],
      ['running', false],
    ]);
    debug.endOwners((owner) => owner === 'client');
    await new Promise(setImmediate);
    assert.deepEqual(state.done, ['start debugging', 'stop s1']);
  });

  it('tells, once it runs, what it wrote with all before it, and where that begins of which this client was not told', async () => {
    state.configuration = configuration;
    const sessionId = await start(() => state.makeSession !== undefined);
    state.makeSession?.();
    const outputs: unknown[] = [];
    for (const output of ['one\n', 'two\n', '']) {
      state.tracker?.onDidSendMessage?.({ type: 'event', event: 'output', body: { output } });
      outputs.push(...(await debug.step('client', { sessionId, action: 'continue' }, { waitMs: 0 }, signal)).output);
    }
    assert.deepEqual(outputs, [
      { kept: 'one\n', newFrom: 0 },
      { kept: 'one\ntwo\n', newFrom: 4 },
      { kept: 'one\ntwo\n', newFrom: 8 },
    ]);
  });
});
