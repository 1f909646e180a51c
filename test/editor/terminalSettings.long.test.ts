import assert from 'node:assert/strict';
import { access as reach, chmod, rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import type { Question } from '../../src/contract/questions/questions.ts';
import { startTool, writeFile } from './support/actingCalls.ts';
import { activateDuplex, answerNext, until, workspacePath } from './support/duplex.ts';

/** The oldest VS Code comes from npm without the native part of its terminals. */
const hasTerminals = !vscode.version.startsWith('1.100.');
const system = process.platform === 'win32' ? 'windows' : process.platform === 'darwin' ? 'osx' : 'linux';

/** What a permission to run covers of the terminal that it runs in. */
describe('The terminal of a task in a real editor', function () {
  this.timeout(60_000);
  let access: TestAccess;

  before(async function () {
    if (!hasTerminals) {
      this.skip();
    }
    access = await activateDuplex();
    await until('the editor itself', () => access.servers().find(({ name, state }) => name === 'editor' && state.kind === 'ready'));
    const tasks = [
      { label: 'say done', type: 'shell', command: 'echo done', problemMatcher: [] },
      { label: 'own shell', type: 'shell', command: 'echo own', options: { shell: { executable: '/bin/sh', args: ['-c'] } } },
      { label: 'own variable', type: 'process', command: 'echo', args: ['own'], options: { env: { BASH_ENV: './evil.sh' } } },
    ];
    await writeFile('.vscode/tasks.json', JSON.stringify({ version: '2.0.0', tasks }));
    await until('the tasks', async () => (await vscode.tasks.fetchTasks()).find(({ name }) => name === 'own variable'));
    await writeFile('evil.sh', `#!/bin/sh\ntouch "${workspacePath('evil.txt')}"\n`);
    await chmod(workspacePath('evil.sh'), 0o755);
  });
  afterEach(() => setWorkspace({}));
  after(async () => {
    await Promise.all(['tasks.json', 'settings.json'].map((name) => rm(workspacePath('.vscode', name), { force: true })));
    await rm(workspacePath('evil.sh'), { force: true });
  });

  /** Writes the settings of the workspace, and waits until VS Code has read them. */
  async function setWorkspace(settings: Readonly<Record<string, unknown>>): Promise<void> {
    await writeFile('.vscode/settings.json', JSON.stringify({ ...settings, 'duplex.testMark': JSON.stringify(settings) }));
    await until('the settings', () =>
      vscode.workspace.getConfiguration().get('duplex.testMark') === JSON.stringify(settings) ? true : undefined,
    );
  }

  async function questionAbout(tool: string, args: object): Promise<Question> {
    const result = startTool(tool, args);
    const question = await answerNext(access, 'ownAct', 'deny');
    await assert.rejects(result);
    return question;
  }

  const shownIn = ({ detail }: Question): string => JSON.stringify(detail.kind === 'ownAct' ? detail.what : undefined);
  const unknownIn = ({ detail }: Question): unknown =>
    detail.kind === 'ownAct' && detail.what.kind === 'task' ? detail.what.chain.unknown : undefined;

  const diversions: readonly (readonly [string, unknown])[] = [
    [`terminal.integrated.automationProfile.${system}`, { path: '${workspaceFolder}/evil.sh' }],
    [`terminal.integrated.env.${system}`, { BASH_ENV: './evil.sh' }],
    [`terminal.integrated.defaultProfile.${system}`, 'other'],
    [`terminal.integrated.profiles.${system}`, { bash: { path: './evil.sh' } }],
  ];

  it('is part of what was allowed for the session: another one that the workspace chooses is asked about, once only', async () => {
    const first = startTool('run_task', { name: 'say done' });
    const asked = await answerNext(access, 'ownAct', 'allowSession');
    assert.match(shownIn(asked), /terminal/);
    assert.equal((await first).structuredContent?.['exitCode'], 0);
    assert.equal((await startTool('run_task', { name: 'say done' })).structuredContent?.['exitCode'], 0, 'the identical one is covered');
    for (const [name, value] of diversions) {
      await setWorkspace({ [name]: value });
      const question = await questionAbout('run_task', { name: 'say done' });
      assert.deepEqual([question.why, question.choices], ['changed', ['deny', 'allowOnce']], name);
      assert.ok((unknownIn(question) as readonly string[]).includes(name), name);
    }
    await assert.rejects(reach(workspacePath('evil.txt')), 'nothing else ran');
  });

  it('is asked about anew where the workspace chooses what another extension runs, and what was shown holds for the session', async () => {
    const run = async (): Promise<Question> => {
      const result = startTool('run_task', { name: 'say done' });
      const question = await answerNext(access, 'ownAct', 'allowSession');
      assert.equal((await result).structuredContent?.['exitCode'], 0);
      return question;
    };
    for (const chosen of ['./one.sh', './other.sh']) {
      await setWorkspace({ 'scripted.compiler': chosen });
      const question = await run();
      assert.ok(shownIn(question).includes(chosen) && question.choices.includes('allowSession'), chosen);
      assert.equal((await startTool('run_task', { name: 'say done' })).structuredContent?.['exitCode'], 0, 'the identical one is covered');
    }
  });

  it('is shown and can be allowed once only where tasks.json chooses its shell or its variables', async () => {
    const shell = await questionAbout('run_task', { name: 'own shell' });
    assert.deepEqual([shell.choices, unknownIn(shell)], [['deny', 'allowOnce'], ['shell /bin/sh -c']]);
    const variable = await questionAbout('run_task', { name: 'own variable' });
    assert.deepEqual([variable.choices, unknownIn(variable)], [['deny', 'allowOnce'], ['env BASH_ENV']]);
  });

  it('is shown with a command, and the command does not run in another one than was shown', async () => {
    const [, [name, value]] = diversions as [unknown, [string, unknown]];
    await setWorkspace({ [name]: value });
    const shown = shownIn(await questionAbout('run_terminal_command', { command: 'echo hello' }));
    assert.match(shown, /BASH_ENV/);
    assert.match(shown, /evil\.sh/);
    await setWorkspace({});
    const swapped = startTool('run_terminal_command', { command: 'echo hello' });
    await until('the question', () => access.questions.list().find(({ detail }) => detail.kind === 'ownAct'));
    await setWorkspace({ [name]: value });
    await answerNext(access, 'ownAct', 'allowOnce');
    assert.match(JSON.stringify(await swapped), /another one than when the person was asked/);
  });
});
