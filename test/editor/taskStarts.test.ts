import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import { createTaskLookUp, type LookUpTask } from '../../src/editor/acting/tasks/taskDefinitions.ts';
import { startTask } from '../../src/editor/acting/tasks/taskRuns.ts';
import { resolveChain } from '../../src/testRuns/chain/runChain.ts';
import { writeFile } from './support/actingCalls.ts';
import { until, workspacePath } from './support/duplex.ts';

/** The oldest VS Code comes from npm without the native part of its terminals. */
const hasTerminals = !vscode.version.startsWith('1.100.');

describe('The start of a task in a real editor', function () {
  this.timeout(60_000);
  const lookUp = createTaskLookUp(resolveChain);

  before(function () {
    if (!hasTerminals) {
      this.skip();
    }
  });
  afterEach(async () => {
    await Promise.all(['order.txt', 'evil.txt', '.vscode/tasks.json'].map((name) => rm(workspacePath(name), { force: true })));
  });

  const say = (word: string): string => `echo ${word} >> order.txt`;

  /** Writes these tasks, and waits until VS Code has read them. */
  async function configure(tasks: readonly { readonly label: string; readonly command?: string }[]): Promise<void> {
    const whole = tasks.map((task) => ({ type: 'shell', problemMatcher: [], ...task }));
    await writeFile('.vscode/tasks.json', JSON.stringify({ version: '2.0.0', tasks: whole }));
    const lineOf = ({ execution }: vscode.Task): unknown =>
      execution instanceof vscode.ShellExecution && (execution.commandLine ?? execution.command);
    await until('the tasks', async () => {
      const known = await vscode.tasks.fetchTasks();
      const isKnown = tasks.every(({ label, command }) =>
        known.some((task) => task.name === label && (command === undefined || lineOf(task) === command)),
      );
      return isKnown ? true : undefined;
    });
  }

  async function runAndRead(name: string, look: LookUpTask = lookUp): Promise<readonly [number | undefined, string]> {
    const { found } = await lookUp(name);
    const { exitCode } = await (await startTask(found, look, () => undefined)).ended;
    return [exitCode, await readFile(workspacePath('order.txt'), 'utf8').catch(() => '')];
  }

  it('runs what was compared with what the person saw, although tasks.json says something else by then (release)', async () => {
    const tasks = [
      { label: 'early', command: say('early') },
      { label: 'late', command: say('late'), dependsOn: ['early'] },
    ];
    const evil = tasks.map((task) => ({ ...task, command: 'touch evil.txt' }));
    for (const [name, order] of [
      ['early', 'early\n'],
      ['late', 'early\nlate\n'],
    ] as const) {
      await configure(tasks);
      const swapped: LookUpTask = async (wanted) => {
        const looked = await lookUp(wanted);
        await configure(evil);
        return looked;
      };
      assert.deepEqual(await runAndRead(name, swapped), [0, order]);
      await assert.rejects(readFile(workspacePath('evil.txt')));
      await rm(workspacePath('order.txt'));
    }
  });

  it('runs what only VS Code can run by its name, and ends it where tasks.json says something else by then (release)', async () => {
    const problemMatcher = { owner: 'own', pattern: { regexp: '^(.*):(\\d+):(.*)$', file: 1, line: 2, message: 3 } };
    await configure([{ label: 'matched', command: say('matched'), ...{ problemMatcher } }]);
    assert.deepEqual(await runAndRead('matched'), [0, 'matched\n']);
    const { found } = await lookUp('matched');
    let looks = 0;
    const swapped: LookUpTask = async (wanted) => {
      looks += 1;
      const looked = await lookUp(wanted);
      if (looks === 1) {
        await configure([{ label: 'matched', command: 'sleep 60; touch evil.txt', ...{ problemMatcher } }]);
      }
      return looked;
    };
    const ended = new Promise<string>((resolve) => {
      const listening = vscode.tasks.onDidEndTask(({ execution }) => {
        listening.dispose();
        resolve(execution.task.name);
      });
    });
    await assert.rejects(
      startTask(found, swapped, () => undefined),
      { code: 'editor.taskChanged' },
    );
    assert.equal(await ended, 'matched');
    await assert.rejects(readFile(workspacePath('evil.txt')));
  });

  it('runs the tasks before it in their order, each once, and not after one that failed (release)', async () => {
    await configure([
      { label: 'one', command: `sleep 0.3; ${say('one')}` },
      { label: 'two', command: say('two'), ...{ dependsOn: ['one'] } },
      { label: 'both', ...{ dependsOn: ['one', 'two'], dependsOrder: 'sequence' } },
      { label: 'all', command: say('all'), ...{ dependsOn: ['both', 'two'] } },
      { label: 'fails', command: 'exit 3' },
      { label: 'never', command: say('never'), ...{ dependsOn: ['fails'] } },
    ]);
    assert.deepEqual(await runAndRead('all'), [0, 'one\ntwo\nall\n']);
    await rm(workspacePath('order.txt'));
    assert.deepEqual(await runAndRead('never'), [3, '']);
  });

  it('ends with the call that is cancelled, also while a task before it runs', async () => {
    await configure([
      { label: 'long', command: `${say('long')}; sleep 60` },
      { label: 'after', command: say('after'), ...{ dependsOn: ['long'] } },
    ]);
    const { found } = await lookUp('after');
    const running = await startTask(found, lookUp, () => undefined);
    await until('the first task', () => readFile(workspacePath('order.txt')).catch(() => undefined));
    await until('its process', () => vscode.tasks.taskExecutions.find(({ task }) => task.name === 'long'));
    running.terminate();
    assert.equal((await running.ended).wasTerminated, true);
    assert.equal(await readFile(workspacePath('order.txt'), 'utf8'), 'long\n');
  });
});
