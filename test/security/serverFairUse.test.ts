import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { maxUnapprovedSessions } from '../../src/server/protocol/sessionDirectory.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { initializeParams } from '../unit/server/support/httpPeer.ts';
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

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}
