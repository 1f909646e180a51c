import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { silentLog } from '../../../../src/base/log.ts';
import type { DebugProblem, DebuggerPorts, DebugTarget } from '../../../../src/host/approval/debuggedProcess.ts';
import { SupervisorClient } from '../../../../src/host/processes/supervisorClient.ts';
import { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { SupervisedStdioTransport } from '../../../../src/host/transports/supervisedStdio.ts';
import { checksInProcess } from '../../../support/checksInProcess.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { createTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';
import { createTestHost, failureOf, repositoryRoot, scriptedServer, supervisorLaunch, type TestHost } from '../support.ts';

const { signal } = new AbortController();
const debugged = { command: 'node', args: [scriptedServer], dev: { debug: 'node' } };

describe('A server under a debugger', () => {
  let host: TestHost;
  let targets: DebugTarget[];
  let told: (readonly [string, DebugProblem])[];
  let attach: DebuggerPorts['attach'];

  beforeEach(async () => {
    [targets, told] = [[], []];
    attach = () => Promise.resolve('attached');
    const debuggers: DebuggerPorts = {
      attach: (target) => {
        targets.push(target);
        return attach(target);
      },
      tell: (label, problem) => void told.push([label, problem]),
    };
    host = await createTestHost({ ports: { debuggers } });
  });
  afterEach(() => host.close());

  const start = async (definition: object): Promise<string> => {
    await host.configure({ mine: definition });
    const { kind } = await host.registry.start(host.server('mine').id, { ask: host.ask, signal });
    return kind;
  };
  const lastQuestion = (): readonly (readonly [string, string])[] => {
    const detail = host.asked.at(-1)?.detail;
    return detail?.kind === 'startServer' ? detail.fields.map(({ name, value }) => [name, value] as const) : [];
  };

  it('of Node answers on the port that its debugger is attached to, and no longer when it is stopped', async () => {
    assert.equal(await start(debugged), 'ready');
    await host.until(() => targets.length > 0, 'the debugger');
    const [target] = targets;
    assert.ok(target);
    assert.deepEqual([target.kind, target.label, targets.length], ['node', 'mine', 1]);
    const version = (await (await fetch(`http://127.0.0.1:${target.port}/json/version`)).json()) as { readonly Browser: string };
    assert.match(version.Browser, /^node\.js\/v/);
    await host.until(() => host.logged.some((line) => line.includes('debugger of the editor is attached')), 'the line in its log');
    await host.registry.stop(host.server('mine').id);
    await assert.rejects(fetch(`http://127.0.0.1:${target.port}/json/version`));
    assert.deepEqual(told, []);
  });

  it('is asked about with the command line that is run, and asked about again when dev.debug changes', async () => {
    await start(debugged);
    const fields = lastQuestion();
    assert.deepEqual(
      fields.filter(([name]) => name.startsWith('args')),
      [
        ['args[0]', '--inspect=127.0.0.1:0'],
        ['args[1]', scriptedServer],
      ],
    );
    assert.match(fields.find(([name]) => name === 'dev.debug')?.[1] ?? '', /^node /);
    const asked = host.asked.length;
    await host.registry.restart(host.server('mine').id, { ask: host.ask, signal });
    assert.equal(host.asked.length, asked, 'the port is no part of what was allowed');
    await host.until(() => targets.length === 2, 'the debugger of the second start');
    await start({ command: 'node', args: [scriptedServer] });
    assert.equal(host.asked.length, asked + 1);
    assert.equal(
      lastQuestion().some(([name]) => name === 'dev.debug'),
      false,
    );
    // The same command line by hand is not the same wish.
    await start({ command: 'node', args: ['--inspect=127.0.0.1:0', scriptedServer] });
    await start(debugged);
    assert.equal(host.asked.length, asked + 3);
  });

  it('runs although no debugger can be attached, and the person is told', async () => {
    attach = () => Promise.resolve('notAttached');
    assert.equal(await start(debugged), 'ready');
    await host.until(() => told.length === 1, 'the first notice');
    attach = () => Promise.reject(new Error('no debug adapter'));
    await host.registry.restart(host.server('mine').id, { ask: host.ask, signal });
    await host.until(() => told.length === 2, 'the second notice');
    assert.deepEqual(told, [
      ['mine', 'notAttached'],
      ['mine', 'notAttached'],
    ]);
    assert.equal(host.server('mine').state.kind, 'ready');
    assert.ok(host.logged.some((line) => line.includes('could not be attached')));
  });

  it('is refused for another program before anybody is asked', async () => {
    assert.equal(await start({ ...debugged, dev: { debug: 'python' } }), 'failed');
    assert.equal(failureOf(host.server('mine').state).code, 'definitions.debugOtherProgram');
    assert.equal(host.asked.length, 0);
  });

  it('of Python gets a port of its own at every start, and says when debugpy is missing', async () => {
    // Stands for Python: says what it was started with where Python says that it has no debugpy.
    const python = path.join(createTemporaryFolder(), 'python3');
    await writeFile(python, '#!/bin/sh\necho "$@" >&2\necho "$0: No module named debugpy" >&2\nexit 1\n');
    await chmod(python, 0o755);
    assert.equal(await start({ command: python, args: ['-u', 'server.py'], dev: { debug: 'python' } }), 'failed');
    assert.match(failureOf(host.server('mine').state).detail ?? '', /^-u -m debugpy --listen 127\.0\.0\.1:[1-9]\d+ server\.py\n/);
    assert.ok(lastQuestion().some(([, value]) => value === '127.0.0.1:0'));
    assert.deepEqual(told.slice(0, 1), [['mine', 'noDebugpy']]);
    assert.deepEqual(targets, []);
  });

  it('may stand still for an hour, unless its definition says how long', async () => {
    const timeoutOf = async (definition: object): Promise<number | undefined> => {
      await host.configure({ mine: definition });
      return host.registry.find(host.server('mine').id)?.timeoutMs;
    };
    assert.equal(await timeoutOf(debugged), 3_600_000);
    assert.equal(await timeoutOf({ ...debugged, timeout: 5_000 }), 5_000);
    assert.equal(await timeoutOf({ command: 'node', args: [scriptedServer], dev: { watch: 'src/**' } }), 60_000);
  });
});

describe('A server that may be held at a breakpoint', () => {
  it('is not asked whether it is still alive, and every other one is', async () => {
    const supervisor = new SupervisorClient(await supervisorLaunch(), silentLog);
    const tap = { isOpen: false, note: () => undefined };
    const traffic = { tap, peer: () => ({ side: 'server' as const, id: 'mine', name: 'mine' }) };
    const questionsAwaited = async (isDebugged: boolean): Promise<number> => {
      const clock = new FakeClock();
      const connection = new ServerConnection(
        { clientVersion: '0', schemas: checksInProcess, timeoutMs: 20_000, filter: undefined, log: silentLog, clock, traffic },
        { kind: 'stopped', reason: 'neverStarted' },
      );
      const spec = { command: process.execPath, args: [scriptedServer], env: {}, cwd: repositoryRoot };
      const transport = new SupervisedStdioTransport(supervisor, spec, silentLog);
      const state = await connection.start(() => Promise.resolve({ transport, end: undefined, lastWords: '', isDebugged }));
      assert.equal(state.kind, 'ready');
      const { pending } = clock;
      await connection.stop('byUser');
      connection.dispose();
      return pending;
    };
    try {
      assert.deepEqual([await questionsAwaited(true), await questionsAwaited(false)], [0, 1]);
    } finally {
      await supervisor.stop();
      supervisor.dispose();
    }
  });
});
