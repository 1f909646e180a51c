import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { initializeParams, jsonHeaders } from '../unit/server/support/httpPeer.ts';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';

const paths = [
  '/mcp',
  '/sse',
  '/messages',
  '/messages?sessionId=x',
  '/ws',
  '/',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-protected-resource/ws',
  '/authorize/',
  '//token',
  '/nothing',
];
const openPaths = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-protected-resource/sse',
  '/.well-known/oauth-authorization-server',
  '/register',
  '/authorize',
  '/token',
  '/revoke',
];
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'];

/** Raw bytes in, raw bytes out until the connection closes or the answer's head is complete. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      answer += chunk;
      if (answer.includes('\r\n\r\n')) {
        socket.destroy();
      }
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('the front door of the embedded server', () => {
  let running: RunningServer;
  before(async () => {
    running = await runServer({ allowedOrigins: ['https://friend.example'], limits: { oauthPerSecond: 10_000 } });
  });
  after(() => running.close());

  for (const path of paths) {
    it(`nobody gets past ${path} without the right token, by any method, and wrong looks like wrong`, async () => {
      for (const method of methods) {
        const peer = running.peer();
        const body =
          method === 'POST'
            ? JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initializeParams('2025-11-25') })
            : undefined;
        const suffix = path === '/mcp' ? '/mcp' : /^\/(?:sse|messages)/.test(path) ? '/sse' : '';
        const metadata = `Bearer resource_metadata="http://127.0.0.1:${running.port}/.well-known/oauth-protected-resource${suffix}"`;
        const none = await peer.send(method, path, { ...jsonHeaders, authorization: undefined }, body);
        assert.deepEqual([method, none.status, none.headers['www-authenticate']], [method, 401, metadata]);
        const texts = new Set([none.text]);
        for (const authorization of [
          'Bearer wrong',
          `Bearer ${running.token}x`,
          `Bearer ${running.token.slice(1)}`,
          `Basic ${running.token}`,
          running.token,
          'Bearer ',
        ]) {
          const wrong = await peer.send(method, path, { ...jsonHeaders, authorization }, body);
          assert.deepEqual(
            [method, authorization, wrong.status, wrong.headers['www-authenticate']],
            [method, authorization, 401, `${metadata}, error="invalid_token"`],
          );
          texts.add(wrong.text);
        }
        assert.equal(texts.size, 1);
      }
    });
  }

  for (const path of openPaths) {
    it(`${path} tells a stranger nothing of the editor, by any method, and opens for no foreign page`, async () => {
      for (const method of methods) {
        const peer = running.peer();
        const body = method === 'POST' ? 'client_name=x' : undefined;
        for (const authorization of [undefined, 'Bearer wrong', `Bearer ${running.token}`]) {
          const answer = await peer.send(method, path, { 'content-type': 'text/plain', authorization }, body);
          assert.ok([200, 400, 405, 415].includes(answer.status), `${method} ${answer.status}`);
          assert.doesNotMatch(answer.text, /demo|src\/a\.ts|1\.2\.3/);
        }
        const foreign = await peer.send(method, path, { origin: 'https://evil.example', authorization: undefined }, body);
        const rebound = await peer.send(method, path, { host: 'evil.example', authorization: undefined }, body);
        assert.deepEqual([method, foreign.status, rebound.status], [method, 403, 403]);
      }
      assert.equal(running.approval.asked.length, 0);
    });
  }

  it('a token in the URL is no credential', async () => {
    const answer = await running
      .peer()
      .send('GET', `/sse?token=${running.token}&access_token=${running.token}`, { authorization: undefined });
    assert.equal(answer.status, 401);
  });

  for (const path of ['/mcp', '/ws', '/sse', '/token', '/register']) {
    it(`a WebSocket upgrade of ${path} without a token is 401`, async () => {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const socket = new WebSocket(`ws://127.0.0.1:${running.port}${path}`, { headers: { authorization: 'Bearer wrong' } });
        socket.on('unexpected-response', (_request, response) => {
          resolve(response.statusCode);
          socket.terminate();
        });
        socket.on('open', () => reject(new Error('it opened')));
        socket.on('error', () => undefined);
      });
      assert.equal(status, 401);
    });
  }

  for (const origin of [
    'https://evil.example',
    'null',
    'http://localhost:3000',
    'http://127.0.0.1',
    'vscode-webview://abc',
    'https://friend.example.evil.example',
    '',
    'https://friend.example, https://evil.example',
  ]) {
    it(`a page of the origin "${origin}" is refused even with a token, and gets no CORS headers`, async () => {
      for (const method of methods) {
        const answer = await running.peer().send(method, '/mcp', { ...jsonHeaders, origin });
        assert.deepEqual([method, answer.status, answer.headers['access-control-allow-origin']], [method, 403, undefined]);
      }
    });
  }

  it('an allowed origin gets CORS headers, and its preflight needs no token', async () => {
    const origin = 'https://friend.example';
    const preflight = await running.peer().send('OPTIONS', '/mcp', { origin, authorization: undefined });
    assert.deepEqual([preflight.status, preflight.headers['access-control-allow-origin']], [204, origin]);
    const stranger = await running.peer().send('POST', '/mcp', { ...jsonHeaders, origin, authorization: undefined }, '{}');
    assert.deepEqual([stranger.status, stranger.headers['access-control-allow-origin']], [401, origin]);
    const friend = await running.peer().request('initialize', initializeParams('2025-11-25'), { origin });
    assert.deepEqual([friend.status, friend.headers['access-control-allow-origin']], [200, origin]);
  });

  it('a rebound host name is refused before the token is looked at', async () => {
    const { port, token } = running;
    const hosts = [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      'localhost',
      `127.0.0.1:${port + 1}`,
      `127.0.0.1.:${port}`,
      `localhost.evil.example:${port}`,
      `[::1]:${port}`,
      `LOCALHOST:${port}x`,
    ];
    for (const host of hosts) {
      for (const authorization of [`Bearer ${token}`, undefined]) {
        const answer = await running.peer().send('POST', '/mcp', { ...jsonHeaders, host, authorization }, '{}');
        assert.deepEqual([host, answer.status, answer.headers['www-authenticate']], [host, 403, undefined]);
      }
    }
  });

  it('both own names, and the host of an allowed origin, are answered', async () => {
    for (const host of [`127.0.0.1:${running.port}`, `localhost:${running.port}`, 'friend.example']) {
      assert.equal((await running.peer().request('initialize', initializeParams('2025-11-25'), { host })).status, 200);
    }
  });

  it('a request without a Host is refused', async () => {
    const auth = `Authorization: Bearer ${running.token}\r\n`;
    assert.match(await raw(running.port, `GET /sse HTTP/1.0\r\n${auth}\r\n`), /^HTTP\/1\.1 403 /);
    assert.match(await raw(running.port, `GET /sse HTTP/1.1\r\n${auth}\r\n`), /^HTTP\/1\.1 400 /);
  });

  it('a simple cross-site POST is refused for its content type, and begins nothing', async () => {
    const before = running.server.clients.snapshot().length;
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initializeParams('2025-11-25') });
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain; application/json',
      'application/jsonx',
      undefined,
    ]) {
      const answer = await running.peer().send('POST', '/mcp', { ...jsonHeaders, 'content-type': type }, body);
      assert.deepEqual([type, answer.status], [type, 415]);
    }
    assert.equal(running.server.clients.snapshot().length, before);
  });

  it('with a token, unknown paths are 404 and wrong methods 405', async () => {
    const peer = running.peer();
    for (const path of [
      '/',
      '/MCP',
      '/mcp/',
      '//mcp',
      '/registers',
      '/.well-known/oauth-authorization-server/mcp',
      'http://evil.example/mcp',
    ]) {
      assert.deepEqual([path, (await peer.send('GET', path)).status], [path, 404]);
    }
    const answers = [
      await peer.send('PUT', '/mcp'),
      await peer.send('POST', '/sse'),
      await peer.send('GET', '/messages'),
      await peer.send('HEAD', '/sse'),
    ];
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers.allow]),
      [
        [405, 'GET, POST, DELETE'],
        [405, 'GET'],
        [405, 'POST'],
        [405, 'GET'],
      ],
    );
  });

  it('an answer of refusal names nothing of the editor', async () => {
    const answer = await running.peer('wrong').request('initialize', initializeParams('2025-11-25'));
    assert.equal(answer.text, '{"error":"unauthorized"}');
    assert.deepEqual(Object.keys(answer.headers).sort(), [
      'cache-control',
      'connection',
      'content-length',
      'content-type',
      'date',
      'keep-alive',
      'www-authenticate',
      'x-content-type-options',
    ]);
  });
});

describe('allowed origins of the embedded server', () => {
  const entries = [
    'https://friend.example',
    'vscode-webview://panel',
    'https://path.example/app',
    'file://',
    'https://user@name.example',
    '*',
  ];
  let running: RunningServer;
  before(async () => {
    running = await runServer({ allowedOrigins: entries });
  });
  after(() => running.close());

  const cases: readonly (readonly [headers: Record<string, string>, status: number])[] = [
    [{ origin: 'https://friend.example' }, 401],
    [{ origin: 'vscode-webview://panel' }, 401],
    [{ origin: 'https://path.example' }, 403],
    [{ origin: 'https://name.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'file://' }, 403],
    [{ host: 'friend.example' }, 401],
    [{ host: 'path.example' }, 403],
    [{ host: 'name.example' }, 403],
  ];
  for (const [headers, status] of cases) {
    it(`${JSON.stringify(headers)} is ${status} without a token`, async () => {
      const answer = await running.peer().send('POST', '/mcp', { ...headers, authorization: undefined });
      assert.equal(answer.status, status);
    });
  }
});
