import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import { writeFile } from './support/actingCalls.ts';
import { DebuggingClient, type Stop, writeScripts } from './support/debugging.ts';
import { activateDuplex, until, workspacePath } from './support/duplex.ts';

const scripts = {
  counts: 'let a 1\nlet b 2\nsay hello\nlet b 3\nsay bye\n',
  atOnce: 'say quick\nexit 4\n',
  raises: 'let a 1\nraise Something broke\n',
  endless: 'let a 1\nforever\n',
  late: 'late\nlet a 1\nlet b 2\n',
  dies: 'say last words\ndie\n',
  holds: 'huge long\ncycle ring\nlet password hunter2hunter2\nsay done\n',
  parent: 'child counts.scripted\n',
};
const more = [
  { name: 'no threads', type: 'scripted', request: 'launch', program: '${workspaceFolder}/debug/counts.scripted', noThreads: true },
  { name: 'no log points', type: 'scripted', request: 'launch', program: '${workspaceFolder}/debug/counts.scripted', noLogPoints: true },
  { name: 'refused', type: 'scripted', request: 'launch', program: '${workspaceFolder}/debug/counts.scripted', refuse: 'Not today' },
  { name: 'stubborn', type: 'scripted', request: 'launch', program: '${workspaceFolder}/debug/endless.scripted', stubborn: true },
  { name: 'unknown type', type: 'nobody-knows', request: 'launch' },
  {
    name: 'after failing',
    type: 'scripted',
    request: 'launch',
    program: '${workspaceFolder}/debug/counts.scripted',
    preLaunchTask: 'fails',
  },
  {
    name: 'after working',
    type: 'scripted',
    request: 'launch',
    program: '${workspaceFolder}/debug/counts.scripted',
    preLaunchTask: 'works',
  },
  { name: 'open', type: 'scripted', request: 'launch', program: '${file}' },
];
const counts = 'debug/counts.scripted';

