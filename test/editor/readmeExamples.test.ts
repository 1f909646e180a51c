import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import { activateDuplex, until, workspacePath } from './support/duplex.ts';

/** The examples of src/host/README.md for tools without the form, run as they stand there. */
describe('An example of the README', () => {
  let access: TestAccess;
  let readme: string;

  before(async () => {
    access = await activateDuplex();
    const { extensionPath = '' } = vscode.extensions.getExtension('duplex-mcp.duplex') ?? {};
    readme = readFileSync(path.join(extensionPath, 'src/host/README.md'), 'utf8');
    const server = await until('the demo server', () => access.servers().find(({ label }) => label === 'demo'));
    // Somebody may have stopped it, and then it is started by a person alone.
    await allowed(Promise.resolve(vscode.commands.executeCommand('duplex.startServer', { server })));
  });
  afterEach(() => assert.deepEqual(access.questions.list(), [], 'no question is left open'));

  /** The block of code that holds these words. */
  const example = (words: string): string => {
    const blocks = [...readme.matchAll(/^ *```\w+\n(.*?)^ *```$/gms)].map(([, code = '']) => code);
    const found = blocks.filter((code) => code.includes(words));
    assert.equal(found.length, 1, `one example has ${words}`);
    return found[0] ?? '';
  };
  /** Whether the server must be started first, and may be, depends on what came before. */
  const allowed = async <T>(running: Promise<T>): Promise<T> => {
    const answer = (): void =>
      access.questions
        .list()
        .forEach(({ askId, detail }) => access.questions.answer({ askId, choice: detail.kind === 'startServer' ? 'allow' : 'allowOnce' }));
    // Not inside the event that tells of the question: whoever asks is still asking.
    const listening = access.questions.onDidChange(() => setImmediate(answer));
    answer();
    try {
      return await running;
    } finally {
      listening.dispose();
    }
  };

  it('binds a tool to a key', async () => {
    const { command, args } = JSON.parse(example('"key":')) as { command: string; args: unknown };
    const result = await allowed(Promise.resolve(vscode.commands.executeCommand<{ isError: boolean }>(command, args)));
    assert.equal(result.isError, false);
    const label = `Run ${(args as { tool: string }).tool}`;
    const tab = await until('the tab with the result', () =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).find((each) => each.label === label),
    );
    await vscode.window.tabGroups.close(tab);
  });

  it('calls a tool from another extension', async () => {
    const code = example('executeCommand');
    const running = runInNewContext(`(async () => { ${code}; return content; })()`, { vscode }) as Promise<unknown>;
    assert.match(JSON.stringify(await allowed(running)), /coffee/);
  });

  it('runs a tool as a task', async () => {
    const task = JSON.parse(example('"label":')) as { label: string };
    mkdirSync(workspacePath('.vscode'), { recursive: true });
    writeFileSync(workspacePath('.vscode', 'tasks.json'), JSON.stringify({ version: '2.0.0', tasks: [task] }));
    try {
      const found = await until('the task', async () =>
        (await vscode.tasks.fetchTasks({ type: 'duplex' })).find(({ name }) => name === task.label),
      );
      const ended = new Promise<number | undefined>((resolve) => {
        const listening = vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
          if (execution.task.name === task.label) {
            listening.dispose();
            resolve(exitCode);
          }
        });
      });
      await vscode.tasks.executeTask(found);
      assert.equal(await allowed(ended), 0);
    } finally {
      rmSync(workspacePath('.vscode', 'tasks.json'));
    }
  });
});
