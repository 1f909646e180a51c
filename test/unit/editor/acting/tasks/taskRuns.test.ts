import assert from 'node:assert/strict';
import type * as TaskRuns from '../../../../../src/editor/acting/tasks/taskRuns.ts';
import type { LookedUpTask } from '../../../../../src/editor/acting/tasks/taskDefinitions.ts';
import { importWithFakes } from '../../../../support/build/importWithFakes.ts';

/** A VS Code that forgets the first order to end a task, as it does while it still shows the task's terminal. */
const vscode = `
const nothing = { dispose() {} };
let ended = () => undefined;
export const orders = [];
export const starting = { during: () => undefined };
const execution = {
  terminate() {
    orders.push('end');
    if (orders.filter((order) => order === 'end').length > 1) {
      ended({ execution, exitCode: undefined });
    }
  },
};
export const tasks = {
  onDidStartTaskProcess: () => nothing,
  onDidEndTask: () => nothing,
  onDidEndTaskProcess: (listener) => ((ended = listener), nothing),
  executeTask: async () => {
    orders.push('start');
    starting.during();
    return execution;
  },
};
export const window = { onDidStartTerminalShellExecution: () => nothing };
export const TaskScope = { Workspace: 2 };
export class Task {}
`;
const program = "export { startTask } from './src/editor/acting/tasks/taskRuns.ts'; export { orders, starting } from 'vscode';";

interface Fake {
  readonly orders: readonly string[];
  readonly starting: { during: () => void };
}

const looked = {
  plan: { task: { name: 'build', execution: {} }, before: [], isInOrder: false, isEditorsOwn: false },
  found: { name: 'build', definition: '{}', chain: { steps: [], unknown: [] }, isTest: false },
} as unknown as LookedUpTask;

describe('A task that is told to end', () => {
  let startTask: (typeof TaskRuns)['startTask'];
  let fake: Fake;

  beforeEach(async () => {
    const imported = await importWithFakes<typeof TaskRuns & Fake>(program, { vscode });
    [startTask, fake] = [imported.startTask, imported];
  });

  it('is told again while it runs on, because VS Code forgets it while it shows the terminal of the task', async () => {
    const run = await startTask(
      looked.found,
      () => Promise.resolve(looked),
      () => undefined,
    );
    run.terminate();
    assert.equal((await run.ended).wasTerminated, true);
    assert.deepEqual(fake.orders, ['start', 'end', 'end']);
  });

  it('is not started when that comes while it is looked up', async () => {
    const cancelled = new AbortController();
    const lookUp = (): Promise<LookedUpTask> => {
      cancelled.abort();
      return Promise.resolve(looked);
    };
    await assert.rejects(
      startTask(looked.found, lookUp, () => undefined, cancelled.signal),
      { name: 'AbortError' },
    );
    assert.deepEqual(fake.orders, []);
  });

  it('is ended when that comes while VS Code starts it', async () => {
    const cancelled = new AbortController();
    fake.starting.during = () => cancelled.abort();
    const started = startTask(
      looked.found,
      () => Promise.resolve(looked),
      () => undefined,
      cancelled.signal,
    );
    await assert.rejects(started, { name: 'AbortError' });
    assert.deepEqual(fake.orders, ['start', 'end']);
  });
});
