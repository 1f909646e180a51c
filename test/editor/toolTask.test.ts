import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import type { Question } from '../../src/contract/questions/questions.ts';
import { ToolTerminal, type RunInTerminal } from '../../src/views/runner/toolTasks.ts';
import { activateDuplex, answerNext, until, workspacePath } from './support/duplex.ts';

const folders = { type: 'duplex', server: 'editor', tool: 'list_workspace_folders' };
const tasks = [
  { ...folders, label: 'folders', arguments: {} },
  { ...folders, label: 'at opening', runOptions: { runOn: 'folderOpen' } },
  { ...folders, label: 'needed at opening', tool: 'list_open_editors' },
  { label: 'early', dependsOn: ['needed at opening'], runOptions: { runOn: 'folderOpen' } },
  { ...folders, label: 'wrong arguments', tool: 'get_diagnostics', arguments: { severity: 'nonsense' } },
  { ...folders, label: 'nobody', server: 'nobody' },
  { ...folders, label: 'nameless', tool: '' },
];

describe('A task of the type duplex', () => {
  let access: TestAccess;

  before(async () => {
    access = await activateDuplex();
    await until('the editor itself', () => access.servers().find(({ name, state }) => name === 'editor' && state.kind === 'ready'));
    // Else VS Code may start the one that starts with its folder, because the file is new.
    await automatic('off');
    mkdirSync(workspacePath('.vscode'), { recursive: true });
    writeFileSync(workspacePath('.vscode', 'tasks.json'), JSON.stringify({ version: '2.0.0', tasks }));
  });
  after(async () => {
    rmSync(workspacePath('.vscode', 'tasks.json'));
    await automatic(undefined);
  });
  afterEach(() => assert.deepEqual(access.questions.list(), [], 'no question is left open'));

  const automatic = async (value: string | undefined): Promise<void> => {
    await vscode.workspace.getConfiguration('task').update('allowAutomaticTasks', value, vscode.ConfigurationTarget.Global);
  };
  const find = (label: string): Promise<vscode.Task> =>
    until(`the task ${label}`, async () => (await vscode.tasks.fetchTasks({ type: 'duplex' })).find(({ name }) => name === label));
  const run = async (
    label: string,
  ): Promise<{ readonly execution: vscode.TaskExecution; readonly exitCode: Promise<number | undefined> }> => {
    const task = await find(label);
    const exitCode = new Promise<number | undefined>((resolve) => {
      const listening = vscode.tasks.onDidEndTaskProcess(({ execution, exitCode: code }) => {
        if (execution.task.name === label) {
          listening.dispose();
          resolve(code);
        }
      });
    });
    return { execution: await vscode.tasks.executeTask(task), exitCode };
  };
  const askerOf = ({ detail, takesFocus }: Question): unknown => [detail.kind === 'callTool' && detail.asker, takesFocus];

  it('asks in its own name, with the focus, and ends with 0 when the tool succeeds', async () => {
    const { exitCode } = await run('folders');
    const question = await answerNext(access, 'callTool', 'allowOnce');
    assert.deepEqual(askerOf(question), [{ kind: 'task', name: 'folders' }, true]);
    assert.equal(await exitCode, 0);
  });

  it('takes no focus when it is one that starts with its folder, by itself or for another', async () => {
    for (const name of ['at opening', 'needed at opening']) {
      const { exitCode } = await run(name);
      const question = await answerNext(access, 'callTool', 'deny');
      assert.deepEqual(askerOf(question), [{ kind: 'task', name }, undefined]);
      assert.equal(await exitCode, 1);
    }
  });

  it('does not use what was allowed to others, nor they what was allowed to it', async () => {
    const { exitCode } = await run('folders');
    await answerNext(access, 'callTool', 'allowSession');
    assert.equal(await exitCode, 0);
    assert.equal(await (await run('folders')).exitCode, 0, 'not asked again');
    const byCommand = vscode.commands.executeCommand('duplex.runTool', { ...folders, arguments: {} });
    const refused = assert.rejects(Promise.resolve(byCommand), /was not allowed/);
    const question = await answerNext(access, 'callTool', 'deny');
    assert.deepEqual(askerOf(question), [{ kind: 'command' }, undefined]);
    await refused;
  });

  it('ends with 1 when the tool reports an error', async () => {
    const { exitCode } = await run('wrong arguments');
    await answerNext(access, 'callTool', 'allowOnce');
    assert.equal(await exitCode, 1);
  });

  it('ends with 1 and asks nothing when there is no such server, or its definition is not one', async () => {
    for (const label of ['nobody', 'nameless']) {
      assert.equal(await (await run(label)).exitCode, 1, label);
    }
  });

  it('withdraws its question when it is ended', async () => {
    const { execution } = await run('wrong arguments');
    await until('the question', () => access.questions.list()[0]);
    execution.terminate();
    await until('the end of the question', () => (access.questions.list().length === 0 ? true : undefined));
  });

  describe('writes into its terminal', () => {
    const written = async (work: RunInTerminal, act: (terminal: ToolTerminal) => void = () => undefined): Promise<unknown> => {
      const terminal = new ToolTerminal('Running', work);
      const lines: string[] = [];
      terminal.onDidWrite((text) => lines.push(text));
      const ended = new Promise<number>((resolve) => void terminal.onDidClose(resolve));
      terminal.open();
      act(terminal);
      return { exitCode: await ended, lines };
    };

    it('progress and result, with no escape sequence of the server', async () => {
      const result = { isError: false, content: [{ type: 'text', text: 'done\u001b[2J' }] };
      const work: RunInTerminal = (_signal, onProgress) => {
        onProgress({ value: 1, total: 3, message: 'one\u001b[1m' });
        return Promise.resolve(result as Awaited<ReturnType<RunInTerminal>>);
      };
      const lines = ['Running\r\n', '1 / 3 one⟨U+001B⟩[1m\r\n', 'done⟨U+001B⟩[2J\r\n'];
      assert.deepEqual(await written(work), { exitCode: 0, lines });
    });

    it('that it was cancelled, when Ctrl+C is pressed', async () => {
      const work: RunInTerminal = (signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
      assert.deepEqual(await written(work, (terminal) => terminal.handleInput('\u0003')), {
        exitCode: 1,
        lines: ['Running\r\n', 'The tool was cancelled.\r\n'],
      });
    });
  });
});
