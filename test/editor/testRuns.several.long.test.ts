import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import type { Question } from '../../src/contract/questions/questions.ts';
import type { TestRun } from '../../src/testRuns/testRun.ts';
import { activateDuplex, answerNext, discovery, until } from './support/duplex.ts';

const longWaitMs = 60_000;
const hasPython = spawnSync('python3', ['--version']).status === 0;

const cartTest = `const { describe, it } = require('node:test');
const assert = require('node:assert');
describe('cart', () => {
  it('adds up', () => assert.equal(1 + 1, 3));
  it('adds up twice', () => {});
});
`;
const tillTest = `import unittest

class TillTest(unittest.TestCase):
    def test_opens(self):
        self.assertEqual("shut", "open")

    def test_opens_again(self):
        pass
`;

interface Answer {
  readonly run: TestRun;
  readonly note?: string;
}

describe('Tests of a workspace of several folders', function () {
  this.timeout(longWaitMs);
  let access: TestAccess;
  let client: Client;
  const clients: Client[] = [];
  const place = (index: number, ...names: readonly string[]): string =>
    path.join(vscode.workspace.workspaceFolders?.[index]?.uri.fsPath ?? '', ...names);
  const written = (): readonly string[] => [place(0, 'package.json'), place(0, 'test'), place(1, 'tests')];

  before(async function () {
    if (!hasPython) {
      this.skip(); // there is no python3 on this machine
    }
    access = await activateDuplex();
    mkdirSync(place(0, 'test'));
    writeFileSync(place(0, 'package.json'), JSON.stringify({ scripts: { test: 'node --test test/*.test.js' } }));
    writeFileSync(place(0, 'test', 'cart.test.js'), cartTest);
    mkdirSync(place(1, 'tests'));
    writeFileSync(place(1, 'tests', 'test_till.py'), tillTest);
    const { token, urls } = await discovery();
    client = new Client({ name: 'test-runner', version: '1.0.0' });
    clients.push(client);
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(urls.mcp), { requestInit: { headers } }));
    const first = client.callTool({ name: 'list_workspace_folders', arguments: {} });
    const question = await until('the connect question', () =>
      access.questions.list().find(({ detail }) => detail.kind === 'connectClient'),
    );
    assert.equal(access.questions.answer({ askId: question.askId, choice: 'allowSession', role: 'runner' }), true);
    await first;
  });

  after(async () => {
    await Promise.all(clients.map((each) => each.close()));
    written().forEach((file) => rmSync(file, { recursive: true, force: true }));
  });

  function call(args: Record<string, unknown>): ReturnType<Client['callTool']> {
    return client.callTool({ name: 'run_tests', arguments: args }, { timeout: longWaitMs, onprogress: () => undefined });
  }

  /** Runs tests and allows them; returns the answer and the lines that the person was asked about, each with its folder. */
  async function run(
    args: Record<string, unknown>,
    choice: 'allowOnce' | 'allowSession' = 'allowOnce',
  ): Promise<Answer & { asked: string[][] }> {
    const calling = call(args);
    const { detail } = await answerNext(access, 'clientAct', choice);
    const answer = await calling;
    assert.notEqual(answer.isError, true, JSON.stringify(answer.content));
    return { ...(answer.structuredContent as Answer), asked: linesOf(detail) };
  }

  function linesOf(detail: Question['detail']): string[][] {
    assert.ok(detail.kind === 'clientAct' && detail.what.kind === 'script');
    return [detail.what, ...(detail.what.next ?? [])].map(({ commandLine, cwd }) => [commandLine, cwd]);
  }

  const failed = ({ run: { failures } }: Answer): unknown => failures.map((each) => [each.name, each.path, each.line]);
  const cart = ['cart > adds up', 'app/test/cart.test.js', 4];
  const till = ['test_till.TillTest.test_opens', 'app~2/tests/test_till.py', 5];

  it('run in all of them after one question, and each failure can be given back by its name and by its path', async () => {
    const all = await run({});
    assert.deepEqual(all.asked, [
      ['npm test', place(0)],
      ['python3 -m unittest discover -s tests', place(1)],
    ]);
    assert.deepEqual(
      [all.run.status, all.run.exitCode, all.run.counts, all.run.folders?.map(({ folder, status }) => [folder, status])],
      [
        'failed',
        1,
        { passed: 2, failed: 2, skipped: 0 },
        [
          ['app', 'failed'],
          ['app~2', 'failed'],
        ],
      ],
    );
    assert.deepEqual([failed(all), all.note], [[cart, till], 'Nothing says how to run tests in: docs.']);

    const byName = await run({ folder: 'app', filter: 'cart > adds up', onlyFailures: true });
    assert.match(byName.asked[0]?.[0] ?? '', /^node --test '--test-name-pattern=\^.*adds up\$' test\/\*\.test\.js$/);
    assert.deepEqual([failed(byName), byName.run.counts?.passed, byName.run.output], [[cart], 0, undefined]);

    const python = await run({ filter: 'test_till.TillTest.test_opens' });
    assert.deepEqual([failed(python), python.run.counts?.passed], [[till], 0]);

    const byPath = await run({ filter: 'app~2/tests/test_till.py' });
    assert.deepEqual(byPath.asked, [['python3 -m unittest discover -s tests -p test_till.py', place(1)]]);
    assert.deepEqual([failed(byPath), byPath.run.counts], [[till], { passed: 1, failed: 1, skipped: 0 }]);
  });

  it('run in one when it is named, and in none that is not there', async () => {
    const one = await run({ folder: 'app~2', filter: 'test_till.TillTest.test_shuts' });
    assert.match(one.note ?? '', /^No test matched the filter "test_till\.TillTest\.test_shuts"/);
    const answer = await call({ folder: 'barn' });
    assert.equal(answer.isError, true);
    assert.match(JSON.stringify(answer.content), /There is no folder \\"barn\\" in this workspace\. Its folders: app, app~2, docs\./);
  });

  it('run without a question only as the very line that was allowed for this session', async () => {
    await run({ folder: 'app~2', filter: 'test_till.TillTest.test_opens' }, 'allowSession');
    assert.notEqual((await call({ folder: 'app~2', filter: 'test_till.TillTest.test_opens' })).isError, true);
    for (const other of [{ filter: 'test_till.TillTest.test_opens_again' }, {}]) {
      const calling = call({ folder: 'app~2', ...other });
      await answerNext(access, 'clientAct', 'deny');
      assert.equal((await calling).isError, true);
    }
  });
});
