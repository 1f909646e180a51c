import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import type { Question } from '../../src/contract/questions/questions.ts';
import { startTool, writeFile } from './support/actingCalls.ts';
import { activateDuplex, answerNext, until, workspacePath } from './support/duplex.ts';

/** The oldest VS Code comes from npm without its own extensions' tasks and without the native part of its terminals. */
const isWhole = !vscode.version.startsWith('1.100.');

/** What a permission to run a task covers, with VS Code's own tasks. */
describe('A task in a real editor', function () {
  this.timeout(60_000);
  let access: TestAccess;
  let manifest: string;

  before(async () => {
    access = await activateDuplex();
    await until('the editor itself', () => access.servers().find(({ name, state }) => name === 'editor' && state.kind === 'ready'));
    manifest = await readFile(workspacePath('package.json'), 'utf8');
  });
  after(async () => {
    await writeFile('package.json', manifest);
    await rm(workspacePath('.vscode', 'tasks.json'), { force: true });
  });

  async function configure(tasks: readonly object[], scripts: Readonly<Record<string, string>>, forAll: object = {}): Promise<void> {
    await writeFile('package.json', JSON.stringify({ name: 'demo', scripts }));
    await writeFile('.vscode/tasks.json', JSON.stringify({ version: '2.0.0', ...forAll, tasks }));
    await until('the tasks', async () => {
      const known = (await vscode.tasks.fetchTasks()).map(({ name }) => name);
      return tasks.every((task) => 'label' in task && known.includes(String(task.label))) ? true : undefined;
    });
  }

  /** What is asked about a task that the person then denies. */
  async function questionAbout(name: string): Promise<Question> {
    const result = startTool('run_task', { name });
    const question = await answerNext(access, 'ownAct', 'deny');
    await assert.rejects(result);
    return question;
  }

  const chainOf = ({ detail }: Question): unknown => detail.kind === 'ownAct' && detail.what.kind === 'task' && detail.what.chain;

  interface ShownDefinition {
    readonly before?: readonly { readonly task: string; readonly runs: string; readonly env?: Readonly<Record<string, string>> }[];
    readonly tasksJson?: object;
    readonly tasksJsonForAll?: object;
  }
  const definitionOf = ({ detail }: Question): ShownDefinition =>
    detail.kind === 'ownAct' && detail.what.kind === 'task' ? (JSON.parse(detail.what.definition) as ShownDefinition) : {};

  it('is asked about with the scripts that it and the tasks before it run', async () => {
    const tasks = [
      { label: 'tidy first', type: 'shell', command: 'npm', args: ['run', 'tidy'] },
      { label: 'by process', type: 'process', command: 'npm', args: ['run', 'pack up'], dependsOn: 'tidy first' },
      { label: 'all', type: 'shell', command: 'npm test', dependsOn: ['by process', ...(isWhole ? ['npm: lint'] : [])] },
      { label: 'only others', dependsOn: ['tidy first', 'by process'] },
    ];
    const scripts = {
      pretidy: 'echo before',
      tidy: 'echo tidy',
      'pack up': 'npm run deeper',
      deeper: 'echo deep',
      lint: 'eslint',
      test: 'node --test',
    };
    await configure(tasks, scripts);
    if (isWhole) {
      await until('the tasks of npm', async () =>
        (await vscode.tasks.fetchTasks({ type: 'npm' })).some(({ name }) => name === 'lint') ? true : undefined,
      );
    }
    const steps = (...names: (keyof typeof scripts)[]): readonly object[] =>
      names.map((name) => ({ name: `scripts.${name}`, text: scripts[name] }));
    const all = await questionAbout('all');
    const found = isWhole ? (['lint'] as const) : [];
    assert.deepEqual(chainOf(all), { steps: steps('pretidy', 'tidy', 'pack up', 'deeper', ...found, 'test'), unknown: [] });
    assert.deepEqual(all.choices, ['deny', 'allowOnce', 'allowSession']);
    const others = await questionAbout('only others');
    assert.deepEqual(chainOf(others), { steps: steps('pretidy', 'tidy', 'pack up', 'deeper'), unknown: [] });
  });

  it('is allowed once only where a part of it cannot be known', async () => {
    const tasks = [
      { label: 'one of many', type: 'shell', command: 'npm run ${input:which}' },
      { label: 'needs nobody', type: 'shell', command: 'echo', dependsOn: ['nobody knows'] },
      { label: 'open', type: 'shell', command: 'npm run $WHICH' },
    ];
    await configure(tasks, { test: 'node --test' });
    for (const { label } of tasks) {
      const question = await questionAbout(label);
      assert.deepEqual(question.choices, ['deny', 'allowOnce'], label);
      assert.notDeepEqual((chainOf(question) as { readonly unknown: readonly string[] }).unknown, [], label);
    }
  });

  it('is allowed once only, with all that may be its entry, where another entry has its name for an identifier', async () => {
    const tasks = [
      { label: 'decoy', identifier: 'checked', type: 'shell', command: 'echo decoy' },
      { label: 'evil', type: 'shell', command: 'npm run evil' },
      { label: 'checked', type: 'shell', command: 'npm test', dependsOn: ['evil'] },
    ];
    await configure(tasks, { test: 'node --test', evil: 'touch evil.txt' });
    const question = await questionAbout('checked');
    assert.deepEqual(chainOf(question), {
      steps: [
        { name: 'scripts.evil', text: 'touch evil.txt' },
        { name: 'scripts.test', text: 'node --test' },
      ],
      unknown: ['checked'],
    });
    assert.deepEqual(question.choices, ['deny', 'allowOnce']);
    assert.deepEqual(Object.keys(definitionOf(question).tasksJson ?? {}), ['checked', 'checked (2)', 'evil']);
  });

  it('is asked about with what tasks.json says for all tasks, and with how the tasks before it run', async () => {
    const options = { env: { NODE_OPTIONS: '--require ./first.js' } };
    const own = { cwd: '${workspaceFolder}', env: { OWN: 'one' } };
    const tasks = [
      { label: 'early', type: 'shell', command: 'echo early', options: own },
      { label: 'late', type: 'shell', command: 'echo late', dependsOn: ['early'] },
    ];
    await configure(tasks, {}, { options, linux: { options: { shell: { executable: '/bin/sh' } } } });
    const shown = definitionOf(
      await until('the settings', async () => {
        const question = await questionAbout('late');
        return definitionOf(question).tasksJsonForAll === undefined ? undefined : question;
      }),
    );
    assert.deepEqual(shown.tasksJsonForAll, { options, linux: { options: { shell: { executable: '/bin/sh' } } } });
    assert.deepEqual(
      shown.before?.map(({ task, runs, env }) => [task, runs, env?.['OWN']]),
      [['Workspace: early', 'echo early', 'one']],
    );
  });

  it('that was allowed for the session is asked again when a script behind its dependsOn changes, and runs what was shown', async function () {
    if (!isWhole) {
      this.skip();
    }
    const tasks = [
      { label: 'prepare', type: 'shell', command: 'npm run prepare-it', problemMatcher: [] },
      { label: 'do it', type: 'shell', command: 'echo done', dependsOn: ['prepare'], problemMatcher: [] },
    ];
    await configure(tasks, { 'prepare-it': 'echo prepared' });
    const first = startTool('run_task', { name: 'do it' });
    await answerNext(access, 'ownAct', 'allowSession');
    assert.equal((await first).structuredContent?.['exitCode'], 0);
    assert.equal((await startTool('run_task', { name: 'do it' })).structuredContent?.['exitCode'], 0);
    await configure(tasks, { 'prepare-it': 'touch evil.txt' });
    const { why, differences } = await questionAbout('do it');
    assert.deepEqual(
      [why, differences],
      ['changed', [{ field: 'runs.scripts.prepare-it', before: 'echo prepared', after: 'touch evil.txt' }]],
    );
    const swapped = startTool('run_task', { name: 'do it' });
    await until('the question', () => access.questions.list().find(({ detail }) => detail.kind === 'ownAct'));
    await configure(tasks, { 'prepare-it': 'touch worse.txt' });
    await answerNext(access, 'ownAct', 'allowOnce');
    assert.match(JSON.stringify(await swapped), /is defined differently by now/);
    for (const name of ['evil.txt', 'worse.txt']) {
      await assert.rejects(readFile(workspacePath(name)));
    }
  });
});
