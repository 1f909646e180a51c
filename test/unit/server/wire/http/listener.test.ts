import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as net from 'node:net';
import { runServer, type RunningServer } from '../../support/runningServer.ts';

describe('Requests that come all at once', () => {
  let running: RunningServer;
  beforeEach(async () => {
    running = await runServer();
  });
  afterEach(() => running.close());

  /** Lets every check of a credential take longer than a turn may, and notes in which turn it was. */
  function slowDown(): { readonly turns: number[]; readonly stop: () => void } {
    const { credentials } = running.server;
    const [verify, holds] = [credentials.verify.bind(credentials), credentials.holds.bind(credentials)];
    const turns: number[] = [];
    let now = 0;
    let isOver = false;
    const tick = (): void => {
      now += 1;
      if (!isOver) {
        setImmediate(tick);
      }
    };
    tick();
    const takeLong = (): void => {
      turns.push(now);
      const until = performance.now() + 11;
      while (performance.now() < until);
    };
    credentials.verify = (token) => {
      takeLong();
      return verify(token);
    };
    credentials.holds = (credential) => {
      takeLong();
      return holds(credential);
    };
    return { turns, stop: () => (isOver = true) };
  }

  const ask = (path: string, ...more: readonly string[]): string =>
    [`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${running.port}`, `Authorization: Bearer ${running.token}`, ...more, '', ''].join('\r\n');

  it('are let in over several turns, and answered in their order', async () => {
    const { turns, stop } = slowDown();
    const socket = net.connect(running.port, '127.0.0.1').setEncoding('latin1');
    let heard = '';
    socket.on('data', (chunk: string) => (heard += chunk));
    socket.write([ask('/nothing'), ask('/mcp', 'Accept: text/plain'), ask('/ws'), ask('/nothing', 'Connection: close')].join(''));
    await once(socket, 'close');
    stop();
    assert.deepEqual(
      [...heard.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
      ['404', '406', '426', '404'],
    );
    assert.equal(new Set(turns).size, 4, `in the turns ${turns.join(', ')}`);
  });

  it('and whose client has gone before their turn are not served any more', async () => {
    const { stop } = slowDown();
    const socket = net.connect(running.port, '127.0.0.1').resume();
    socket.on('error', () => undefined);
    const offer = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
    // The server cuts off whoever wants another protocol before the answers are there, and so the second one.
    socket.write([ask('/nothing'), ask('/sse', 'Accept: text/event-stream'), ask('/ws', ...offer)].join(''));
    await once(socket, 'close');
    assert.ok((await running.peer().initialize()).status === 200);
    stop();
    assert.deepEqual(
      running.server.clients.snapshot().map(({ transport }) => transport),
      ['http'],
    );
  });

  it('and whose credential was revoked before their turn are not served any more', async () => {
    const token = running.otherToken();
    const { stop } = slowDown();
    const { credentials } = running.server;
    const holds = credentials.holds.bind(credentials);
    credentials.holds = (credential) => {
      credentials.revoke(credential.id);
      return holds(credential);
    };
    const socket = net.connect(running.port, '127.0.0.1').setEncoding('latin1');
    let heard = '';
    socket.on('data', (chunk: string) => (heard += chunk));
    socket.write([ask('/nothing'), ask('/ws')].join('').replaceAll(running.token, token));
    await once(socket, 'close');
    stop();
    assert.deepEqual(heard.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 404']);
  });
});
