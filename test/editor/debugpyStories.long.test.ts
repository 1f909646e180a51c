import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport, type Tool } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import { answer, writeFile } from './support/actingCalls.ts';
import { BareAdapter, type Cost } from './support/bareAdapter.ts';
import type { Listed, Stop } from './support/debugging.ts';
import { activateDuplex, answerNext, discovery, until, workspacePath } from './support/duplex.ts';

const run = promisify(execFile);
const python = '/usr/bin/python3';
const patient = { timeout: 120_000, onprogress: () => undefined, resetTimeoutOnProgress: true };

const shop = [
  'def total(prices):',
  '    result = 0',
  '    for price in prices:',
  '        result = price',
  '    return result',
  '',
  'def receipt(prices, names):',
  '    lines = []',
  '    for index in range(len(names) + 1):',
  '        lines.append(names[index])',
  '    return lines',
  '',
].join('\n');
const wrong = 'from shop import total\n\nprint("total", total([1, 2, 3]))\n';
const crash = 'from shop import receipt\n\nprint(receipt([1, 2], ["tea", "bread"]))\n';
const tests = [
  'import unittest',
  'from story.shop import receipt, total',
  '',
  'class Shop(unittest.TestCase):',
  '    def test_total(self):',
  '        self.assertEqual(total([1, 2, 3]), 6)',
  '',
  '    def test_receipt(self):',
  '        self.assertEqual(receipt([1, 2], ["tea", "bread"]), ["tea", "bread"])',
  '',
].join('\n');

/** A program outside that knows of the editor what `tools/list` and the skills told it, and nothing else. */
class StoryAgent {
  readonly decisions: string[] = [];
  readonly #access: TestAccess;
  readonly #client: Client;
  readonly #validator = new AjvJsonSchemaValidator();
  #tools: readonly Tool[] = [];
  #calls = 0;
  #characters = 0;
  #beganAt = 0;

  constructor(access: TestAccess) {
    this.#access = access;
    this.#client = new Client({ name: 'story agent', version: '1.0.0' });
  }

  async connect(): Promise<void> {
    const { urls, token } = await discovery();
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await this.#client.connect(new StreamableHTTPClientTransport(new URL(urls.mcp), { requestInit }));
    this.#tools = (await this.#client.listTools()).tools;
  }

  begin(): void {
    this.#calls = 0;
    this.#characters = 0;
    this.#beganAt = performance.now();
    this.decisions.length = 0;
  }

