import assert from 'node:assert/strict';
import type { RequestListener, ServerResponse } from 'node:http';
import { WebSocketServer } from 'ws';
import { isJsonObject } from '../../../../src/base/json.ts';
import { hasCode } from '../../../../src/base/errors.ts';
import { RememberedEras } from '../../../../src/host/shared/eraCache.ts';
import { Cleanup, connectTo, legacyAnswer, readJson, sendJson, startPeer, streamable } from '../remoteSupport.ts';
import { failureOf } from '../support.ts';

/** HTTP+SSE of 2024-11-05; `batches` puts every answer into an array. */
function sseOnly(batches = false): RequestListener {
  let stream: ServerResponse | undefined;
  return (request, response) => {
    if (request.method === 'GET') {
      stream = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\ndata: /messages?sessionId=1\n\n');
    } else if (request.url?.startsWith('/messages') === true) {
      void readJson(request).then((message) => {
        response.writeHead(202).end();
        const answer = legacyAnswer(message, '2024-11-05');
        if (answer !== undefined) {
          const notice = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } };
          stream?.write(`: alive\r\nevent: message\ndata: ${JSON.stringify(batches ? [notice, answer] : answer)}\n\n`);
        }
      });
    } else {
      response.writeHead(404).end('Cannot POST');
    }
  };
}

