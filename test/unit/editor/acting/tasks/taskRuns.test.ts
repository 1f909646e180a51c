import assert from 'node:assert/strict';
import type * as TaskRuns from '../../../../../src/editor/acting/tasks/taskRuns.ts';
import type { LookedUpTask } from '../../../../../src/editor/acting/tasks/taskDefinitions.ts';
import { importWithFakes } from '../../../../support/build/importWithFakes.ts';

/** A VS Code that forgets the first order to end a task, as it does while it still shows the task's terminal. */
const vscode = `
const nothing = { dispose() {} };
let ended = () => undefined;
export const orders = [];
const execution = {
  terminate() {
    orders.push('end');
    if (orders.length > 1) {
      ended({ execution, exitCode: undefined });
    }
  },
};
export const tasks = {
  onDidStartTaskProcess: () => nothing,
  onDidEndTask: () => nothing,
  onDidEndTaskProcess: (listener) => ((ended = listener), nothing),
  executeTask: async () => execution,
};
export const window = { onDidStartTerminalShellExecution: () => nothing };
export const TaskScope = { Workspace: 2 };
export class Task {}
`;
const program = "export { startTask } from './src/editor/acting/tasks/taskRuns.ts'; export { orders } from 'vscode';";

describe('A task that is told to end', () => {
  it('is told again while it runs on, because VS Code forgets it while it shows the terminal of the task', async () => {
    const { startTask, orders } = await importWithFakes<typeof TaskRuns & { readonly orders: readonly string[] }>(program, { vscode });
    const looked = {
      plan: { task: { name: 'build', execution: {} }, before: [], isInOrder: false, isEditorsOwn: false },
      found: { name: 'build', definition: '{}', chain: { steps: [], unknown: [] }, isTest: false },
    } as unknown as LookedUpTask;
    const run = await startTask(
      looked.found,
      () => Promise.resolve(looked),
      () => undefined,
    );
    run.terminate();
    assert.equal((await run.ended).wasTerminated, true);
    assert.deepEqual(orders, ['end', 'end']);
  });
});
