import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as net from 'node:net';
import { runServer, type RunningServer } from '../../support/runningServer.ts';

describe('A request for another protocol', () => {
  let running: RunningServer;

  beforeEach(async () => {
    running = await runServer();
  });

  afterEach(() => running.close());

  const head = (first: string, ...more: string[]): string =>
    [`${first} HTTP/1.1`, `Host: 127.0.0.1:${running.port}`, ...more, '', ''].join('\r\n');

  async function say(text: string): Promise<string> {
    const socket = net.connect(running.port, '127.0.0.1');
    let heard = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (heard += chunk));
    socket.on('error', () => undefined);
    socket.write(text);
    await once(socket, 'close');
    return heard;
  }

  const offers = {
    WebSocket: ['Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='],
    'HTTP/2': ['Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'],
  };

  for (const [name, offer] of Object.entries(offers)) {
    it(`for ${name} right behind a request without an answer closes that connection, and no other`, async () => {
      const token = `Authorization: Bearer ${running.token}`;
      const slow = head('GET /sse', token, 'Accept: text/event-stream');
      await say(slow + head('GET /ws', token, 'Connection: Upgrade', ...offer));
      const { status } = await running.peer().post({ jsonrpc: '2.0', id: 1, method: 'ping' });
      assert.notEqual(status, 500);
    });
  }

  it('is served when the answer before it was sent', async () => {
    const socket = net.connect(running.port, '127.0.0.1').setEncoding('latin1');
    socket.write(head('GET /nothing', `Authorization: Bearer ${running.token}`));
    const [first] = (await once(socket, 'data')) as [string];
    assert.match(first, /^HTTP\/1\.1 404 /);
    socket.write(head('GET /ws', `Authorization: Bearer ${running.token}`, 'Connection: Upgrade', ...offers.WebSocket));
    const [second] = (await once(socket, 'data')) as [string];
    assert.match(second, /^HTTP\/1\.1 101 /);
    socket.destroy();
  });
});