describe('A remote server', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('that answers with JSON over Streamable HTTP is ready and can be called', async () => {
    const peer = cleanup.add(await startPeer(streamable('2025-06-18')));
    const host = cleanup.add(connectTo(peer.url));
    const state = await host.start();
    assert.equal(state.kind === 'ready' && state.protocolVersion, '2025-06-18');
    assert.deepEqual((await host.call({ a: 1 })).content, [{ type: 'text', text: '{"a":1}' }]);
  });

  it('that answers in event streams, with a session, is told when the session ends', async () => {
    const seen: (string | undefined)[] = [];
    const peer = cleanup.add(
      await startPeer((request, response) => {
        seen.push(request.headers['mcp-session-id'] as string | undefined);
        if (request.method !== 'POST') {
          response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
          return;
        }
        void readJson(request).then((message) => {
          const answer = legacyAnswer(message);
          response.writeHead(answer === undefined ? 202 : 200, { 'content-type': 'text/event-stream', 'mcp-session-id': 's1' });
          response.end(answer === undefined ? '' : `id: 1\ndata: ${JSON.stringify(answer)}\n\n`);
        });
      }),
    );
    const host = cleanup.add(connectTo(peer.url));
    assert.equal((await host.start()).kind, 'ready');
    assert.deepEqual((await host.call({ b: 2 })).content, [{ type: 'text', text: '{"b":2}' }]);
    await host.connection.stop('byUser');
    assert.equal(peer.requests.at(-1), 'DELETE /mcp');
    assert.equal(seen.at(-1), 's1');
  });

  it('that only speaks HTTP+SSE is found without being told', async () => {
    const peer = cleanup.add(await startPeer(sseOnly(), '/sse'));
    const host = cleanup.add(connectTo(peer.url));
    const state = await host.start();
    assert.equal(state.kind === 'ready' && state.protocolVersion, '2024-11-05');
    assert.deepEqual(peer.requests.slice(0, 3), ['POST /sse', 'GET /sse', 'POST /messages?sessionId=1']);
    assert.deepEqual((await host.call({ c: 3 })).content, [{ type: 'text', text: '{"c":3}' }]);
  });

  it('that is said to speak HTTP+SSE is asked for nothing else', async () => {
    const peer = cleanup.add(await startPeer(sseOnly(), '/sse'));
    const host = cleanup.add(connectTo(peer.url, { type: 'sse' }));
    assert.equal((await host.start()).kind, 'ready');
    assert.equal(peer.requests[0], 'GET /sse');
  });

  it('that is said to speak Streamable HTTP is not asked for HTTP+SSE', async () => {
    const peer = cleanup.add(await startPeer(sseOnly(), '/sse'));
    const host = cleanup.add(connectTo(peer.url, { type: 'http' }));
    assert.equal(failureOf(await host.start()).code, 'host.httpStatus');
    assert.ok(!peer.requests.includes('GET /sse'));
  });

  it('that sends several messages in one array is understood', async () => {
    const peer = cleanup.add(await startPeer(sseOnly(true), '/sse'));
    const host = cleanup.add(connectTo(peer.url));
    assert.equal((await host.start()).kind, 'ready');
    assert.deepEqual((await host.call({ d: 4 })).content, [{ type: 'text', text: '{"d":4}' }]);
  });

  it('over a WebSocket is ready, can be called, and says when it goes', async () => {
    const peer = cleanup.add(await startPeer((_, response) => void response.writeHead(426).end(), '/ws'));
    const sockets = new WebSocketServer({ server: peer.server });
    let offered = '';
    sockets.on('connection', (socket, request) => {
      offered = request.headers['sec-websocket-protocol'] ?? '';
      socket.on('message', (data: Buffer) => {
        const message: unknown = JSON.parse(data.toString('utf8'));
        const answer = isJsonObject(message) ? legacyAnswer(message) : undefined;
        if (answer !== undefined) {
          socket.send(JSON.stringify(answer));
        }
      });
    });
    const url = new URL(peer.url);
    url.protocol = 'ws:';
    const host = cleanup.add(connectTo(url, { type: 'ws' }));
    const state = await host.start();
    assert.equal(state.kind === 'ready' && state.protocolVersion, '2025-11-25');
    assert.equal(offered, 'mcp');
    assert.deepEqual((await host.call({ e: 5 })).content, [{ type: 'text', text: '{"e":5}' }]);
    const ended = host.connection.session?.closed;
    sockets.clients.forEach((socket) => socket.terminate());
    await ended;
    assert.equal(failureOf(host.connection.state).code, 'host.closedByServer');
    sockets.close();
  });

  it('that wants a sign-in fails with that reason', async () => {
    const peer = cleanup.add(await startPeer((_, response) => void response.writeHead(401).end('who are you?')));
    const state = await cleanup.add(connectTo(peer.url)).start();
    assert.equal(failureOf(state).code, 'host.unauthorized');
    assert.equal(peer.requests.length, 1);
  });

  it('that nobody answers for fails with that reason', async () => {
    const peer = await startPeer(streamable());
    await peer.close();
    assert.equal(failureOf(await cleanup.add(connectTo(peer.url)).start()).code, 'host.unreachable');
    assert.equal(failureOf(await cleanup.add(connectTo(peer.url, { type: 'sse' })).start()).code, 'host.unreachable');
    assert.equal(failureOf(await cleanup.add(connectTo(peer.url, { type: 'ws' })).start()).code, 'host.unreachable');
  });

  it('that forgets the session is lost with that reason, which a new session heals', async () => {
    let session = 's1';
    const peer = cleanup.add(
      await startPeer((request, response) => {
        if (request.method !== 'POST') {
          response.writeHead(405).end();
          return;
        }
        void readJson(request).then((message) => {
          const answer = legacyAnswer(message);
          const isKnown = message['method'] === 'initialize' || request.headers['mcp-session-id'] === session;
          if (!isKnown && request.headers['mcp-session-id'] !== undefined) {
            response.writeHead(404).end();
          } else if (answer === undefined) {
            response.writeHead(202).end();
          } else {
            sendJson(response, answer, message['method'] === 'initialize' ? { 'mcp-session-id': session } : {});
          }
        });
      }),
    );
    const host = cleanup.add(connectTo(peer.url));
    assert.equal((await host.start()).kind, 'ready');
    session = 's2';
    await assert.rejects(host.call(), (error) => hasCode(error, 'host.sessionExpired'));
    assert.equal(failureOf(host.connection.state).code, 'host.sessionExpired');
    assert.equal((await host.start()).kind, 'ready');
  });

  it('that dies during a call fails it within a second, however it was answering', async () => {
    for (const type of ['http', 'sse'] as const) {
      let onCall: () => void = () => undefined;
      const called = new Promise<void>((resolve) => (onCall = resolve));
      const inner = type === 'http' ? streamable() : sseOnly();
      const peer = cleanup.add(
        await startPeer((request, response) => {
          if (request.method === 'POST' && request.headers['x-hang'] === 'later' && peer.requests.length > 6) {
            onCall();
            if (type === 'http') {
              response.writeHead(200, { 'content-type': 'text/event-stream' });
              response.write(': working\n\n');
            } else {
              response.writeHead(202).end();
            }
            return;
          }
          inner(request, response);
        }),
      );
      const host = cleanup.add(connectTo(peer.url, { type, headers: { 'x-hang': 'later' }, timeoutMs: 20_000 }));
      assert.equal((await host.start()).kind, 'ready');
      while (peer.requests.length < 6) {
        await host.call();
      }
      const failing = assert.rejects(host.call(), (error) => hasCode(error, 'host.answerLost') || hasCode(error, 'host.closedByServer'));
      await called;
      const killed = performance.now();
      await peer.close();
      await failing;
      assert.ok(performance.now() - killed < 15_000, `${type} took too long`);
    }
  });

  it('of the legacy era is not asked for its era again', async () => {
    const peer = cleanup.add(await startPeer(streamable()));
    const eraCache = new RememberedEras();
    const host = cleanup.add(connectTo(peer.url, {}, { eraCache }));
    await host.start();
    const first = peer.requests.length;
    await host.connection.stop('byUser');
    await host.start();
    // One request less: the probe.
    assert.equal(peer.requests.length - first, first - 1);
  });
});

describe('Secrets', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('are not sent in the open to another machine unless that was allowed', async () => {
    const state = await cleanup.add(connectTo(new URL('http://192.0.2.1/mcp'), { headers: { 'x-key': 'secret' } })).start();
    assert.equal(failureOf(state).code, 'host.secretsOverPlainHttp');
  });

  it('do not follow a redirect to another origin', async () => {
    let reached = false;
    const other = cleanup.add(
      await startPeer((_, response) => {
        reached = true;
        response.writeHead(500).end();
      }),
    );
    const peer = cleanup.add(await startPeer((_, response) => void response.writeHead(307, { location: other.url.href }).end()));
    const state = await cleanup.add(connectTo(peer.url, { headers: { authorization: 'Bearer secret' } })).start();
    assert.equal(state.kind, 'failed');
    assert.equal(reached, false);
  });
});
