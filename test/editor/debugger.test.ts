import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import { startTool, writeFile } from './support/actingCalls.ts';
import { DebuggingClient, type Stop, writeScripts } from './support/debugging.ts';
import { activateDuplex, until, workspacePath } from './support/duplex.ts';
import { counts, scripts, useScriptedDebugging } from './support/scriptedDebugging.ts';

describe('The debugger for an outside client', function () {
  this.timeout(120_000);
  const debugging = useScriptedDebugging();
  let access: TestAccess;
  let agent: DebuggingClient;
  before(async () => {
    access = await activateDuplex();
    agent = debugging();
  });

  it('starts what the person saw, stops at a breakpoint and tells the whole stop', async () => {
    const { breakpoints } = await agent.call<{ breakpoints: { isVerified: boolean; message: string }[] }>('set_breakpoints', {
      path: counts,
      breakpoints: [{ line: 4 }],
    });
    assert.equal(breakpoints[0]?.isVerified, false);
    assert.match(breakpoints[0].message, /bound when a debug session starts/);
    const { what, question, answer } = await agent.asked('start_debugging', { configuration: 'counts' });
    assert.ok(what.kind === 'debug');
    assert.match(what.definition, new RegExp(`"program": "${workspacePath('debug', 'counts.scripted')}"`));
    assert.deepEqual(
      [what.name, what.chain, question.choices],
      ['counts', { steps: [], unknown: [] }, ['deny', 'allowOnce', 'allowSession']],
    );
    const stop = answer['stop'] as Stop;
    assert.deepEqual(
      { ...stop, sessionId: '' },
      {
        sessionId: '',
        state: 'stopped',
        reason: 'breakpoint',
        path: counts,
        line: 4,
        lines: '1→let a 1\n2→let b 2\n3→say hello\n4→let b 3\n5→say bye',
        stack: [{ name: 'script', path: counts, line: 4 }, ...[2, 3, 4, 5].map((depth) => ({ name: `caller ${depth}` }))],
        changed: [
          { name: 'a', type: 'text', value: '1' },
          { name: 'b', type: 'text', value: '2' },
        ],
        output: 'hello\n',
      },
    );
    const stepped = await agent.stop('debug_step', { action: 'over' });
    assert.deepEqual(
      [stepped.line, stepped.reason, stepped.changed, stepped.output],
      [5, 'step', [{ name: 'b', type: 'text', value: '3' }], ''],
    );
    const ended = await agent.stop('debug_step', { action: 'continue' });
    assert.deepEqual([ended.sessionId, ended.state, ended.exitCode, ended.output], [stop.sessionId, 'ended', 0, 'bye\n']);
  });

  it('says whether a breakpoint is really bound, and runs to a line', async () => {
    await agent.call('set_breakpoints', { path: counts, breakpoints: [{ line: 2 }] });
    await agent.start('counts');
    const { breakpoints } = await agent.call<{ breakpoints: object[] }>('set_breakpoints', {
      path: counts,
      breakpoints: [{ line: 2 }, { line: 150 }],
    });
    const bound = breakpoints.map((each) => [
      Reflect.get(each, 'line') as number,
      Reflect.get(each, 'isVerified') as boolean,
      Reflect.get(each, 'message') as string | undefined,
    ]);
    assert.deepEqual(bound, [
      [2, true, undefined],
      [150, false, 'There is no such line.'],
    ]);
    const listed = (await agent.listed()).breakpoints.filter(({ isYours }) => isYours);
    assert.deepEqual(
      listed.map(({ path, line, isVerified }) => [path, line, isVerified]),
      [
        [counts, 2, true],
        [counts, 150, false],
      ],
    );
    const stop = await agent.stop('debug_step', { action: 'continue', toLine: 5 });
    assert.deepEqual([stop.state, stop.line], ['stopped', 5]);
    assert.equal((await agent.listed()).breakpoints.length, 2, 'the one for the line is gone');
  });

  it('asks about code for the debugger, the identical one once for the session, and gives up after a while', async () => {
    const condition = {
      path: counts,
      breakpoints: [
        { line: 4, condition: 'b == 9' },
        { line: 5, condition: 'b == 3' },
      ],
    };
    const { what } = await agent.asked('set_breakpoints', condition);
    assert.deepEqual(what, {
      kind: 'debugCode',
      code: [
        { place: `${counts}:4, condition`, text: 'b == 9' },
        { place: `${counts}:5, condition`, text: 'b == 3' },
      ],
    });
    const stop = await agent.start('counts');
    assert.equal(stop.line, 5);
    const first = await agent.asked('debug_evaluate', { expression: 'a = 7' }, 'allowSession');
    assert.deepEqual(first.answer, { type: 'text', value: '7', isCut: false });
    assert.deepEqual(await agent.call('debug_evaluate', { expression: 'a = 7' }), first.answer);
    assert.match((await agent.asked('debug_evaluate', { expression: 'a = 8' }, 'deny')).failure, /denied/);
    assert.equal((await agent.asked('debug_evaluate', { expression: 'a' })).answer['value'], '7', 'the denied one did not run');
    assert.match((await agent.asked('debug_evaluate', { expression: 'nowhere' })).failure, /could not evaluate this: There is no nowhere/);
    assert.match((await agent.asked('debug_evaluate', { expression: 'slow', timeoutMs: 300 })).failure, /within 300 ms/);
  });

  it('allows once only what depends on more than the workspace, and starts nothing that is denied', async () => {
    const { what, question, failure } = await agent.asked('start_debugging', { configuration: 'open' }, 'deny');
    assert.deepEqual(
      [what.kind === 'debug' && what.chain.unknown, question.choices, failure !== ''],
      [['${file}'], ['deny', 'allowOnce'], true],
    );
    assert.equal(
      (await agent.listed()).sessions.some(({ name }) => name === 'open'),
      false,
    );
  });

  it('does not cover by “for this session” what settings of the workspace make of a configuration: they are shown, and allowed once only', async () => {
    const allowed = await agent.asked('start_debugging', { configuration: 'atOnce' }, 'allowSession');
    assert.equal(allowed.failure, '');
    assert.equal((await agent.stop('start_debugging', { configuration: 'atOnce' })).state, 'ended', 'the identical one is covered');
    const settings = workspacePath('.vscode', 'settings.json');
    const before = await readFile(settings, 'utf8');
    for (const [name, value] of [
      ['scripted.defaultRuntime', './evil.sh'],
      [`terminal.integrated.env.${process.platform === 'darwin' ? 'osx' : 'linux'}`, { NODE_OPTIONS: '--require ./evil.cjs' }],
    ] as const) {
      await writeFile('.vscode/settings.json', before.replace('{', `{ ${JSON.stringify(name)}: ${JSON.stringify(value)},`));
      await until('the settings', () =>
        vscode.workspace.getConfiguration().inspect(name)?.workspaceValue === undefined ? undefined : true,
      );
      const { what, question } = await agent.asked('start_debugging', { configuration: 'atOnce' }, 'deny');
      assert.ok(what.kind === 'debug');
      assert.deepEqual([what.chain.unknown, question.why, question.choices], [[name], 'changed', ['deny', 'allowOnce']]);
      assert.match(what.definition, /evil/);
    }
    await writeFile('.vscode/settings.json', before);
    await until('the settings to go', () =>
      vscode.workspace.getConfiguration('terminal.integrated.env').inspect('linux')?.workspaceValue === undefined ? true : undefined,
    );
  });

  it('shows the task that runs before it, runs that first, and starts nothing when it fails (release)', async function () {
    if (vscode.version.startsWith('1.100.')) {
      this.skip(); // it comes from npm without the native part of its terminals, in which tasks run
    }
    const failed = await agent.asked('start_debugging', { configuration: 'after failing' });
    assert.ok(failed.what.kind === 'debug');
    const { before, configuration } = JSON.parse(failed.what.definition) as { before: { runs: string }; configuration: { name: string } };
    assert.deepEqual([before.runs, configuration.name], ['false', 'after failing']);
    const stop = failed.answer['stop'] as Stop;
    assert.deepEqual([stop.state, stop.reason], ['ended', 'The task "fails" that runs before it ended with exit code 1.']);
    const worked = await agent.start('after working');
    assert.deepEqual([worked.state, worked.exitCode, worked.output.includes('hello')], ['ended', 0, true]);
  });

  it('traces a run in one call and leaves nothing behind', async () => {
    const places = [
      { path: counts, line: 3, expressions: ['a', 'b', 'nowhere'] },
      { path: counts, line: 5, expressions: ['b'] },
      { path: 'debug/raises.scripted', line: 1 },
    ];
    const { what, answer, failure } = await agent.asked('trace_run', { places, configuration: 'counts' });
    assert.equal(failure, '');
    assert.deepEqual(what.kind === 'debug' && what.code?.map(({ place, text }) => `${place} ${text}`), [
      `${counts}:3 a`,
      `${counts}:3 b`,
      `${counts}:3 nowhere`,
      `${counts}:5 b`,
    ]);
    const events = answer['events'] as { place: string; count: number; values: { expression: string; value: string }[] }[];
    assert.deepEqual(
      events.map(({ place, count, values }) => [place, count, values.map(({ expression, value }) => `${expression}=${value}`)]),
      [
        [`${counts}:3`, 1, ['a=1', 'b=2', 'nowhere=The debugger could not evaluate this: There is no nowhere.']],
        [`${counts}:5`, 1, ['b=3']],
      ],
    );
    assert.deepEqual(answer['run'], { state: 'ended', reason: 'The program ended.', exitCode: 0, output: 'hello\nbye\n' });
    assert.match(String(answer['note']), /did not come by debug\/raises\.scripted:1/);
    const endless = await agent.asked('trace_run', { places: [{ path: counts, line: 3 }], configuration: 'endless', timeoutMs: 1_000 });
    assert.match(String(endless.answer['note']), /was stopped/);
    const { sessions, breakpoints } = await agent.listed();
    assert.deepEqual([sessions.filter(({ state }) => state !== 'ended'), breakpoints], [[], []]);
  });

  it('asks once before a session of the person’s is used, and never touches their breakpoints (release)', async () => {
    const own = new vscode.SourceBreakpoint(
      new vscode.Location(vscode.Uri.file(workspacePath('debug', 'counts.scripted')), new vscode.Position(1, 0)),
    );
    vscode.debug.addBreakpoints([own]);
    const configuration = { name: 'mine', type: 'scripted', request: 'launch', program: workspacePath('debug', 'counts.scripted') };
    await vscode.debug.startDebugging(vscode.workspace.workspaceFolders?.[0], configuration);
    const mine = await until('the session of the person', async () =>
      (await agent.listed()).sessions.find(({ name, state }) => name === 'mine' && state === 'stopped'),
    );
    assert.equal(mine.isYours, false);
    const denied = await agent.asked('get_debug_state', { sessionId: mine.id }, 'deny');
    assert.match(denied.failure, /denied/);
    const { what, answer } = await agent.asked('debug_step', { sessionId: mine.id, action: 'over' });
    assert.deepEqual(what, { kind: 'debugSession', session: `mine (${mine.id})` });
    assert.equal((answer['stop'] as Stop).line, 3);
    assert.equal((await agent.stop('get_debug_state', { sessionId: mine.id })).line, 3);
    await agent.call('set_breakpoints', { path: counts, breakpoints: [{ line: 5 }] });
    await agent.call('set_breakpoints', { path: counts, breakpoints: [] });
    const { breakpoints } = await agent.listed();
    assert.deepEqual(
      breakpoints.map(({ line, isYours }) => [line, isYours]),
      [[2, false]],
    );
    await vscode.debug.stopDebugging();
    vscode.debug.removeBreakpoints([own]);
  });

  it('leaves nothing of a client that goes: neither its breakpoints nor its sessions, but the person’s and the chat’s', async () => {
    const own = new vscode.SourceBreakpoint(
      new vscode.Location(vscode.Uri.file(workspacePath('debug', 'counts.scripted')), new vscode.Position(4, 0)),
    );
    vscode.debug.addBreakpoints([own]);
    await until('the editor itself', () => access.servers().find(({ name, state }) => name === 'editor' && state.kind === 'ready'));
    await startTool('set_breakpoints', { path: counts, breakpoints: [{ line: 4 }] });
    const other = await DebuggingClient.connect(access);
    await other.call('set_breakpoints', { path: counts, breakpoints: [{ line: 2 }] });
    const stop = await other.start('counts');
    assert.equal(stop.line, 2);
    const seen = (await agent.listed()).sessions.find(({ id }) => id === stop.sessionId);
    assert.equal(seen?.isYours, false, 'one client’s is not another’s');
    assert.match((await agent.asked('debug_step', { sessionId: stop.sessionId, action: 'over' }, 'deny')).failure, /denied/);
    await other.client.end();
    await until('the session to end', async () =>
      (await agent.listed()).sessions.every(({ id }) => id !== stop.sessionId) ? true : undefined,
    );
    const lines = vscode.debug.breakpoints.map((each) => each instanceof vscode.SourceBreakpoint && each.location.range.start.line + 1);
    assert.deepEqual(lines, [5, 4]);
    await startTool('set_breakpoints', { path: counts, breakpoints: [] });
    vscode.debug.removeBreakpoints([own]);
  });
});

describe('A client of the debugger that is revoked', function () {
  this.timeout(60_000);

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(workspacePath('debug'), { recursive: true, force: true });
    await rm(workspacePath('.vscode', 'launch.json'), { force: true });
  });

  it('leaves neither breakpoints nor a session behind', async () => {
    const agent = await DebuggingClient.connect(await activateDuplex());
    await writeScripts(agent, { counts: scripts.counts });
    await agent.call('set_breakpoints', { path: counts, breakpoints: [{ line: 2 }] });
    assert.equal((await agent.start('counts')).state, 'stopped');
    let hasEnded = false;
    const listening = vscode.debug.onDidTerminateDebugSession(({ name }) => (hasEnded ||= name === 'counts'));
    // The client has the window's token, which is revoked by making a new one.
    await vscode.commands.executeCommand('duplex.rotateServerToken');
    await until('the session to end', () => (hasEnded ? true : undefined));
    listening.dispose();
    await until('the breakpoints to go', () => (vscode.debug.breakpoints.length === 0 ? true : undefined));
    await agent.client.close();
  });
});
