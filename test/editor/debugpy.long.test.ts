import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import { writeFile } from './support/actingCalls.ts';
import { DebuggingClient, type Stop, writeScripts } from './support/debugging.ts';
import { activateDuplex, workspacePath } from './support/duplex.ts';

const run = promisify(execFile);
const python = '/usr/bin/python3';

const program = [
  'def total(items):',
  '    result = 0',
  '    for item in items:',
  '        result = item',
  '    return result',
  '',
  'print("total", total([1, 2, 3]))',
  'raise ValueError("no such thing")',
  '',
].join('\n');
const tests = [
  'import unittest',
  '',
  'class Sums(unittest.TestCase):',
  '    def test_adds(self):',
  '        got = 1 + 1',
  '        self.assertEqual(got, 2)',
  '',
].join('\n');
const file = 'debug/total.py';

/** Python's own debugger, as a person has it. */
describe('A Python program under the debugger of an outside client', function () {
  this.timeout(120_000);
  let access: TestAccess;
  let agent: DebuggingClient | undefined;

  before(async function () {
    if (
      await run(python, ['-c', 'import debugpy']).then(
        () => false,
        () => true,
      )
    ) {
      console.log('Skipped: python3-debugpy is not installed, and could not be.');
      this.skip();
    }
    access = await activateDuplex();
    agent = await DebuggingClient.connect(access);
    await writeFile(file, program);
    await writeFile('test_sums.py', tests);
    const configuration = { name: 'total', type: 'debugpy', request: 'launch', python, console: 'internalConsole' };
    await writeScripts(agent, {}, [{ ...configuration, program: '${workspaceFolder}/debug/total.py' }]);
  });
  after(async () => {
    await agent?.client.end();
    await vscode.workspace.getConfiguration('duplex').update('tests.command', undefined, vscode.ConfigurationTarget.Workspace);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(workspacePath('debug'), { recursive: true, force: true });
    await rm(workspacePath('test_sums.py'), { force: true });
    await rm(workspacePath('.vscode', 'launch.json'), { force: true });
  });

  function outside(): DebuggingClient {
    assert.ok(agent);
    return agent;
  }

  it('is found to be wrong by one trace', async () => {
    const places = [
      { path: file, line: 4, expressions: ['item', 'result'] },
      { path: file, line: 5 },
    ];
    const { answer, failure } = await outside().asked('trace_run', { places, configuration: 'total' });
    assert.equal(failure, '');
    const events = answer['events'] as { count: number; values: { value: string }[] }[];
    assert.deepEqual(
      events.map(({ count, values }) => [count, ...values.map(({ value }) => value)]),
      [[1, '1', '0'], [2, '2', '1'], [3, '3', '2'], [1]],
      JSON.stringify(answer),
    );
    const { state, exitCode, output, exception } = answer['run'] as { state: string; exitCode: number; output: string; exception: string };
    assert.deepEqual([state, exitCode], ['ended', 1]);
    assert.match(`${output} ${exception}`, /total 3[^]*no such thing/);
  });

  it('stops at a bound breakpoint with its variables, steps, evaluates, and stops where it crashes', async () => {
    await outside().call('set_breakpoints', { path: file, breakpoints: [{ line: 4 }] });
    const stop = await outside().start('total');
    assert.deepEqual([stop.state, stop.path, stop.line, stop.stack[0]?.name], ['stopped', file, 4, 'total'], JSON.stringify(stop));
    assert.ok(
      stop.changed.some(({ name, value, type }) => name === 'item' && value === '1' && type === 'int'),
      JSON.stringify(stop.changed),
    );
    assert.equal((await outside().listed()).breakpoints[0]?.isVerified, true);
    const stepped = await outside().stop('debug_step', { action: 'over' });
    assert.deepEqual([stepped.line, stepped.changed.map(({ name, value }) => `${name} ${value}`)], [3, ['result 1']]);
    const { answer } = await outside().asked('debug_evaluate', { expression: 'sum(items)' });
    assert.deepEqual([answer['type'], answer['value']], ['int', '6']);
    await outside().call('set_breakpoints', { path: file, breakpoints: [] });
    const crashed = await outside().stop('debug_step', { action: 'continue' });
    assert.deepEqual([crashed.state, crashed.reason, crashed.line], ['stopped', 'exception', 8], JSON.stringify(crashed));
    assert.match(crashed.exception ?? '', /ValueError.*no such thing/s);
    const ended: Stop = await outside().stop('debug_step', { action: 'continue' });
    assert.equal(ended.state, 'ended');
  });

  it('is a test that is debugged by its command', async () => {
    const command = `${python} -m unittest test_sums`;
    await vscode.workspace.getConfiguration('duplex').update('tests.command', command, vscode.ConfigurationTarget.Workspace);
    await outside().call('set_breakpoints', { path: 'test_sums.py', breakpoints: [{ line: 6 }] });
    const { what, answer, failure } = await outside().asked('start_debugging', { test: { path: 'test_sums.py' }, waitMs: 20_000 });
    assert.equal(failure, '');
    assert.ok(what.kind === 'debug');
    assert.match(what.definition, /"module": "unittest"/);
    const stop = answer['stop'] as Stop;
    assert.deepEqual([stop.state, stop.path, stop.line], ['stopped', 'test_sums.py', 6], JSON.stringify(stop));
    assert.equal((await outside().stop('debug_step', { action: 'continue' })).exitCode, 0);
  });
});
