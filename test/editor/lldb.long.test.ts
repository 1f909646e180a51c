import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access, readdir, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { writeFile } from './support/actingCalls.ts';
import { DebuggingClient, writeScripts } from './support/debugging.ts';
import { activateDuplex, workspacePath } from './support/duplex.ts';

const run = promisify(execFile);
const compiler = '/usr/bin/gcc';
const file = 'native/total.c';
const source = [
  '#include <stdio.h>',
  '',
  'int total(const int *items, int count) {',
  '  int result = 0;',
  '  for (int i = 0; i < count; i++) {',
  '    result = items[i];',
  '  }',
  '  return result;',
  '}',
  '',
  'int main(void) {',
  '  int items[] = {1, 2, 3};',
  '  printf("total %d\\n", total(items, 3));',
  '  return 3;',
  '}',
  '',
].join('\n');

/** The debugger of compiled programs, as a person has it: another adapter by other makers than Python's. */
describe('A compiled program under the debugger of an outside client', function () {
  this.timeout(120_000);
  let agent: DebuggingClient | undefined;

  before(async function () {
    const hasAdapter = (await readdir('/usr/bin')).some((name) => /^lldb-(?:dap|vscode)(?:-\d+)?$/.test(name));
    const hasCompiler = await access(compiler).then(
      () => true,
      () => false,
    );
    if (!hasAdapter || !hasCompiler) {
      console.log('Skipped: lldb or gcc is not installed, and could not be.');
      this.skip();
    }
    agent = await DebuggingClient.connect(await activateDuplex());
    await writeFile(file, source);
    await run(compiler, ['-g', '-O0', workspacePath('native', 'total.c'), '-o', workspacePath('native', 'total')]);
    const program = '${workspaceFolder}/native/total';
    await writeScripts(agent, {}, [{ name: 'native', type: 'lldb', request: 'launch', program, disableASLR: false }]);
  });
  after(async () => {
    await agent?.client.end();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(workspacePath('native'), { recursive: true, force: true });
    await rm(workspacePath('debug'), { recursive: true, force: true });
    await rm(workspacePath('.vscode', 'launch.json'), { force: true });
  });

  function outside(): DebuggingClient {
    assert.ok(agent);
    return agent;
  }

  it('is found to be wrong by one trace, with places that it only comes by', async () => {
    const places = [
      { path: file, line: 6, expressions: ['i', 'result', 'items[i]'] },
      { path: file, line: 8 },
    ];
    const { answer, failure } = await outside().asked('trace_run', { places, configuration: 'native' });
    assert.equal(failure, '');
    const events = answer['events'] as { place: string; values: { value: string }[] }[];
    assert.deepEqual(
      events.map(({ place, values }) => [place, ...values.map(({ value }) => value)]),
      [[`${file}:6`, '0', '0', '1'], [`${file}:6`, '1', '1', '2'], [`${file}:6`, '2', '2', '3'], [`${file}:8`]],
      JSON.stringify(answer),
    );
    const { state, exitCode, output } = answer['run'] as { state: string; exitCode: number; output: string };
    assert.deepEqual([state, exitCode], ['ended', 3]);
    assert.doesNotMatch(output, /duplex-passed/);
  });

  it('stops at a bound breakpoint with its variables, steps, evaluates and ends', async () => {
    await outside().call('set_breakpoints', { path: file, breakpoints: [{ line: 6 }] });
    const stop = await outside().start('native');
    assert.deepEqual([stop.state, stop.path, stop.line], ['stopped', file, 6], JSON.stringify(stop));
    assert.match(stop.stack[0]?.name ?? '', /total/);
    assert.equal((await outside().listed()).breakpoints[0]?.isVerified, true);
    const stepped = await outside().stop('debug_step', { action: 'over' });
    assert.ok(
      stepped.changed.some(({ name, value }) => name === 'result' && value === '1'),
      JSON.stringify(stepped),
    );
    const { answer } = await outside().asked('debug_evaluate', { expression: 'items[0] + items[1] + items[2]' });
    assert.equal(answer['value'], '6');
    await outside().call('set_breakpoints', { path: file, breakpoints: [] });
    const ended = await outside().stop('debug_step', { action: 'continue' });
    assert.deepEqual([ended.state, ended.exitCode], ['ended', 3], JSON.stringify(ended));
    const { sessions, breakpoints } = await outside().listed();
    assert.deepEqual([sessions.filter(({ state }) => state !== 'ended'), breakpoints], [[], []]);
  });
});
