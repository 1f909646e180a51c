import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { maxUnapprovedSessions } from '../../src/server/protocol/sessionDirectory.ts';
import { maxUnapprovedStreams } from '../../src/server/wire/transports/streamHub.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { deferred } from '../unit/server/support/deferred.ts';
import { FakeApproval } from '../unit/server/support/fakePorts.ts';
import { initializeParams, type Answer, type HttpPeer } from '../unit/server/support/httpPeer.ts';
import { modernHeaders } from '../unit/server/support/modernLinks.ts';
import { modern } from '../unit/server/support/modernRules.ts';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';
import { WsPeer } from '../unit/server/support/wsPeer.ts';

describe('one program of many with the same token', () => {
  let running: RunningServer;
  afterEach(() => running.close());

  it('costs nobody but itself a request with a batch of 4 MB, and itself not the next second', async () => {
    const clock = new FakeClock();
    running = await runServer({ clock });
    const [victim, attacker] = [running.peer(), running.peer()];
    await victim.initialize();
    const batch = `[${'1,'.repeat(2 * 1024 * 1024 - 10)}1]`;
    assert.deepEqual([(await attacker.post(batch)).status, (await victim.request('tools/list')).status], [400, 200]);
    const socket = await WsPeer.open(running.port, running.token);
    socket.socket.send(batch);
    assert.deepEqual(
      [((await socket.next()) as { error?: { code: number } }).error?.code, (await victim.request('tools/list')).status],
      [-32600, 200],
    );
    clock.advance(1_000);
    assert.equal((await attacker.initialize()).status, 200);
    await socket.close();
  });

  it('has no more than its allowance of sessions that nobody approved, and the oldest idle one gives way', async () => {
    running = await runServer();
    const approved = running.peer();
    await approved.initialize();
    assert.equal((await approved.callTool('list_open_editors')).status, 200);
    const attacker = running.peer();
    const statuses = new Set<number>();
    for (let count = 0; count < 300; count += 1) {
      statuses.add((await attacker.request('initialize', initializeParams('2025-11-25'))).status);
    }
    const [newcomer, other] = [running.peer(), running.peer(running.otherToken())];
    assert.deepEqual([[...statuses], (await newcomer.initialize()).status, (await other.initialize()).status], [[200], 200, 200]);
    assert.deepEqual([(await approved.request('ping')).status, (await newcomer.request('ping')).status], [200, 200]);
    assert.ok(
      running.server.clients.snapshot().length <= maxUnapprovedSessions + 3,
      `${running.server.clients.snapshot().length} sessions are kept`,
    );
  });

  it('cannot keep others out with sockets that say nothing', async () => {
    running = await runServer();
    const silent: WsPeer[] = [];
    for (let count = 0; count < maxUnapprovedSessions + 1; count += 1) {
      silent.push(await WsPeer.open(running.port, running.token));
    }
    assert.equal((await silent[0]?.closed)?.code, 1013);
    await Promise.all(silent.slice(1).map((peer) => peer.close()));
  });

  it('cannot keep others out with streams that nobody approved', async () => {
    running = await runServer({ limits: { streams: maxUnapprovedStreams + 4 }, approval: new FakeApproval() });
    const neighbour = running.peer();
    await neighbour.initialize();
    const before = await neighbour.stream();
    const attacker = running.peer();
    const flood = await listenMany(attacker, maxUnapprovedStreams + 10);
    const other = running.peer(running.otherToken());
    await other.initialize();
    const statuses = [(await other.stream()).status, flood.at(-1)?.status, before.status];
    assert.deepEqual(statuses, [200, 200, 200]);
    assert.equal(await flood[0]?.ended, true, 'the oldest of who has most gives way');
    assert.equal(before.isOver, false, 'and nobody else');
  });

  it('does not hold on to all streams when another one wants its first', async () => {
    running = await runServer({ limits: { streams: 6 } });
    const hoarder = running.peer(running.otherToken());
    assert.equal((await callStateless(hoarder, 'list_open_editors')).status, 200);
    const flood = await listenMany(hoarder, 6);
    const other = running.peer(running.otherToken());
    await other.initialize();
    assert.equal((await other.stream()).status, 200);
    assert.equal(await flood[0]?.ended, true);
    const full = await listenMany(hoarder, 1);
    assert.equal(full[0]?.status, 429, 'who has most gets no more');
  });

  it('ends nobody’s stream or session by a connection that is refused in the end', async () => {
    running = await runServer({ limits: { sessions: 1, streams: 7 } });
    const [holder, streaming] = [running.peer(), running.peer(running.otherToken())];
    await holder.initialize();
    await holder.stream(); // its session is in use
    const streams = await listenMany(streaming, 6);
    assert.equal((await running.peer(running.otherToken()).stream('/sse')).status, 429, 'there is no place for its session');
    assert.equal((await holder.request('ping')).status, 200);
    const [oldest] = streams;
    assert.equal(await Promise.race([oldest?.ended, holder.request('ping').then(() => 'still open')]), 'still open');
    await running.close();

    running = await runServer({ limits: { sessions: 3, streams: 2 } });
    const token = running.otherToken();
    const sessions = [running.peer(token), running.peer(token), running.peer(token)];
    for (const session of sessions) {
      await session.initialize();
    }
    const both = [...(await listenMany(running.peer(token), 1)), ...(await listenMany(running.peer(running.otherToken()), 1))];
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    );
    await assert.rejects(WsPeer.open(running.port, running.token), /429/, 'there is no place for its socket');
    const answers = await Promise.all(sessions.map((session) => session.request('ping')));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
  });

  it('keeps no newcomer out with sessions that it does not use: the one that is idle for longest gives way', async () => {
    const clock = new FakeClock();
    running = await runServer({ clock, limits: { sessions: 4 } });
    const token = running.otherToken();
    const idle: HttpPeer[] = [];
    for (let count = 0; count < 4; count += 1) {
      const peer = running.peer(token);
      idle.push(peer);
      await peer.initialize();
      await peer.callTool('list_open_editors'); // approved
      clock.advance(1_000);
    }
    await idle[0]?.request('tools/list');
    const [again, other, last] = [running.peer(token), running.peer(running.otherToken()), running.peer(running.otherToken())];
    for (const newcomer of [again, other, last]) {
      assert.equal((await newcomer.initialize()).status, 200);
      assert.equal((await newcomer.request('ping')).status, 200);
    }
    const answers = await Promise.all(idle.map((peer) => peer.request('ping')));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 404, 404, 404],
    );
    const { error } = answers[1]?.json as { error: { code: number; message: string } };
    assert.deepEqual([error.code, /Initialize again/.test(error.message)], [-32600, true]);
  });

  it('is told which limit it is when all sessions are in use, and nobody loses one', async () => {
    const release = deferred();
    running = await runServer({ limits: { sessions: 2 } });
    const working = deferred();
    let count = 0;
    running.editor.answerDiagnostics = async () => {
      count += 1;
      if (count === 2) {
        working.resolve();
      }
      await release.promise;
      return { diagnostics: [], total: 0, documents: [], settled: true };
    };
    const token = running.otherToken();
    const busy = [running.peer(token), running.peer(running.otherToken())];
    const calls: Promise<Answer>[] = [];
    for (const peer of busy) {
      await peer.initialize();
      calls.push(peer.callTool('get_diagnostics'));
    }
    await working.promise;
    const newcomers = [running.peer(token), running.peer(running.otherToken())];
    for (const newcomer of newcomers) {
      const { status, headers, json } = await newcomer.request('initialize', initializeParams('2025-11-25'));
      assert.deepEqual([status, headers['retry-after']], [429, '10']);
      assert.match((json.error as { message: string }).message, /^All 2 sessions .* are in use\..*"sessions" in duplex\.server\.limits/);
    }
    const refused = await running.peer(token).send('GET', '/sse', { accept: 'text/event-stream' });
    assert.deepEqual([refused.status, /All 2 sessions/.test(refused.text)], [429, true]);
    release.resolve();
    assert.deepEqual(
      (await Promise.all(calls)).map(({ status }) => status),
      [200, 200],
    );
  });

  it('gets no more messages through by opening connection after connection, and takes no newcomer’s share', async () => {
    running = await runServer({ clock: new FakeClock(), limits: { requestsPerSecond: 20 } });
    let passed = 0;
    for (let count = 0; count < 10; count += 1) {
      const connection = running.peer();
      for (let each = 0; each < 5; each += 1) {
        passed += (await listTools(connection)).status === 200 ? 1 : 0;
      }
    }
    assert.ok(passed <= 20 + 10, `${passed} of 50 messages passed`);
    assert.equal((await listTools(running.peer())).status, 200);
  });

  it('fills no place for requests with those that wait to be approved', async () => {
    running = await runServer({ clock: new FakeClock(), limits: { requestsInFlight: 70 }, approval: new FakeApproval() });
    const waiting = Array.from({ length: 70 }, () => callStateless(running.peer(), 'list_open_editors').catch(() => undefined));
    const told = await Promise.race(waiting);
    assert.match(told?.text ?? '', /waiting for approval in VS Code/);
    assert.equal((await listTools(running.peer())).status, 200);
    running.approval.answer({ kind: 'allowed', role: 'reader' });
    await Promise.all(waiting);
  });

  it('keeps no memory of the server busy with what it declares', async () => {
    running = await runServer();
    await running.peer().initialize();
    const peer = running.peer();
    const before = heapAfterCollection();
    const filler = 'x'.repeat(2.4 * 1024 * 1024);
    const params = initializeParams('2025-11-25');
    for (let count = 0; count < maxUnapprovedSessions / 2; count += 1) {
      await peer.request('initialize', { ...params, capabilities: { experimental: { filler: { filler } } } });
      await peer.request('initialize', { ...params, clientInfo: { name: filler, version: '1' } });
    }
    const kept = heapAfterCollection() - before;
    assert.ok(kept < 16 * 1024 * 1024, `${Math.round(kept / 1024 / 1024)} MiB are kept`);
  });

  it('closes with a flood of empty frames its own connection and no other', async () => {
    running = await runServer();
    const victim = await WsPeer.open(running.port, running.token);
    await victim.initialize();
    for (const opcode of [0x89, 0x8a]) {
      const attacker = await WsPeer.open(running.port, running.token);
      const { _socket: stream } = attacker.socket as unknown as { readonly _socket: Socket };
      stream.write(Buffer.concat(Array.from({ length: 2_000 }, () => Buffer.from([opcode, 0x80, 1, 2, 3, 4]))));
      assert.equal((await attacker.closed).code, 1006);
      assert.ok((await victim.request('ping')).result);
    }
    await victim.close();
  });

  it('closes with a flood of texts that are no messages its own connection and no other', async () => {
    running = await runServer({ clock: new FakeClock(), limits: { requestsPerSecond: 1_000 } });
    const victim = await WsPeer.open(running.port, running.token);
    await victim.initialize();
    for (const text of ['', 'x', '{', '[]', '{}']) {
      const attacker = await WsPeer.open(running.port, running.token);
      for (let count = 0; count < 3_000; count += 1) {
        attacker.socket.send(text);
      }
      assert.equal((await attacker.closed).code, 1008, text);
      assert.ok((await victim.request('ping')).result);
    }
    await victim.close();
  });

  it('closes with a flood of pings its own connection and no other', async () => {
    running = await runServer({ clock: new FakeClock(), limits: { requestsPerSecond: 20 } });
    const [victim, attacker] = [await WsPeer.open(running.port, running.token), await WsPeer.open(running.port, running.token)];
    await victim.initialize();
    await attacker.initialize();
    for (let count = 0; count < 60; count += 1) {
      attacker.send({ jsonrpc: '2.0', id: `p${count}`, method: 'ping' });
      attacker.send({ jsonrpc: '2.0', id: `l${count}`, method: 'tools/list' });
    }
    assert.equal((await attacker.closed).code, 1008);
    assert.ok((await victim.request('ping')).result);
    assert.ok((await victim.request('tools/list')).result);
    await victim.close();
  });
});

