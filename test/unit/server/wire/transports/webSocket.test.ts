import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { deferred } from '../../support/deferred.ts';
import { FakeClock } from '../../../../support/fakeClock.ts';
import { initializeParams, jsonHeaders } from '../../support/httpPeer.ts';
import { runServer, type RunningServer } from '../../support/runningServer.ts';
import { refusalOf, WsPeer } from '../../support/wsPeer.ts';

const errorOf = (answer: JsonObject): { code: number; message: string; data?: JsonObject } =>
  answer.error as unknown as { code: number; message: string; data?: JsonObject };

describe('MCP over WebSocket', () => {
  let running: RunningServer;
  let peers: WsPeer[] = [];

  async function open(port = running.port, token = running.token, options: Parameters<typeof WsPeer.open>[2] = {}): Promise<WsPeer> {
    const peer = await WsPeer.open(port, token, options);
    peers.push(peer);
    return peer;
  }

  afterEach(async () => {
    for (const peer of peers) {
      peer.socket.terminate();
    }
    await Promise.all(peers.map((peer) => peer.closed));
    peers = [];
    await running.close();
  });

  for (const path of ['/ws', '/mcp']) {
    for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      it(`negotiates ${version} on ${path}, lists, calls and reads`, async () => {
        running = await runServer();
        const peer = await open(running.port, running.token, { path });
        const opening = (await peer.initialize(version)).result as JsonObject;
        assert.equal(opening.protocolVersion, version);
        const { tools } = (await peer.request('tools/list')).result as unknown as { tools: { name: string }[] };
        assert.ok(tools.some(({ name }) => name === 'list_open_editors'));
        const call = (await peer.callTool('list_open_editors')).result as { content: { text: string }[]; structuredContent?: object };
        assert.deepEqual(call.structuredContent ?? JSON.parse(call.content[0]?.text ?? ''), { editors: running.editor.editors });
        const read = (await peer.request('resources/read', { uri: 'editor://open' })).result as { contents: { text: string }[] };
        assert.deepEqual(JSON.parse(read.contents[0]?.text ?? ''), { editors: running.editor.editors });
      });
    }
  }

  it('speaks the subprotocol mcp when it is offered, and does without', async () => {
    running = await runServer();
    const named = await open(running.port, running.token, { protocols: ['other', 'mcp'] });
    const plain = await open(running.port, running.token, { protocols: [] });
    assert.deepEqual([named.socket.protocol, plain.socket.protocol], ['mcp', '']);
    assert.ok((await plain.initialize()).result);
  });

  it('never compresses, even when asked to', async () => {
    running = await runServer();
    const peer = await open(running.port, running.token, { perMessageDeflate: true });
    assert.equal(peer.socket.extensions, '');
  });

  it('shows the socket as one client, which is gone when the socket closes', async () => {
    running = await runServer();
    const peer = await open();
    await peer.initialize();
    const [client] = running.server.clients.snapshot();
    assert.deepEqual([client?.transport, client?.callsItself], ['ws', 'peer 9']);
    const gone = new Promise<void>((resolve) => {
      const listening = running.server.clients.onDidChange(() => {
        if (running.server.clients.snapshot().length === 0) {
          listening.dispose();
          resolve();
        }
      });
    });
    await peer.close();
    await gone;
  });

  it('tells of changed resources without being asked again', async () => {
    running = await runServer();
    const peer = await open();
    await peer.initialize();
    await peer.request('resources/subscribe', { uri: 'diagnostics://workspace' });
    running.editor.didChangeDiagnostics.fire();
    for (;;) {
      const told = await peer.next();
      if (told.method === 'notifications/resources/updated') {
        assert.deepEqual(told.params, { uri: 'diagnostics://workspace' });
        break;
      }
    }
  });

  it('answers what is no JSON and what nests too deeply, and goes on', async () => {
    running = await runServer();
    const peer = await open();
    const answers = [await peer.ask('{"jsonrpc":'), await peer.ask('['.repeat(5_000)), await peer.ask('7')];
    assert.deepEqual(
      answers.map((answer) => [errorOf(answer).code, answer.id]),
      [
        [-32700, null],
        [-32600, null],
        [-32600, null],
      ],
    );
    assert.ok((await peer.initialize()).result);
  });

  it('takes batches at the two revisions that have them, and no others', async () => {
    running = await runServer();
    for (const [version, isTaken] of [
      ['2024-11-05', true],
      ['2025-03-26', true],
      ['2025-06-18', false],
      ['2025-11-25', false],
    ] as const) {
      const peer = await open();
      await peer.initialize(version);
      const answer = await peer.ask([
        { jsonrpc: '2.0', id: 'a', method: 'ping' },
        { jsonrpc: '2.0', id: 'b', method: 'prompts/list' },
      ]);
      if (isTaken) {
        assert.deepEqual(new Set((answer as unknown as { id: string }[]).map(({ id }) => id)), new Set(['a', 'b']));
      } else {
        assert.deepEqual([errorOf(answer).code, answer.id], [-32600, null]);
      }
    }
  });

  it('a binary frame closes with 1003, a message above the limit with 1009, bad UTF-8 with 1007', async () => {
    running = await runServer({ limits: { bodyBytes: 1_000 } });
    const binary = await open();
    binary.socket.send(Buffer.from('{}'), { binary: true });
    const large = await open();
    large.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { filler: 'x'.repeat(1_000) } }));
    const broken = await open();
    broken.socket.send(Buffer.from([0xff, 0xfe]), { binary: false });
    const codes = await Promise.all([binary, large, broken].map(async (peer) => (await peer.closed).code));
    assert.deepEqual(codes, [1003, 1009, 1007]);
    assert.ok((await (await open()).initialize()).result);
  });

  it('revoking a client closes its socket with 1008, and only its', async () => {
    running = await runServer();
    const revoked = await open();
    await revoked.initialize();
    const other = await open(running.port, running.otherToken());
    await other.initialize();
    await running.server.rotateWindowToken();
    assert.equal((await revoked.closed).code, 1008);
    assert.equal((await refusalOf(WsPeer.open(running.port, running.token))).status, 401);
    assert.ok((await other.request('ping')).result);
    running.server.clients.snapshot().forEach((client) => running.server.clients.endRevoked(client));
    assert.equal((await other.closed).code, 1008);
  });

  it('stopping the server closes every socket with 1001, also those that do not answer', async () => {
    running = await runServer({ timings: { stop: 200 } });
    const peer = await open();
    await peer.initialize();
    const deaf = connect(running.port, '127.0.0.1');
    deaf.write(handshake(running));
    await once(deaf, 'data');
    const cut = once(deaf.resume(), 'close');
    await running.server.stop();
    assert.equal((await peer.closed).code, 1001);
    await cut;
  });

  it('requests above the rate are refused, cancellations and pings still pass, and a flood closes', async () => {
    running = await runServer({ clock: new FakeClock(), limits: { requestsPerSecond: 20 } });
    const peer = await open();
    await peer.initialize('2025-03-26');
    for (let count = 0; count < 18; count += 1) {
      await peer.request('prompts/list');
    }
    const limited = await peer.request('prompts/list');
    assert.deepEqual([errorOf(limited).code, errorOf(limited).data], [-32603, { reason: 'rateLimited' }]);
    assert.ok((await peer.request('ping')).result);
    peer.send([
      { jsonrpc: '2.0', id: 'in', method: 'ping' },
      { jsonrpc: '2.0', id: 'out', method: 'prompts/list' },
    ]);
    const answers = (await peer.next()) as unknown as readonly JsonObject[];
    assert.deepEqual(
      answers.map(({ id, error }) => [id, error !== undefined]),
      [
        ['out', true],
        ['in', false],
      ],
    );
    for (let count = 0; count < 40; count += 1) {
      peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'nothing' } });
    }
    assert.equal((await peer.closed).code, 1008);
  });

  it('sessions and streams are limited; an upgrade above that is 429', async () => {
    for (const limits of [{ sessions: 1 }, { streams: 1 }]) {
      running = await runServer({ limits });
      const peer = await WsPeer.open(running.port, running.token);
      await peer.initialize();
      const refused = await refusalOf(WsPeer.open(running.port, running.token));
      assert.deepEqual([refused.status, refused.headers['retry-after'] !== undefined], [429, true]);
      await peer.close();
      await running.close();
    }
    running = await runServer();
  });

  it('a socket on which nothing is said is closed after the idle time, a quiet session is not', async () => {
    const clock = new FakeClock();
    running = await runServer({ clock, limits: { idleSessionMinutes: 1 } });
    const silent = await open();
    const quiet = await open();
    await quiet.initialize();
    clock.advance(10 * 60_000);
    assert.equal((await silent.closed).code, 1008);
    assert.ok((await quiet.request('ping')).result);
  });

  it('pings its clients and cuts off one that no longer answers', async () => {
    const clock = new FakeClock();
    running = await runServer({ clock, timings: { streamKeepAlive: 1_000 } });
    const alive = await open();
    const dead = connect(running.port, '127.0.0.1');
    dead.write(handshake(running));
    await once(dead, 'data');
    const cut = once(dead.resume(), 'close');
    for (let tick = 0; tick < 9; tick += 1) {
      const pinged = once(alive.socket, 'ping');
      clock.advance(1_000);
      await pinged;
      // The pong is on its way; a request after it says that it has arrived.
      await alive.request('ping');
    }
    await cut;
    assert.equal(alive.socket.readyState, alive.socket.OPEN);
  });

  it('a reader that does not read is cut off (release)', async () => {
    running = await runServer();
    running.editor.diagnostics = Array.from({ length: 5_000 }, (_, line) => ({
      path: 'src/a.ts',
      range: { start: { line, character: 1 }, end: { line, character: 5 } },
      severity: 'error' as const,
      message: 'x'.repeat(200),
      source: 'ts',
      code: '1',
    }));
    const peer = await open();
    await peer.initialize();
    await peer.callTool('get_diagnostics', { limit: 1 });
    peer.socket.pause();
    const gone = new Promise<void>((resolve) => {
      const listening = running.server.clients.onDidChange(() => {
        if (running.server.clients.snapshot().length === 0) {
          listening.dispose();
          resolve();
        }
      });
    });
    const large = { limit: 1_000, maxChars: 200_000 };
    for (let id = 0; id < 250; id += 1) {
      peer.send({ jsonrpc: '2.0', id: `n${id}`, method: 'tools/call', params: { name: 'get_diagnostics', arguments: large } });
    }
    await gone;
    peer.socket.resume();
  });

  it('a cancelled request is not answered, a second one with its id is refused while it runs', async () => {
    running = await runServer();
    const peer = await open();
    await peer.initialize();
    const started = deferred();
    const aborted = deferred();
    running.editor.answerDiagnostics = (_query, signal) => {
      started.resolve();
      signal.addEventListener('abort', () => aborted.resolve());
      return new Promise(() => undefined);
    };
    const call = { jsonrpc: '2.0', id: 'same', method: 'tools/call', params: { name: 'get_diagnostics', arguments: { waitMs: 1_000 } } };
    peer.send(call);
    await started.promise;
    assert.equal(errorOf(await peer.ask(call)).code, -32600);
    peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'same' } });
    await aborted.promise;
    assert.equal((await peer.request('ping')).id, 2);
  });

  it('a plain GET of /ws is told to upgrade', async () => {
    running = await runServer();
    const answer = await running.peer().send('GET', '/ws');
    assert.deepEqual([answer.status, answer.headers.upgrade], [426, 'websocket']);
    assert.equal((await running.peer().send('POST', '/ws')).status, 405);
  });

  it('a handshake that is none is refused', async () => {
    running = await runServer();
    for (const headers of [{ 'sec-websocket-version': '7' }, { 'sec-websocket-key': 'short' }, { 'sec-websocket-protocol': 'a,,b' }]) {
      const answer = await running.peer().send('GET', '/ws', {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        ...headers,
      });
      assert.deepEqual([answer.status, errorOf(answer.json).code], [400, -32600]);
    }
    assert.equal(running.server.clients.snapshot().length, 0);
  });

  it('an offer of another protocol is ignored and the request served, body and all', async () => {
    running = await runServer();
    const offer = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAARAAAAAAAIAAAAA' };
    const peer = running.peer();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initializeParams('2025-11-25') });
    const answer = await peer.send('POST', '/mcp', { ...jsonHeaders, ...offer, 'content-length': Buffer.byteLength(body) }, body);
    assert.equal((answer.json.result as JsonObject).protocolVersion, '2025-11-25');
    assert.equal((await peer.send('POST', '/mcp', { ...jsonHeaders, ...offer, authorization: undefined }, body)).status, 401);
    assert.equal((await peer.send('POST', '/mcp', { ...jsonHeaders, ...offer, origin: 'https://evil.example' }, body)).status, 403);
  });
});

function handshake({ port, token }: RunningServer): string {
  return (
    `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'
  );
}
