import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasCode } from '../../src/base/errors.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { Cleanup, connectTo, legacyAnswer, readJson, sendJson, startPeer } from '../unit/host/remoteSupport.ts';
import { failureOf } from '../unit/host/support.ts';

/** Behaves in the handshake; `onStream` gets the listening stream, and answers of the host are left to `onAnswer`. */
function peerWith({
  onStream,
  onAnswer,
  onCall,
}: Partial<Record<'onStream' | 'onAnswer' | 'onCall', (response: ServerResponse, message: JsonObject) => void>>): RequestListener {
  return (request, response) => {
    if (request.method === 'GET' && onStream !== undefined) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      onStream(response, {});
      return;
    }
    void readJson(request).then((message) => {
      const answer = message['method'] === undefined ? undefined : legacyAnswer(message);
      if (message['method'] === undefined && onAnswer !== undefined && request.method === 'POST') {
        onAnswer(response, message);
      } else if (message['method'] === 'tools/call' && onCall !== undefined) {
        onCall(response, message);
      } else if (answer === undefined) {
        response.writeHead(request.method === 'POST' ? 202 : 405).end();
      } else {
        sendJson(response, answer);
      }
    });
  };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('A remote server that wants to keep the editor busy', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  for (const retry of ['0', '99999999999']) {
    it(`is not asked without end when it ends each stream and says “retry: ${retry}”`, async () => {
      const openedAt: number[] = [];
      const peer = cleanup.add(
        await startPeer(
          peerWith({
            onStream: (response) => {
              openedAt.push(performance.now());
              response.end(`retry: ${openedAt.length < 3 ? '0' : retry}\nid: ${openedAt.length}\ndata:\n\n`);
            },
          }),
        ),
      );
      const host = cleanup.add(connectTo(peer.url));
      assert.equal((await host.start()).kind, 'ready');
      await until(() => openedAt.length >= 3);
      const [first = 0, , third = 0] = openedAt;
      assert.ok(third - first > 400, `twice within ${(third - first).toFixed(0)} ms`);
      await host.call();
      assert.ok(openedAt.length < 6);
    });
  }

  it('has few connections opened by requests whose answers it does not take, and is given up', async () => {
    let waiting = 0;
    const peer = cleanup.add(
      await startPeer(
        peerWith({
          onAnswer: () => void (waiting += 1),
          onCall: (response) => {
            response.writeHead(200, { 'content-type': 'text/event-stream' });
            for (let id = 0; id < 3_000; id += 1) {
              response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: `q${id}`, method: 'ping' })}\n\n`);
            }
          },
        }),
      ),
    );
    const host = cleanup.add(connectTo(peer.url));
    await host.start();
    await assert.rejects(host.call(), (error) => hasCode(error, 'host.serverNotReading'));
    assert.equal(failureOf(host.connection.state).code, 'host.serverNotReading');
    assert.ok(waiting <= 8, `${waiting} connections`);
  });

  it('is measured in bytes over an event stream, too', async () => {
    const event = Buffer.from(`data: {"jsonrpc":"2.0","method":"a","params":{"a":"${'\u2003'.repeat(6_000_000)}"}}\n\n`);
    const onCall = (response: ServerResponse, message: JsonObject): void => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event);
      response.end(`data: ${JSON.stringify(legacyAnswer(message))}\n\n`);
    };
    const peer = cleanup.add(await startPeer(peerWith({ onCall })));
    const host = cleanup.add(connectTo(peer.url, { timeoutMs: 15_000 }));
    await host.start();
    await assert.rejects(host.call(), (error) => hasCode(error, 'host.messageTooLarge'));
  });

  it('over a WebSocket that pings without end, and reads no answer, is given up', async () => {
    const sockets: Socket[] = [];
    const peer = cleanup.add(await startPeer((_, response) => void response.writeHead(426).end()));
    peer.server.on('upgrade', (request, socket: Socket) => {
      sockets.push(socket);
      const key = createHash('sha1').update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
      const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Protocol: mcp'];
      socket.write(`${[...head, `Sec-WebSocket-Accept: ${key.digest('base64')}`].join('\r\n')}\r\n\r\n`);
      socket.on('error', () => undefined);
      // Nothing is read from here on.
      const pings = Buffer.concat(Array.from({ length: 2_000 }, () => Buffer.concat([Buffer.from([0x89, 125]), Buffer.alloc(125, 'x')])));
      const flood = (): void => {
        let isTaken = true;
        while (isTaken && !socket.destroyed) {
          isTaken = socket.write(pings);
        }
        if (!socket.destroyed) {
          socket.once('drain', flood);
        }
      };
      flood();
    });
    const host = cleanup.add(connectTo(peer.url, { type: 'ws', timeoutMs: 15_000 }));
    assert.equal(failureOf(await host.start()).code, 'host.tooManyMessages');
    sockets.forEach((socket) => socket.destroy());
  });
});
