import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import * as vscode from 'vscode';
import type { DebuggingClient } from './support/debugging.ts';
import { counts, useScriptedDebugging } from './support/scriptedDebugging.ts';

describe('The debugger in trouble', function () {
  this.timeout(120_000);
  const debugging = useScriptedDebugging();
  let agent: DebuggingClient;
  before(() => {
    agent = debugging();
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

  it('pauses a program that was started a moment ago, once it has begun', async () => {
    const { sessionId } = await agent.start('endless', 0);
    const paused = await agent.stop('debug_step', { sessionId, action: 'pause' });
    assert.deepEqual([paused.state, paused.reason, paused.line], ['stopped', 'pause', 2]);
    assert.equal((await agent.stop('debug_step', { sessionId, action: 'stop' })).state, 'ended');
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

  it('ends a program that was stopped before VS Code had made its session', async () => {
    const making = new EventEmitter();
    const [held, ended] = [once(making, 'held'), once(making, 'ended')];
    const listening = [
      vscode.debug.registerDebugConfigurationProvider('scripted', {
        resolveDebugConfiguration: (_folder, configuration) => held.then(() => configuration),
      }),
      vscode.debug.registerDebugAdapterTrackerFactory('scripted', {
        createDebugAdapterTracker: () => ({ onExit: () => void making.emit('ended') }),
      }),
    ];
    const { sessionId } = await agent.start('endless', 0);
    const stopped = await agent.stop('debug_step', { sessionId, action: 'stop' });
    assert.deepEqual([stopped.state, stopped.reason], ['ended', 'It was stopped before it began.']);
    making.emit('held');
    await ended;
    listening.forEach((each) => void each.dispose());
    assert.deepEqual(
      (await agent.listed()).sessions.filter(({ state }) => state !== 'ended'),
      [],
    );
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
});
