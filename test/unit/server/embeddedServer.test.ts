import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { discoveryFile } from '../../../src/contract/bridgeFiles.ts';
import { deferred } from './support/deferred.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { modernHeaders } from './support/modernLinks.ts';
import { modern } from './support/modernRules.ts';
import { runServer, type RunningServer } from './support/runningServer.ts';
import { WsPeer } from './support/wsPeer.ts';

describe('the embedded server', () => {
  let running: RunningServer;
  afterEach(() => running.close());

  it('publishes exactly what a bridge needs, and takes it back on stop', async () => {
    running = await runServer();
    const { state } = running.server;
    assert.equal(state.kind, 'listening');
    assert.equal(state.discovery.kind, 'published');
    const { path } = state.discovery;
    const { startedAt, machine, ...content } = discoveryFile.parse(JSON.parse(await readFile(path, 'utf8')));
    assert.match(machine, /^[0-9a-f]{32}$/);
    assert.equal(new Date(startedAt).toISOString(), startedAt);
    assert.deepEqual(content, {
      version: 1,
      pid: process.pid,
      host: '127.0.0.1',
      port: running.port,
      token: running.token,
      urls: {
        mcp: `http://127.0.0.1:${running.port}/mcp`,
        sse: `http://127.0.0.1:${running.port}/sse`,
        ws: `ws://127.0.0.1:${running.port}/ws`,
      },
      workspaceFolders: [{ name: 'demo', path: '/demo', uri: 'file:///demo' }],
      name: 'demo',
    });
    await running.server.stop();
    await assert.rejects(readFile(path), { code: 'ENOENT' });
  });

  it('takes a free port when the wanted one is taken, and says so', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const taken = (other.address() as AddressInfo).port;
    running = await runServer({ port: taken });
    const { state } = running.server;
    other.close();
    assert.equal(state.kind, 'listening');
    assert.equal(state.takenPort, taken);
    assert.notEqual(state.port, taken);
  });

  it('tells its states in order and mints a new token at every start', async () => {
    running = await runServer();
    const states: string[] = [];
    const listening = running.server.onDidChangeState(({ kind }) => states.push(kind));
    await running.server.stop();
    assert.equal(running.server.windowToken, undefined);
    await running.server.start();
    listening.dispose();
    assert.deepEqual(states, ['stopping', 'stopped', 'starting', 'listening']);
    assert.notEqual(running.server.windowToken, running.token);
    assert.equal((await running.server.start()).kind, 'listening');
  });

  it('listens nowhere and leaves no file when it is disposed of while it starts', async () => {
    running = await runServer();
    const { server } = running;
    await server.stop();
    const listening = server.onDidChangeState(() => server.dispose());
    const state = await server.start({ port: running.port });
    listening.dispose();
    assert.deepEqual(
      [state.kind, state.kind === 'failed' && state.error.code, server.windowToken],
      ['failed', 'server.stopped', undefined],
    );
    assert.deepEqual(await readdir(join(running.home, 'windows')), []);
    await assert.rejects(running.peer().request('ping'), { code: 'ECONNREFUSED' });
  });

  it('stops within two seconds with streams open, calls running and a sender that never ends', async () => {
    running = await runServer();
    const peer = running.peer();
    await peer.initialize();
    const stream = await peer.stream();
    const legacy = await running.peer().stream('/sse');
    await legacy.next();
    const started = deferred();
    running.editor.answerDiagnostics = () => {
      started.resolve();
      return new Promise(() => undefined);
    };
    const call = peer.callTool('get_diagnostics');
    await started.promise;
    const slow = running
      .peer()
      .send('POST', '/mcp', { 'content-type': 'application/json', 'content-length': 50 }, '{')
      .catch(() => undefined);
    const before = performance.now();
    await running.server.stop();
    assert.ok(performance.now() - before < 10_000);
    assert.deepEqual((await call).json, {});
    for (const open of [stream, legacy]) {
      while ((await open.next()) !== undefined) {
        // What was sent before the end still arrives.
      }
    }
    await slow;
  });

  it('rotating the token ends its sessions and rewrites the discovery file', async () => {
    running = await runServer();
    const peer = running.peer();
    await peer.initialize();
    await running.server.rotateWindowToken();
    assert.equal((await peer.request('ping')).status, 401);
    assert.deepEqual(running.server.clients.snapshot(), []);
    const { state, windowToken } = running.server;
    assert.equal(state.kind === 'listening' && state.discovery.kind, 'published');
    const path = state.kind === 'listening' && state.discovery.kind === 'published' ? state.discovery.path : '';
    assert.equal(discoveryFile.parse(JSON.parse(await readFile(path, 'utf8'))).token, windowToken);
  });

  it('serves on without a discovery file when that cannot be written', async () => {
    running = await runServer({ duplexHome: '/proc/nowhere' });
    const { state } = running.server;
    assert.equal(state.kind === 'listening' && state.discovery.kind, 'failed');
    assert.equal((await running.peer().initialize()).status, 200);
  });

  it('updates the discovery file when the workspace folders change', async () => {
    running = await runServer();
    const { state } = running.server;
    const path = state.kind === 'listening' && state.discovery.kind === 'published' ? state.discovery.path : '';
    running.editor.folders = [];
    running.editor.didChangeWorkspaceFolders.fire();
    let folders: unknown[] = [undefined];
    while (folders.length > 0) {
      folders = discoveryFile.parse(JSON.parse(await readFile(path, 'utf8'))).workspaceFolders;
    }
  });

  it('grants no session beyond its limit, and one again after an end', async () => {
    running = await runServer({ limits: { sessions: 2 } });
    const peers = [running.peer(), running.peer(), running.peer()] as const;
    await peers[0].initialize();
    await peers[1].initialize();
    await peers[0].stream(); // both are in use
    await peers[1].stream();
    const refused = await peers[2].initialize();
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '10']);
    assert.equal((await peers[2].stream('/sse')).status, 429);
    await peers[0].send('DELETE', '/mcp', { 'mcp-session-id': peers[0].sessionId });
    assert.equal((await peers[2].initialize()).status, 200);
  });

  it('grants no stream beyond its limit', async () => {
    running = await runServer({ limits: { streams: 1 } });
    const peers = [running.peer(), running.peer()] as const;
    await peers[0].initialize();
    await peers[1].initialize();
    assert.deepEqual([(await peers[0].stream()).status, (await peers[1].stream()).status], [200, 429]);
  });

  it('limits how fast one credential acts: 429 over HTTP, an error over a WebSocket', async () => {
    running = await runServer({ clock: new FakeClock(), limits: { actingPerSecond: 2 } });
    const token = running.otherToken();
    const peer = running.peer(token);
    await peer.initialize();
    const show = { name: 'show_message', arguments: { message: 'hello' } };
    const stateless = modern(1, 'tools/call', show);
    const answers = [
      await peer.request('tools/call', show),
      await peer.request('tools/call', show),
      await peer.request('tools/call', show),
      await running.peer(token).post(stateless, modernHeaders(stateless)),
    ];
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers['retry-after']]),
      [
        [200, undefined],
        [200, undefined],
        [429, '1'],
        [429, '1'],
      ],
    );
    const socket = await WsPeer.open(running.port, token);
    socket.send(stateless);
    assert.deepEqual((await socket.next()).error, {
      code: -32603,
      message: 'too many acting calls; try again in a second',
      data: { reason: 'rateLimited' },
    });
    socket.socket.terminate();
    assert.equal((await peer.callTool('list_open_editors')).status, 200);
    const [one, another] = [running.peer(), running.peer()]; // programs with the window's token, which is nobody's own
    await one.initialize();
    await another.initialize();
    const statuses = [];
    for (const each of [one, one, one, another]) {
      statuses.push((await each.request('tools/call', show)).status);
    }
    assert.deepEqual(statuses, [200, 200, 429, 200]);
  });

  it('limits the rate of one credential, but never pings, and of no other', async () => {
    const clock = new FakeClock();
    running = await runServer({ clock, limits: { requestsPerSecond: 5 } });
    const [greedy, other] = [running.peer(), running.peer(running.otherToken())];
    await greedy.initialize();
    await other.initialize();
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      statuses.push((await greedy.request('tools/list')).status);
    }
    const refused = await greedy.request('tools/list');
    assert.deepEqual([statuses, refused.status, refused.headers['retry-after']], [[200, 200, 200, 429, 429], 429, '1']);
    assert.deepEqual([(await greedy.request('ping')).status, (await other.request('tools/list')).status], [200, 200]);
    clock.advance(2_000);
    assert.equal((await greedy.request('tools/list')).status, 200);
  });

  it('keeps count of what its clients do', async () => {
    running = await runServer();
    let changes = 0;
    const counting = running.server.clients.onDidChange(() => (changes += 1));
    const peer = running.peer();
    await peer.initialize();
    await peer.callTool('list_open_editors');
    counting.dispose();
    const { calls, lastCall, callsItself, transport, role } = running.server.clients.snapshot()[0] ?? {};
    assert.deepEqual([calls, lastCall?.name, callsItself, transport, role], [1, 'list_open_editors', 'peer 9', 'http', 'reader']);
    assert.ok(changes >= 3);
  });
});
