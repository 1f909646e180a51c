import assert from 'node:assert/strict';
import { connect } from 'node:net';
import type { JsonObject } from '../../src/base/json.ts';
import { initializeParams, jsonHeaders } from '../unit/server/support/httpPeer.ts';
import { modern } from '../unit/server/support/modernRules.ts';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';
import { WsPeer } from '../unit/server/support/wsPeer.ts';

describe('hostile input to the embedded server', () => {
  let running: RunningServer;
  afterEach(() => running.close());

  it('a body of 10 MB is 413, declared or not, and the connection of others goes on', async () => {
    running = await runServer();
    const peer = running.peer();
    await peer.initialize();
    const huge = `"${'x'.repeat(10 * 1024 * 1024)}"`;
    assert.equal((await running.peer().post(huge)).status, 413);
    assert.equal((await running.peer().post(huge, { 'transfer-encoding': 'chunked' })).status, 413);
    assert.equal((await peer.request('ping')).status, 200);
  });

  it('a body of 10 MB without a token is 401', async () => {
    running = await runServer();
    assert.equal((await running.peer('wrong').post(`"${'x'.repeat(10 * 1024 * 1024)}"`)).status, 401);
  });

  it('a sender that stops in its headers or its body is cut off', async () => {
    running = await runServer({ timings: { headers: 100, requestBody: 100 } });
    const host = `Host: 127.0.0.1:${running.port}\r\nAuthorization: Bearer ${running.token}\r\n`;
    const beginnings = [
      'POST /mcp HTTP/1.1\r\nHost',
      `POST /mcp HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    ];
    for (const beginning of beginnings) {
      await new Promise<void>((resolve, reject) => {
        const socket = connect(running.port, '127.0.0.1', () => socket.write(beginning));
        socket.on('close', () => resolve());
        socket.on('error', reject);
        socket.resume();
      });
    }
  });

  it('headers without end are refused', async () => {
    running = await runServer();
    assert.equal((await running.peer().request('ping', undefined, { 'x-long': 'x'.repeat(20_000) })).status, 431);
  });

  it('JSON of great depth disturbs nobody', async () => {
    running = await runServer();
    const peer = running.peer();
    await peer.initialize();
    const depth = 1_000_000;
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const before = performance.now();
    for (const body of [
      deep,
      `{"jsonrpc":"2.0","id":1,"result":{"a":${deep}}}`,
      `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${deep}}}`,
    ]) {
      const { status, json } = await peer.post(body);
      assert.deepEqual([status, (json.error as JsonObject).code], [400, -32600]);
    }
    assert.ok(performance.now() - before < 10_000);
    const brackets = { text: `\\"${'['.repeat(2_000)}` };
    assert.equal(((await peer.request('ping', brackets)).json.error as JsonObject | undefined)?.code, undefined);
  });

  it('a message of more values than anybody needs is refused unread, and a long text is not', async () => {
    running = await runServer();
    const peer = running.peer();
    await peer.initialize();
    const socket = await WsPeer.open(running.port, running.token);
    const ping = (value: string): string => `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${value}}}`;
    const members = Array.from({ length: 60_000 }, (_, index) => `"${index}":1`);
    for (const many of [`{${members.join(',')}}`, `[${'{},'.repeat(60_000)}1]`, `[${'"",'.repeat(60_000)}1]`]) {
      const { status, json } = await peer.post(ping(many));
      const error = { code: -32600, message: 'Invalid request: more than 50,000 values in a message; send it in parts' };
      assert.deepEqual([status, json.error], [400, error]);
      socket.socket.send(ping(many));
      assert.deepEqual((await socket.next()).error, error);
    }
    assert.deepEqual((await peer.post(ping(JSON.stringify('[1,{"a":2}],'.repeat(60_000))))).json.result, {});
    socket.socket.terminate();
  });

  it('a text of megabytes where a name or a path is wanted is refused in few words', async () => {
    // Each of them costs as much as hundreds of messages: a fast sender would be slowed down before the last.
    running = await runServer({ limits: { requestsPerSecond: 100_000 } });
    const peer = running.peer();
    await peer.initialize();
    const long = 'x/'.repeat(1_500_000);
    const ref = { type: 'ref/resource', uri: 'file:///{+path}' };
    const answers = [
      await peer.callTool('read_file', { path: long }),
      await peer.callTool('get_diagnostics', { source: long }),
      await peer.callTool('read_file', { [long]: 1 }),
      await peer.callTool('get_diagnostics', { [long]: 1 }),
      await peer.request('resources/read', { uri: `file:///${long}` }),
      await peer.request('resources/subscribe', { uri: `file:///${long}` }),
      await peer.request('prompts/get', { name: 'fix_diagnostics', arguments: { path: long } }),
      await peer.request('prompts/get', { name: 'fix_diagnostics', arguments: { [long]: 'x' } }),
      await peer.request('completion/complete', { ref, argument: { name: 'path', value: long } }),
    ];
    assert.deepEqual(
      answers.map(({ status, text, json }) => [status, text.length < 600, isRefusal(json)]),
      answers.map(() => [200, true, true]),
      answers.map(({ text }) => text.slice(0, 300)).join('\n'),
    );
    const listen = modern(1, 'subscriptions/listen', { notifications: { resourceSubscriptions: [`file:///${long}`] } });
    const socket = await WsPeer.open(running.port, running.token);
    socket.send(listen);
    assert.equal(((await socket.next()).error as JsonObject).code, -32602);
    socket.socket.terminate();
  });

  it('names from the prototype are no tools, resources or methods', async () => {
    running = await runServer();
    const peer = running.peer();
    await peer.initialize();
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const answers = [await peer.callTool(name), await peer.request('resources/read', { uri: name }), await peer.request(name)];
      assert.deepEqual(
        answers.map(({ json }) => (json.error as JsonObject).code),
        [-32602, -32002, -32601],
      );
    }
  });

  it('a client that calls itself by odd names is shown without hidden characters, and cut', async () => {
    running = await runServer();
    const clientInfo = { name: `Claude\u202e\n\n${'x'.repeat(500)}`, version: '1' };
    await running.peer().request('initialize', { ...initializeParams('2025-11-25'), clientInfo });
    const { callsItself = '' } = running.server.clients.snapshot()[0] ?? {};
    assert.match(callsItself, /^Claude⟨U\+202E⟩ x+$/);
    assert.ok(callsItself.length < 140);
  });

  it('requests beyond what a session may leave open are told so', async () => {
    running = await runServer({ limits: { requestsInFlight: 2 } });
    const peer = running.peer();
    await peer.initialize();
    let begun = 0;
    const ready = new Promise<void>((resolve) => {
      running.editor.answerDiagnostics = () => {
        begun += 1;
        if (begun === 2) {
          resolve();
        }
        return new Promise(() => undefined);
      };
    });
    const open = [peer.callTool('get_diagnostics'), peer.callTool('get_diagnostics')];
    await ready;
    const { json } = await peer.callTool('list_open_editors');
    assert.deepEqual((json.error as JsonObject).data, { reason: 'rateLimited' });
    await peer.send('DELETE', '/mcp', { ...jsonHeaders, 'mcp-session-id': peer.sessionId });
    await Promise.all(open);
  });

  it('subscriptions beyond what a WebSocket may leave open are told so', async () => {
    running = await runServer({ limits: { requestsInFlight: 2 } });
    const peer = await WsPeer.open(running.port, running.token);
    const listen = (id: string): Promise<JsonObject> => {
      peer.send(modern(id, 'subscriptions/listen', { notifications: { toolsListChanged: true } }));
      return peer.next();
    };
    for (const id of ['a', 'b']) {
      assert.equal((await listen(id)).method, 'notifications/subscriptions/acknowledged');
    }
    assert.deepEqual(((await listen('c')).error as JsonObject).data, { reason: 'rateLimited' });
    peer.socket.terminate();
  });

  it('a burst of messages that must not be dropped closes the connection past the hard cap', async () => {
    running = await runServer({
      limits: { requestsPerSecond: 3 },
      clock: { now: () => 0, wallTime: () => 0, schedule: () => ({ dispose: () => undefined }) },
    });
    const peer = running.peer();
    await peer.initialize();
    const outcomes: (number | string)[] = [];
    for (let count = 0; count < 8; count += 1) {
      outcomes.push(
        await peer.request('ping').then(
          ({ status }) => status,
          () => 'closed',
        ),
      );
    }
    assert.equal(outcomes.at(0), 200);
    assert.equal(outcomes.at(-1), 'closed');
  });
});

/** Of the arguments, whichever way the revision says it. */
function isRefusal({ result, error }: JsonObject): boolean {
  return (result as JsonObject | undefined)?.isError === true || (error as JsonObject | undefined)?.code === -32602;
}