describe('The debugger for an outside client', function () {
  this.timeout(120_000);
  let access: TestAccess;
  let agent: DebuggingClient;

  before(async () => {
    access = await activateDuplex();
    agent = await DebuggingClient.connect(access);
    await writeScripts(agent, scripts, more);
    const tasks = ['false', 'true'].map((command, index) => ({ label: ['fails', 'works'][index], type: 'process', command }));
    await writeFile('.vscode/tasks.json', JSON.stringify({ version: '2.0.0', tasks }));
    await until('the tasks', async () => ((await vscode.tasks.fetchTasks()).some(({ name }) => name === 'works') ? true : undefined));
  });
  after(async () => {
    await agent.client.close();
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(workspacePath('debug'), { recursive: true, force: true });
    await rm(workspacePath('.vscode', 'launch.json'), { force: true });
    await rm(workspacePath('.vscode', 'tasks.json'), { force: true });
  });
  afterEach(async () => {
    const { sessions, breakpoints } = await agent.listed();
    for (const path of new Set(breakpoints.filter(({ isYours }) => isYours).map((each) => each.path))) {
      await agent.call('set_breakpoints', { path, breakpoints: [] });
    }
    for (const { id, state, isYours } of sessions) {
      await (isYours && state !== 'ended' ? agent.stop('debug_step', { sessionId: id, action: 'stop' }) : undefined);
    }
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

  it('answers in time whatever a program does: it ends at once, raises, stops late, names no thread, never stops', async () => {
    const ended = await agent.start('atOnce');
    assert.deepEqual([ended.state, ended.exitCode, ended.output], ['ended', 4, 'quick\n']);
    const raised = await agent.start('raises');
    assert.deepEqual([raised.state, raised.reason, raised.exception], ['stopped', 'exception', 'ScriptError: Something broke']);
    assert.equal((await agent.stop('debug_step', { action: 'continue' })).exitCode, 1);
    await agent.call('set_breakpoints', { path: 'debug/late.scripted', breakpoints: [{ line: 3 }] });
    const late = await agent.start('late');
    assert.deepEqual([late.state, late.line], ['stopped', 3]);
    await agent.call('set_breakpoints', { path: counts, breakpoints: [{ line: 2 }] });
    const threadless = await agent.start('no threads');
    assert.deepEqual([threadless.state, threadless.reason, threadless.stack], ['stopped', 'breakpoint', []]);
    await agent.stop('debug_step', { sessionId: threadless.sessionId, action: 'stop' });
    const running = await agent.start('endless', 500);
    assert.deepEqual([running.state, running.stack], ['running', []]);
    const still = await agent.stop('debug_step', { sessionId: running.sessionId, action: 'continue', waitMs: 100 });
    assert.equal(still.state, 'running');
    assert.match(await agent.client.failure('debug_step', { sessionId: running.sessionId, action: 'over' }), /runs\. .*pause/);
    const paused = await agent.stop('debug_step', { sessionId: running.sessionId, action: 'pause' });
    assert.deepEqual([paused.state, paused.reason, paused.line], ['stopped', 'pause', 2]);
    assert.equal((await agent.stop('debug_step', { sessionId: running.sessionId, action: 'stop' })).state, 'ended');
  });

  it('says so when the adapter dies, refuses to launch, or nobody has one', async () => {
    const dead = await agent.start('dies');
    assert.deepEqual([dead.state, dead.output], ['ended', 'last words\n']);
    const refused = await agent.start('refused');
    assert.deepEqual([refused.state, refused.reason], ['ended', 'Not today']);
    assert.match(await agent.client.failure('start_debugging', { configuration: 'unknown type' }), /No installed extension .*nobody-knows/);
    assert.match(
      await agent.client.failure('start_debugging', { configuration: 'nothing' }),
      /There is no debug configuration "nothing"\. There are: "counts"/,
    );
  });

  it('ends a program that does not heed when it is asked to end', async () => {
    const { sessionId, state } = await agent.start('stubborn', 1_000);
    assert.equal(state, 'running');
    assert.equal((await agent.stop('debug_step', { sessionId, action: 'stop' })).state, 'ended');
  });

  it('reads huge values, values that refer to themselves, and no secrets', async () => {
    await agent.call('set_breakpoints', { path: 'debug/holds.scripted', breakpoints: [{ line: 4 }] });
    await agent.start('holds');
    const { variables } = await agent.call<{ variables: { name: string; value: string }[] }>('get_debug_state', { depth: 4 });
    const names = variables.map(({ name }) => name);
    assert.deepEqual(names, ['long', 'ring', 'password', 'ring.self', 'ring.self.self', 'ring.self.self.self']);
    assert.ok(JSON.stringify(variables).length < 25_000);
    assert.deepEqual(variables.find(({ name }) => name === 'password')?.value, '[redacted]');
    const only = await agent.call<{ variables: { name: string }[] }>('get_debug_state', { names: ['everywhere'] });
    assert.deepEqual(
      only.variables.map(({ name }) => name),
      ['everywhere'],
    );
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

  it('addresses the session in which the program runs, and keeps two sessions apart', async () => {
    await agent.call('set_breakpoints', { path: counts, breakpoints: [{ line: 4 }] });
    const child = await agent.start('parent');
    assert.deepEqual([child.state, child.path, child.line], ['stopped', counts, 4]);
    const { sessions } = await agent.listed();
    assert.deepEqual(
      sessions.filter(({ state }) => state !== 'ended').map(({ id, name, isYours }) => [id, name, isYours]),
      [[child.sessionId, 'child counts.scripted', true]],
    );
    const other = await agent.start('raises');
    assert.notEqual(other.sessionId, child.sessionId);
    const stepped = await agent.stop('debug_step', { sessionId: child.sessionId, action: 'over' });
    assert.deepEqual([stepped.sessionId, stepped.line], [child.sessionId, 5]);
    const state = await agent.stop('get_debug_state', { sessionId: other.sessionId });
    assert.deepEqual([state.sessionId, state.reason], [other.sessionId, 'exception']);
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
    for (const [name, value] of [
      ['scripted.defaultRuntime', './evil.sh'],
      [`terminal.integrated.env.${process.platform === 'darwin' ? 'osx' : 'linux'}`, { NODE_OPTIONS: '--require ./evil.cjs' }],
    ] as const) {
      await writeFile('.vscode/settings.json', JSON.stringify({ [name]: value }));
      await until('the settings', () =>
        vscode.workspace.getConfiguration().inspect(name)?.workspaceValue === undefined ? undefined : true,
      );
      const { what, question } = await agent.asked('start_debugging', { configuration: 'atOnce' }, 'deny');
      assert.ok(what.kind === 'debug');
      assert.deepEqual([what.chain.unknown, question.why, question.choices], [[name], 'changed', ['deny', 'allowOnce']]);
      assert.match(what.definition, /evil/);
    }
    await rm(workspacePath('.vscode', 'settings.json'), { force: true });
    await until('the settings to go', () =>
      vscode.workspace.getConfiguration('terminal.integrated.env').inspect('linux')?.workspaceValue === undefined ? true : undefined,
    );
  });

  it('shows the task that runs before it, runs that first, and starts nothing when it fails', async function () {
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

  it('traces where a run comes by without stopping it, by stops where the adapter has no log points, and up to a crash', async () => {
    const dies = 'debug/dies.scripted';
    const places = [
      { path: counts, line: 3 },
      { path: counts, line: 4, expressions: ['b'] },
      { path: counts, line: 5 },
      { path: dies, line: 2 },
    ];
    const traced = async (configuration: string): Promise<unknown> => {
      const { answer, failure } = await agent.asked('trace_run', { places, configuration });
      assert.equal(failure, '');
      const events = answer['events'] as { place: string; values: { value: string }[] }[];
      assert.deepEqual((await agent.listed()).breakpoints, []);
      const told = events.map(({ place, values }) => [place, ...values.map(({ value }) => value)]);
      return [told, (answer['run'] as { output: string }).output];
    };
    const counted = [[[`${counts}:3`], [`${counts}:4`, '2'], [`${counts}:5`]], 'hello\nbye\n'];
    assert.deepEqual([await traced('counts'), await traced('no log points')], [counted, counted]);
    assert.deepEqual(await traced('dies'), [[[`${dies}:2`]], 'last words\n']);
  });

  it('asks once before a session of the person’s is used, and never touches their breakpoints', async () => {
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

  it('leaves nothing of a client that goes: neither its breakpoints nor its sessions, but the person’s', async () => {
    const own = new vscode.SourceBreakpoint(
      new vscode.Location(vscode.Uri.file(workspacePath('debug', 'counts.scripted')), new vscode.Position(4, 0)),
    );
    vscode.debug.addBreakpoints([own]);
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
    assert.deepEqual(lines, [5]);
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
