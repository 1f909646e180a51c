import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import type { DiscoveryFile } from '../../src/contract/bridgeFiles.ts';
import type { Question } from '../../src/contract/questions/questions.ts';
import type { TestRun } from '../../src/testRuns/testRun.ts';
import { activateDuplex, answerNext, discovery, until, workspacePath } from './support/duplex.ts';
import { shellAtPrompt, skipWithoutTerminals } from './support/terminals.ts';

const longWaitMs = 60_000;

/** Says the pids of itself and of a child that ignores polite requests, and goes on for ever. */
const endless = `
const { spawn } = require('node:child_process');
const child = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { detached: true, stdio: 'ignore' });
require('node:fs').writeFileSync('pids.txt', process.pid + ' ' + child.pid);
setInterval(() => {}, 1000);
`;

const report = `<testsuites><testsuite name="till"><testcase name="is free" classname="till">
<failure message="150 is not 100">at test (test/cart.test.js:19:3)</failure></testcase><testcase name="adds up" classname="till"/></testsuite></testsuites>`;

describe('Test runs', function () {
  this.timeout(longWaitMs);
  let access: TestAccess;
  let window: DiscoveryFile;
  const clients: Client[] = [];
  const manifest = (): string => workspacePath('package.json');
  let originalManifest: string;

  before(async () => {
    access = await activateDuplex();
    window = await discovery();
    originalManifest = readFileSync(manifest(), 'utf8');
  });

  afterEach(async () => {
    writeFileSync(manifest(), originalManifest);
    await Promise.all(clients.splice(0).map((client) => client.close()));
  });

  /** A client that the person let in as a runner. */
  async function connect(): Promise<Client> {
    const client = new Client({ name: 'test-runner', version: '1.0.0' });
    clients.push(client);
    const headers = { authorization: `Bearer ${window.token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(window.urls.mcp), { requestInit: { headers } }));
    const first = client.callTool({ name: 'list_workspace_folders', arguments: {} });
    const question = await until('the connect question', () =>
      access.questions.list().find(({ detail }) => detail.kind === 'connectClient'),
    );
    assert.equal(access.questions.answer({ askId: question.askId, choice: 'allowSession', role: 'runner' }), true);
    await first;
    return client;
  }

  async function results(client: Client, args: Record<string, unknown> = {}): Promise<TestRun | undefined> {
    const answer = await client.callTool({ name: 'get_test_results', arguments: args });
    return (answer.structuredContent as { run?: TestRun }).run;
  }

  async function runTests(
    client: Client,
    args: Record<string, unknown> = {},
  ): Promise<{ run: TestRun; note?: string | undefined; question: Question }> {
    const call = client.callTool({ name: 'run_tests', arguments: args }, { timeout: longWaitMs, onprogress: () => undefined });
    const question = await answerNext(access, 'clientAct', 'allowOnce');
    const answer = await call;
    assert.notEqual(answer.isError, true, JSON.stringify(answer.content));
    return { ...(answer.structuredContent as { run: TestRun; note?: string }), question };
  }

  function setTestScript(script: string): void {
    const content = JSON.parse(originalManifest) as { scripts: Record<string, string> };
    writeFileSync(manifest(), JSON.stringify({ ...content, scripts: { test: script } }));
  }

  it('run_tests shows what it would run, and returns the failing test with its file and line; fixed, it is green', async () => {
    const client = await connect();
    const cart = workspacePath('src', 'cart.js');
    const original = readFileSync(cart, 'utf8');
    try {
      const { run, question } = await runTests(client);
      assert.deepEqual(question.detail.kind === 'clientAct' && question.detail.what, {
        kind: 'script',
        commandLine: 'npm test',
        chain: { steps: [{ name: 'scripts.test', text: 'node --test' }], unknown: [] },
        cwd: workspacePath(),
      });
      assert.deepEqual([run.status, run.exitCode, run.counts, run.source], ['failed', 1, { passed: 4, failed: 1, skipped: 0 }, 'runTests']);
      const lines = readFileSync(workspacePath('test', 'cart.test.js'), 'utf8').split('\n');
      const line = lines.findIndex((text) => text.includes("'apple', 3)), 100")) + 1;
      assert.deepEqual(
        run.failures.map((failure) => [failure.path, failure.line]),
        [['test/cart.test.js', line]],
      );
      assert.match(run.failures[0]?.name ?? '', /gives every third piece for free/);
      assert.match(run.failures[0]?.message ?? '', /150 !== 100/);
      writeFileSync(cart, original.replace('count > 3', 'count >= 3'));
      const { run: green } = await runTests(client);
      assert.deepEqual([green.status, green.exitCode, green.counts], ['passed', 0, { passed: 5, failed: 0, skipped: 0 }]);
      assert.equal((await results(client))?.id, green.id);
    } finally {
      writeFileSync(cart, original);
    }
  });

  it('a filter reaches the test runner as one word, and when it matched nothing, that is said', async () => {
    const client = await connect();
    const { run, note, question } = await runTests(client, { filter: 'test/no such; file.js', onlyFailures: true });
    const what = question.detail.kind === 'clientAct' && question.detail.what.kind === 'script' ? question.detail.what.commandLine : '';
    assert.equal(what, String.raw`node --test '--test-name-pattern=^test/no such; file\.js$'`);
    assert.deepEqual([run.command, run.counts?.passed, run.counts?.failed], [what, 0, 0]);
    assert.match(note ?? '', /^No test matched the filter "test\/no such; file\.js"\. It is a path or a whole name as failures have it/);
    const [whole, lean] = [await results(client), await results(client, { onlyFailures: true })];
    assert.deepEqual([run.output, lean?.output, lean?.id, whole?.id], [undefined, undefined, run.id, run.id]);
    assert.match(whole?.output ?? '', /# pass 0|ℹ pass 0/, 'only failures were wanted, and the output is kept');
  });

  it('a cancelled call ends the tests with everything they started (release)', async () => {
    writeFileSync(workspacePath('endless.cjs'), endless);
    setTestScript('node endless.cjs');
    const client = await connect();
    const pidFile = workspacePath('pids.txt');
    try {
      const cancelling = new AbortController();
      const call = client.callTool({ name: 'run_tests', arguments: {} }, { signal: cancelling.signal, timeout: longWaitMs });
      call.catch(() => undefined);
      await answerNext(access, 'clientAct', 'allowOnce');
      const pids = await until('the pids', () => (existsSync(pidFile) ? numbersIn(readFileSync(pidFile, 'utf8')) : undefined));
      assert.equal((await results(client))?.status, 'running');
      cancelling.abort();
      await assert.rejects(call);
      await until('the end of the tree', () => (pids.some(isAlive) ? undefined : true));
      const run = await until('the cancelled run', async () => {
        const latest = await results(client);
        return latest?.status === 'running' ? undefined : latest;
      });
      assert.equal(run.status, 'cancelled');
    } finally {
      rmSync(workspacePath('endless.cjs'), { force: true });
      rmSync(pidFile, { force: true });
    }
  });

  it('what was allowed for the session is asked again when the script changes (release)', async () => {
    setTestScript('node --test --test-name-pattern=prices');
    const client = await connect();
    const call = (): ReturnType<Client['callTool']> =>
      client.callTool({ name: 'run_tests', arguments: {} }, { timeout: longWaitMs, onprogress: () => undefined });
    const first = call();
    await answerNext(access, 'clientAct', 'allowSession');
    await first;
    const asked: Question[] = [];
    const second = await call();
    assert.notEqual(second.isError, true);
    setTestScript('node --test --test-name-pattern=digits');
    const third = call();
    asked.push(await answerNext(access, 'clientAct', 'deny'));
    assert.equal((await third).isError, true);
    const [question] = asked;
    assert.deepEqual(question?.detail.kind === 'clientAct' && question.detail.what.kind === 'script' && question.detail.what.chain.steps, [
      { name: 'scripts.test', text: 'node --test --test-name-pattern=digits' },
    ]);
  });

  it('a run that is not waited for is readable while it runs, and its end is told (release)', async () => {
    setTestScript('node --test');
    const client = await connect();
    const updates: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updates.push(params.uri);
    });
    const { run } = await runTests(client, { wait: false });
    const uri = `tests://runs/${run.id}`;
    await client.subscribeResource({ uri });
    assert.ok((await client.listResources()).resources.some((resource) => resource.uri === uri));
    const ended = await until('the end of the run', async () => {
      const found = await results(client, { runId: run.id });
      return found?.status === 'running' ? undefined : found;
    });
    assert.deepEqual(ended.counts, { passed: 4, failed: 1, skipped: 0 });
    await until('the update', () => (updates.includes(uri) ? true : undefined));
  });

  it('the person’s own command comes before everything else, in a shell when it needs one (release)', async () => {
    const client = await connect();
    const settings = vscode.workspace.getConfiguration();
    await settings.update('duplex.tests.command', 'node --test 2>&1 | cat', vscode.ConfigurationTarget.Workspace);
    try {
      const { run, question } = await runTests(client);
      const what = question.detail.kind === 'clientAct' && question.detail.what;
      assert.deepEqual(what, {
        kind: 'script',
        commandLine: 'node --test 2>&1 | cat',
        chain: { steps: [], unknown: ['node --test 2>&1 | cat'] },
        cwd: workspacePath(),
      });
      assert.deepEqual([run.exitCode, run.status, run.counts?.failed], [0, 'failed', 1], 'what the tests say counts, not the pipe');
    } finally {
      await settings.update('duplex.tests.command', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('a test task of the workspace comes before the package’s script (release)', async function () {
    skipWithoutTerminals(this);
    const client = await connect();
    const tasks = workspacePath('.vscode', 'tasks.json');
    const task = { label: 'try it', type: 'shell', command: 'node --test', group: { kind: 'test', isDefault: true } };
    writeFileSync(tasks, JSON.stringify({ version: '2.0.0', tasks: [task] }));
    try {
      await until('the task', async () => ((await vscode.tasks.fetchTasks()).some(({ name }) => name === 'try it') ? true : undefined));
      const { run, question } = await runTests(client);
      const what = question.detail.kind === 'clientAct' && question.detail.what.kind === 'script' ? question.detail.what : undefined;
      assert.match(what?.definition ?? '', /node --test/);
      assert.deepEqual([run.source, run.status, run.exitCode], ['runTests', 'failed', 1]);
    } finally {
      rmSync(tasks);
      await until('the end of the task', async () =>
        (await vscode.tasks.fetchTasks()).some(({ name }) => name === 'try it') ? undefined : true,
      );
    }
  });

  it('a report file that is written becomes a run; one behind a link out of the workspace does not (release)', async () => {
    const client = await connect();
    const outside = path.join(os.tmpdir(), `duplex-report-${process.pid}.xml`);
    const settings = vscode.workspace.getConfiguration();
    await settings.update('duplex.tests.reports', ['reports/*.xml'], vscode.ConfigurationTarget.Workspace);
    try {
      mkdirSync(workspacePath('reports'));
      writeFileSync(outside, report.replaceAll('is free', 'outside'));
      symlinkSync(outside, workspacePath('reports', 'linked.xml'));
      const run = await until('the run of the report', async () => {
        // Watching begins some time after the setting changed.
        writeFileSync(workspacePath('reports', 'till.xml'), report);
        const latest = await results(client);
        return latest?.source === 'report' ? latest : undefined;
      });
      assert.deepEqual([run.status, run.command, run.counts], ['failed', 'reports/till.xml', { passed: 1, failed: 1, skipped: 0 }]);
      assert.deepEqual(
        run.failures.map(({ name, path: place, line }) => [name, place, line]),
        [['till > is free', 'test/cart.test.js', 19]],
      );
    } finally {
      await settings.update('duplex.tests.reports', undefined, vscode.ConfigurationTarget.Workspace);
      rmSync(workspacePath('reports'), { recursive: true, force: true });
      rmSync(outside, { force: true });
    }
  });

  it('tests that a person runs in a terminal are seen (release)', async function () {
    skipWithoutTerminals(this);
    const client = await connect();
    const terminal = vscode.window.createTerminal({ name: 'tests', cwd: workspacePath() });
    try {
      const shell = await shellAtPrompt(terminal);
      shell.executeCommand('npm test');
      const run = await until('the run in the terminal', async () => {
        const latest = await results(client);
        return latest?.source === 'terminal' && latest.status !== 'running' ? latest : undefined;
      });
      assert.deepEqual(
        [run.command, run.status, run.exitCode, run.counts],
        ['npm test', 'failed', 1, { passed: 4, failed: 1, skipped: 0 }],
      );
      assert.deepEqual(
        run.failures.map((failure) => failure.path),
        ['test/cart.test.js'],
      );
    } finally {
      terminal.dispose();
    }
  });
});

function numbersIn(text: string): readonly number[] | undefined {
  const numbers = text.split(' ').map(Number);
  return numbers.length === 2 && numbers.every((number) => number > 0) ? numbers : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
