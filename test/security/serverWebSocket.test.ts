import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';
import { refusalOf, WsPeer } from '../unit/server/support/wsPeer.ts';

describe('the WebSocket door of the embedded server', () => {
  let running: RunningServer;
  before(async () => {
    running = await runServer({ allowedOrigins: ['https://friend.example'] });
  });
  after(() => running.close());

  for (const path of ['/ws', '/mcp', '/ws?token=x', '/sse', '/nothing', '/']) {
    it(`an upgrade of ${path} without the right token is 401 and learns nothing`, async () => {
      const { port, token } = running;
      const texts = new Set<string>();
      for (const wrong of [undefined, 'wrong', `${token}x`, token.slice(1)]) {
        const refused = await refusalOf(WsPeer.open(port, wrong, { path }));
        const challenge = String(refused.headers['www-authenticate']);
        assert.equal(refused.status, 401);
        assert.equal(challenge.includes('invalid_token'), wrong !== undefined);
        assert.match(challenge, /^Bearer /);
        assert.equal(refused.headers['sec-websocket-accept'], undefined);
        texts.add(refused.text);
      }
      assert.deepEqual([...texts], ['{"error":"unauthorized"}']);
    });
  }

  it('a token in the URL or as a subprotocol is no credential', async () => {
    const { port, token } = running;
    for (const options of [{ path: `/ws?token=${token}&access_token=${token}` }, { protocols: ['mcp', token] }]) {
      assert.equal((await refusalOf(WsPeer.open(port, undefined, options))).status, 401);
    }
  });

  for (const origin of [
    'https://evil.example',
    'null',
    'http://localhost:3000',
    'vscode-webview://abc',
    'https://friend.example.evil.example',
  ]) {
    it(`a page of the origin "${origin}" opens no socket, even with a token`, async () => {
      for (const path of ['/ws', '/mcp']) {
        const refused = await refusalOf(WsPeer.open(running.port, running.token, { path, headers: { origin } }));
        assert.deepEqual([refused.status, refused.text, refused.headers['www-authenticate']], [403, '{"error":"forbidden"}', undefined]);
      }
    });
  }

  it('a rebound host name is refused before the token is looked at', async () => {
    const { port, token } = running;
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1', `127.0.0.1:${port + 1}`, `localhost.evil.example:${port}`]) {
      for (const credential of [token, undefined]) {
        const refused = await refusalOf(WsPeer.open(port, credential, { headers: { host } }));
        assert.deepEqual([host, refused.status, refused.headers['www-authenticate']], [host, 403, undefined]);
      }
    }
  });

  it('both own names and an allowed origin are let in with a token, and only with one', async () => {
    const { port, token } = running;
    const origin = 'https://friend.example';
    for (const headers of [{ host: `localhost:${port}` }, { host: `127.0.0.1:${port}` }, { origin }]) {
      await (await WsPeer.open(port, token, { headers })).close();
    }
    const refused = await refusalOf(WsPeer.open(port, undefined, { headers: { origin } }));
    assert.deepEqual([refused.status, refused.headers['access-control-allow-origin']], [401, origin]);
  });

  it('with a token, an upgrade elsewhere is 404', async () => {
    for (const path of ['/sse', '/messages', '/', '/WS', '/ws/', '//ws']) {
      assert.deepEqual([path, (await refusalOf(WsPeer.open(running.port, running.token, { path }))).status], [path, 404]);
    }
  });

  it('a refused upgrade begins no session and its connection is closed', async () => {
    const before = running.server.clients.snapshot().length;
    const socket = connect(running.port, '127.0.0.1');
    socket.write(
      `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${running.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\nGET /mcp HTTP/1.1\r\n\r\n',
    );
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
    await once(socket, 'close');
    assert.match(answer, /^HTTP\/1\.1 401 Unauthorized\r\n/);
    assert.equal(answer.match(/HTTP\/1\.1/g)?.length, 1);
    assert.match(answer, /\r\nConnection: close\r\n/i);
    assert.equal(running.server.clients.snapshot().length, before);
  });

  it('equal request ids on two sockets never cross', async () => {
    const one = await WsPeer.open(running.port, running.token);
    const two = await WsPeer.open(running.port, running.otherToken());
    await Promise.all([one.initialize('2025-11-25'), two.initialize('2024-11-05')]);
    const ask = (peer: WsPeer, method: string): ReturnType<WsPeer['ask']> => peer.ask({ jsonrpc: '2.0', id: 'same', method });
    const [tools, prompts] = await Promise.all([ask(one, 'tools/list'), ask(two, 'prompts/list')]);
    assert.deepEqual([Object.keys(tools.result ?? {}), Object.keys(prompts.result ?? {})], [['tools'], ['prompts']]);
    await Promise.all([one.close(), two.close()]);
  });

  it('the person is asked about each socket of the window token anew', async () => {
    const asked = running.approval.asked.length;
    for (const path of ['/ws', '/mcp']) {
      const peer = await WsPeer.open(running.port, running.token, { path });
      await peer.initialize();
      await peer.callTool('list_open_editors');
      await peer.callTool('list_open_editors');
      await peer.close();
    }
    assert.equal(running.approval.asked.length, asked + 2);
  });
});