describe('a program without a token', () => {
  it('cannot keep others out with connections that say nothing', async () => {
    const running = await runServer({ limits: { streams: 1 } });
    const [user, silent] = [running.peer(), [] as Socket[]];
    await user.initialize();
    for (let count = 0; count < 1_100; count += 1) {
      silent.push(await connected(running.port));
    }
    const newcomer = running.peer(running.otherToken());
    assert.deepEqual([(await user.request('ping')).status, (await newcomer.initialize()).status], [200, 200]);
    const oldest = silent[0];
    assert.ok(oldest !== undefined);
    await new Promise((resolve) => (oldest.closed ? resolve(undefined) : oldest.once('close', resolve)));
    silent.forEach((socket) => socket.destroy());
    await running.close();
  });
});

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
  });
}

function listTools(peer: HttpPeer): Promise<Answer> {
  const message = modern(1, 'tools/list');
  return peer.post(message, modernHeaders(message));
}

function callStateless(peer: HttpPeer, name: string): Promise<Answer> {
  const message = modern(1, 'tools/call', { name, arguments: {} });
  return peer.post(message, modernHeaders(message));
}

interface Listening {
  readonly status: number;
  readonly ended: Promise<boolean>;
}

/** Streams that need no approval: they tell of nothing but the lists. */
async function listenMany(peer: HttpPeer, many: number): Promise<Listening[]> {
  const streams: Listening[] = [];
  for (let id = 0; id < many; id += 1) {
    const message = modern(id, 'subscriptions/listen', { notifications: { toolsListChanged: true } });
    const reader = await peer.openPost(message, modernHeaders(message));
    const ended = reader.untilOver().then(() => true);
    streams.push({ status: reader.status, ended });
  }
  return streams;
}

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}
