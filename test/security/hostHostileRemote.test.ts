import assert from 'node:assert/strict';
import type { RequestListener, ServerResponse } from 'node:http';
import { WebSocketServer } from 'ws';
import { hasCode } from '../../src/base/errors.ts';
import { isJsonObject, type JsonObject } from '../../src/base/json.ts';
import { Cleanup, connectTo, legacyAnswer, readJson, sendJson, startPeer } from '../unit/host/remoteSupport.ts';
import { failureOf } from '../unit/host/support.ts';

const mebibyte = 1024 * 1024;

/** Behaves until a tool is called, then does what it is told. */
function hostileAt(method: string, attack: (response: ServerResponse, message: JsonObject) => void): RequestListener {
  return (request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    void readJson(request).then((message) => {
      const answer = legacyAnswer(message);
      if (message['method'] === method) {
        attack(response, message);
      } else if (answer === undefined) {
        response.writeHead(202).end();
      } else {
        sendJson(response, answer);
      }
    });
  };
}

/** Writes as fast as it is read, until the other side hangs up. Resolves to the bytes it got rid of. */
function flood(response: ServerResponse, part: string): Promise<number> {
  let sent = 0;
  return new Promise((resolve) => {
    response.once('close', () => resolve(sent));
    const write = (): void => {
      while (!response.destroyed && sent < 200 * mebibyte) {
        sent += part.length;
        if (!response.write(part)) {
          response.once('drain', write);
          return;
        }
      }
      response.end();
    };
    write();
  });
}

describe('A hostile remote server', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  for (const [what, head, part] of [
    ['a line without end', 'data: ', 'x'.repeat(mebibyte)],
    ['an event without end', '', `data: ${'x'.repeat(1_000)}\n`.repeat(1_000)],
  ] as const) {
    it(`that sends ${what} is cut off with that reason`, async () => {
      let sent: Promise<number> = Promise.resolve(0);
      const peer = cleanup.add(
        await startPeer(
          hostileAt('tools/call', (response) => {
            response.writeHead(200, { 'content-type': 'text/event-stream' });
            response.write(head);
            sent = flood(response, part);
          }),
        ),
      );
      const host = cleanup.add(connectTo(peer.url, { timeoutMs: 15_000 }));
      await host.start();
      await assert.rejects(host.call(), (error) => hasCode(error, 'host.messageTooLarge'));
      assert.equal(failureOf(host.connection.state).code, 'host.messageTooLarge');
      assert.ok((await sent) < 64 * mebibyte);
    });
  }

  it('that sends a body without end is cut off with that reason', async () => {
    let sent: Promise<number> = Promise.resolve(0);
    const peer = cleanup.add(
      await startPeer(
        hostileAt('initialize', (response) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.write('{"jsonrpc":"2.0","id":0,"result":"');
          sent = flood(response, 'x'.repeat(mebibyte));
        }),
      ),
    );
    const host = cleanup.add(connectTo(peer.url, { timeoutMs: 15_000 }));
    assert.equal(failureOf(await host.start()).code, 'host.messageTooLarge');
    assert.ok((await sent) < 64 * mebibyte);
  });

  it('that sends a deeply nested body is cut off with that reason', async () => {
    const peer = cleanup.add(
      await startPeer(
        hostileAt('tools/list', (response) => {
          response.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(100_000));
        }),
      ),
    );
    assert.equal(failureOf(await cleanup.add(connectTo(peer.url)).start()).code, 'host.messageTooDeep');
  });

  it('that explains a refusal without end is refused its explanation', async () => {
    const peer = cleanup.add(
      await startPeer((_, response) => {
        response.writeHead(500, { 'content-type': 'text/html' });
        void flood(response, 'x'.repeat(mebibyte));
      }),
    );
    assert.equal(failureOf(await cleanup.add(connectTo(peer.url)).start()).code, 'host.unavailable');
  });

  it('that never answers fails after its timeout, over every transport', async () => {
    const peer = cleanup.add(await startPeer(() => undefined));
    for (const type of ['http', 'sse', 'auto'] as const) {
      const state = await cleanup.add(connectTo(peer.url, { type, timeoutMs: 300 })).start();
      assert.equal(failureOf(state).code, 'host.timeout', type);
    }
    const socketState = await cleanup.add(connectTo(peer.url, { type: 'ws', timeoutMs: 300 })).start();
    assert.equal(socketState.kind, 'failed');
  });

  it('that opens an event stream and never says where to write fails after its timeout', async () => {
    const peer = cleanup.add(
      await startPeer((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': hello\n\n');
      }),
    );
    const state = await cleanup.add(connectTo(peer.url, { type: 'sse', timeoutMs: 300 })).start();
    assert.equal(failureOf(state).code, 'host.timeout');
  });

  it('that hangs up in the handshake fails with that reason', async () => {
    const peer = cleanup.add(await startPeer((request) => void request.socket.destroy()));
    assert.equal(failureOf(await cleanup.add(connectTo(peer.url)).start()).code, 'host.unreachable');
  });

  it('that sends the messages of others to another origin is not followed there', async () => {
    const peer = cleanup.add(
      await startPeer((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('event: endpoint\ndata: http://127.0.0.2:9/steal\n\n');
      }),
    );
    const state = await cleanup.add(connectTo(peer.url, { type: 'sse' })).start();
    assert.equal(state.kind, 'failed');
  });

  it('that answers twice, and answers what nobody asked, disturbs nothing', async () => {
    const peer = cleanup.add(
      await startPeer(
        hostileAt('tools/call', (response, message) => {
          const answer = legacyAnswer(message);
          const strange = { jsonrpc: '2.0', id: 99_999, result: { content: [{ type: 'text', text: 'strange' }] } };
          const second = { ...answer, result: { content: [{ type: 'text', text: 'second' }] } };
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.end([strange, answer, second, answer].map((each) => `data: ${JSON.stringify(each)}\n\n`).join(''));
        }),
      ),
    );
    const host = cleanup.add(connectTo(peer.url));
    await host.start();
    assert.deepEqual((await host.call({ g: 7 })).content, [{ type: 'text', text: '{"g":7}' }]);
    assert.deepEqual((await host.call({ h: 8 })).content, [{ type: 'text', text: '{"h":8}' }]);
    assert.equal(host.connection.state.kind, 'ready');
  });

  it('over a WebSocket that sends a frame without measure is cut off with that reason', async () => {
    const peer = cleanup.add(await startPeer((_, response) => void response.writeHead(426).end()));
    const sockets = new WebSocketServer({ server: peer.server });
    sockets.on('connection', (socket) => {
      socket.on('error', () => undefined);
      socket.on('message', (data: Buffer) => {
        const message: unknown = JSON.parse(data.toString('utf8'));
        if (isJsonObject(message) && message['method'] === 'tools/list') {
          socket.send('x'.repeat(17 * mebibyte));
        } else if (isJsonObject(message) && message['id'] !== undefined) {
          socket.send(JSON.stringify(legacyAnswer(message)));
        }
      });
    });
    const host = cleanup.add(connectTo(peer.url, { type: 'ws' }));
    assert.equal(failureOf(await host.start()).code, 'host.messageTooLarge');
    sockets.close();
  });
});