  get cost(): Cost {
    return { calls: this.#calls, characters: this.#characters, milliseconds: Math.round(performance.now() - this.#beganAt) };
  }

  /** Reads the skill whose description holds a word of the task. Every tool that it names must be one that is listed. */
  async learn(word: string): Promise<string> {
    const { resources } = await this.#client.listResources();
    const skill = resources.find(({ uri, description = '' }) => uri.startsWith('skill:') && description.includes(word));
    assert.ok(skill, `no skill speaks of ${word}`);
    const [content] = (await this.#client.readResource({ uri: skill.uri })).contents;
    return content !== undefined && 'text' in content ? content.text : '';
  }

  /** The facts are what the tool's own schema takes, or the agent could not have known. */
  async use<T>(name: string, facts: Readonly<Record<string, unknown>> = {}, decision?: () => Promise<string>): Promise<T> {
    const tool = this.#tools.find((each) => each.name === name);
    assert.ok(tool, `tools/list names no ${name}`);
    const { valid, errorMessage } = this.#validator.getValidator(tool.inputSchema as object)(facts);
    assert.ok(valid, `${name} takes no ${JSON.stringify(facts)}: ${errorMessage}`);
    this.#calls += 1;
    const calling = this.#client.callTool({ name, arguments: { ...facts } }, patient);
    calling.catch(() => undefined); // looked at below
    if (decision !== undefined) {
      this.decisions.push(await decision());
    }
    const { isError, content, structuredContent } = await calling;
    assert.notEqual(isError, true, JSON.stringify(content));
    assert.deepEqual(this.#access.questions.list(), [], 'nobody else is asked');
    this.#characters += content.reduce((sum, item) => sum + (item.type === 'text' ? item.text.length : 0), 0);
    return structuredContent as T;
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

function tell(story: string, cost: Cost, beside?: Cost): void {
  const words = ({ calls, characters, milliseconds }: Cost): string =>
    `${calls} calls, ${characters} characters, ${milliseconds} ms (${Math.round(milliseconds / calls)} ms a step)`;
  console.log(`${story}: ${words(cost)}${beside === undefined ? '' : `; the bare adapter ${words(beside)}`}`);
}

describe('The stories of an agent that knows tools/list and the skills, with the debugger of Python', function () {
  this.timeout(180_000);
  let access: TestAccess;
  let agent: StoryAgent;
  const isHere = run(python, ['-c', 'import debugpy']).then(
    () => true,
    () => false,
  );
  const allowed = async (what: string): Promise<string> => {
    await answerNext(access, 'clientAct', 'allowOnce');
    return what;
  };

  before(async function () {
    if (!(await isHere)) {
      console.log('Skipped: python3-debugpy is not installed, and could not be.');
      this.skip();
    }
    access = await activateDuplex();
    await writeFile('story/shop.py', shop);
    await writeFile('story/__init__.py', '');
    await writeFile('story/wrong.py', wrong);
    await writeFile('story/crash.py', crash);
    await writeFile('story/test_shop.py', tests);
    const configuration = { type: 'debugpy', request: 'launch', python, console: 'internalConsole' };
    const configurations = ['wrong', 'crash'].map((name) => ({ ...configuration, name, program: `\${workspaceFolder}/story/${name}.py` }));
    await writeFile('.vscode/launch.json', JSON.stringify({ version: '0.2.0', configurations }));
    await vscode.workspace
      .getConfiguration('duplex')
      .update('tests.command', `${python} -m unittest -v story.test_shop`, vscode.ConfigurationTarget.Workspace);
    agent = new StoryAgent(access);
    await agent.connect();
    const first = agent.use('list_workspace_folders');
    const question = await until('the connect question', () =>
      access.questions.list().find(({ detail }) => detail.kind === 'connectClient'),
    );
    assert.equal(access.questions.answer({ askId: question.askId, choice: 'allowSession', role: 'runner' }), true);
    await first;
    await until('the configurations', async () => ((await agent.use<Listed>('list_debug')).configurations.length >= 2 ? true : undefined));
  });
  after(async () => {
    if (!(await isHere)) {
      return;
    }
    await agent.close();
    await vscode.workspace.getConfiguration('duplex').update('tests.command', undefined, vscode.ConfigurationTarget.Workspace);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(workspacePath('story'), { recursive: true, force: true });
    await rm(workspacePath('.vscode', 'launch.json'), { force: true });
  });

  it('a wrong result is found by one trace: two calls, one decision', async () => {
    assert.match(await agent.learn('computes something wrong'), /list_debug[^]*trace_run/);
    agent.begin();
    const { configurations } = await agent.use<Listed>('list_debug');
    const configuration = configurations.find(({ name }) => name === 'wrong')?.name;
    const traced = await agent.use<{ events: readonly { values: readonly { value: string }[] }[] }>(
      'trace_run',
      { places: [{ path: 'story/shop.py', line: 4, expressions: ['price', 'result'] }], configuration },
      () => allowed('trace'),
    );
    // Each round the result is the price of the round before, not the sum: it is set where it should be added to.
    assert.deepEqual(
      traced.events.map(({ values }) => values.map(({ value }) => value)),
      [
        ['1', '0'],
        ['2', '1'],
        ['3', '2'],
      ],
    );
    assert.ok(agent.cost.calls <= 2);
    assert.deepEqual(agent.decisions, ['trace']);
    tell('a wrong result', agent.cost);
  });

  it('a crash is found where it happens, with the value that made it: at most six calls, one decision', async () => {
    assert.match(await agent.learn('crashes'), /start_debugging[^]*get_debug_state/);
    agent.begin();
    const { configurations } = await agent.use<Listed>('list_debug');
    const configuration = configurations.find(({ name }) => name === 'crash')?.name;
    const { stop } = await agent.use<{ stop: Stop }>('start_debugging', { configuration, waitMs: 20_000 }, () => allowed('start'));
    assert.deepEqual([stop.state, stop.reason, stop.path, stop.line], ['stopped', 'exception', 'story/shop.py', 10], JSON.stringify(stop));
    assert.match(stop.exception ?? '', /IndexError/);
    const { variables } = await agent.use<{ variables: readonly { name: string; value?: string }[] }>('get_debug_state', {
      names: ['index', 'names'],
      depth: 1,
    });
    assert.equal(variables.find(({ name }) => name === 'index')?.value, '2', JSON.stringify(variables));
    const ended = await agent.use<{ stop: Stop }>('debug_step', { action: 'stop' });
    assert.equal(ended.stop.state, 'ended');
    assert.ok(agent.cost.calls <= 6);
    assert.deepEqual(agent.decisions, ['start']);
    tell('a crash', agent.cost, await bareCrash());
  });

  it('the fix is proven by a test that failed before: one review, and the command before and after it', async () => {
    assert.match(await agent.learn('tests that fail'), /run_tests/);
    agent.begin();
    interface Ran {
      readonly run: { readonly status: string };
    }
    const before = await agent.use<Ran>('run_tests', {}, () => allowed('run'));
    assert.equal(before.run.status, 'failed');
    const edits = [
      { oldText: '        result = price', newText: '        result += price' },
      { oldText: 'range(len(names) + 1)', newText: 'range(len(names))' },
    ];
    const files = [{ path: 'story/shop.py', edits }];
    const review = async (): Promise<string> => 'accept and save';
    const proposing = agent.use(
      'propose_edits',
      { files, description: 'Prices are added up, and only names are listed.', save: true },
      review,
    );
    await answer('acceptAllAndSave', undefined, proposing);
    const after = await agent.use<Ran>('run_tests', {}, () => allowed('run again'));
    assert.equal(after.run.status, 'passed', JSON.stringify(after));
    assert.deepEqual(agent.decisions, ['run', 'accept and save', 'run again']);
    tell('a fix proven', agent.cost);
  });

  /** The same crash, asked of the adapter itself. */
  async function bareCrash(): Promise<Cost> {
    const adapter = new BareAdapter(python, ['-m', 'debugpy.adapter']);
    await adapter.ask('initialize', { adapterID: 'debugpy', pathFormat: 'path', linesStartAt1: true, columnsStartAt1: true });
    const program = workspacePath('story', 'crash.py');
    adapter.send('launch', { name: 'crash', type: 'debugpy', request: 'launch', python: [python], console: 'internalConsole', program });
    await adapter.event('initialized');
    await adapter.ask('setExceptionBreakpoints', { filters: ['uncaught'] });
    await adapter.ask('configurationDone');
    const { threadId } = await adapter.event('stopped');
    await adapter.ask('exceptionInfo', { threadId });
    const { stackFrames } = await adapter.ask('stackTrace', { threadId, levels: 5 });
    const [frame] = stackFrames as readonly { id: number; line: number }[];
    assert.equal(frame?.line, 10);
    const { scopes } = await adapter.ask('scopes', { frameId: frame.id });
    const [locals] = scopes as readonly { variablesReference: number }[];
    await adapter.ask('variables', { variablesReference: locals?.variablesReference });
    await adapter.ask('disconnect', { terminateDebuggee: true });
    const { cost } = adapter;
    await adapter.close();
    return cost;
  }
});
