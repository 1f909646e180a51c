import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/base/json.ts';
import { initializeParams, jsonHeaders } from '../unit/server/support/httpPeer.ts';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';

describe('sessions of the embedded server', () => {
  let running: RunningServer;
  beforeEach(async () => {
    running = await runServer();
  });
  afterEach(() => running.close());

  it("another client's session looks like none, by every method", async () => {
    const owner = running.peer();
    await owner.initialize();
    const thief = running.peer(running.otherToken());
    thief.sessionId = owner.sessionId;
    const session = { 'mcp-session-id': owner.sessionId };
    const stolen = [
      await thief.request('tools/list'),
      await thief.send('GET', '/mcp', { ...session, accept: 'text/event-stream' }),
      await thief.send('GET', '/mcp', { ...session, accept: 'text/event-stream', 'last-event-id': 's_0' }),
      await thief.send('DELETE', '/mcp', session),
    ];
    thief.sessionId = 'unknown';
    const unknown = await thief.request('tools/list');
    assert.deepEqual(
      stolen.map(({ status, text }) => [status, text]),
      stolen.map(() => [404, unknown.text]),
    );
    assert.equal((await owner.request('ping')).status, 200);
  });

  it("another client's HTTP+SSE session looks like none", async () => {
    const stream = await running.peer().stream('/sse');
    const endpoint = (await stream.next())?.data ?? '';
    const thief = running.peer(running.otherToken());
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initializeParams('2024-11-05') });
    assert.equal((await thief.send('POST', endpoint, jsonHeaders, body)).status, 404);
  });

  it('a session of one transport is none of the other', async () => {
    const stream = await running.peer().stream('/sse');
    const sseSession = new URLSearchParams((await stream.next())?.data.split('?')[1]).get('sessionId') ?? '';
    const peer = running.peer();
    await peer.initialize();
    assert.equal((await peer.send('POST', `/messages?sessionId=${peer.sessionId ?? ''}`, jsonHeaders, '{}')).status, 404);
    peer.sessionId = sseSession;
    assert.equal((await peer.request('ping')).status, 404);
  });

  it('equal request ids of clients at work at the same time never cross', async () => {
    const ready: (() => void)[] = [];
    const allHere = new Promise<void>((resolve) => {
      running.editor.answerDiagnostics = async ({ source = '' }) => {
        await new Promise<void>((go) => {
          ready.push(go);
          if (ready.length === 8) {
            resolve();
          }
        });
        return { diagnostics: [], documents: [{ path: source, version: 'v1', isDirty: false }], settled: true };
      };
    });
    const peers = Array.from({ length: 8 }, () => running.peer());
    await Promise.all(peers.map((peer) => peer.initialize()));
    const calls = peers.map((peer, index) =>
      peer.post({
        jsonrpc: '2.0',
        id: 42,
        method: 'tools/call',
        params: { name: 'get_diagnostics', arguments: { source: `client ${index}` } },
      }),
    );
    await allHere;
    // Answered in another order than asked.
    for (const go of ready.reverse()) {
      go();
    }
    const paths = (await Promise.all(calls)).map(({ json }) => {
      const { documents } = (json.result as JsonObject).structuredContent as unknown as { documents: { path: string }[] };
      return documents[0]?.path;
    });
    assert.deepEqual(
      paths,
      peers.map((_, index) => `client ${index}`),
    );
  });

  it('a notification reaches only the session that subscribed', async () => {
    const [subscriber, other] = [running.peer(), running.peer()];
    for (const peer of [subscriber, other]) {
      await peer.initialize();
      await peer.callTool('list_workspace_folders');
    }
    const streams = [await subscriber.stream(), await other.stream()] as const;
    await subscriber.request('resources/subscribe', { uri: 'editor://open' });
    running.editor.editors = [];
    running.editor.didChangeOpenEditors.fire();
    const methods = [];
    do {
      methods.push((await streams[0].nextMessage()).method);
    } while (methods.at(-1) !== 'notifications/resources/updated');
    await other.send('DELETE', '/mcp', { 'mcp-session-id': other.sessionId });
    const overheard = [];
    for (let event = await streams[1].next(); event !== undefined; event = await streams[1].next()) {
      overheard.push((JSON.parse(event.data) as JsonObject).method);
    }
    assert.ok(!overheard.includes('notifications/resources/updated'));
  });

  it('session ids are not to be guessed', async () => {
    const ids = new Set<string>();
    for (let count = 0; count < 5; count += 1) {
      const peer = running.peer();
      await peer.initialize();
      assert.match(peer.sessionId ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      ids.add(peer.sessionId ?? '');
    }
    assert.equal(ids.size, 5);
  });
});
