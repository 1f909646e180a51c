import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import * as net from 'node:net';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { handling } from '../../../../../src/server/access/spreadWork.ts';
import { errorOf, resultOf, rpc } from '../../support/legacyRules.ts';
import { modernHeaders, modernMeta } from '../../support/modernLinks.ts';
import { modern } from '../../support/modernRules.ts';
import type { ServerLimits } from '../../../../../src/server/access/limits.ts';
import { allowReader, FakeApproval } from '../../support/fakePorts.ts';
import { type Answer, type HttpPeer, initializeParams, jsonHeaders } from '../../support/httpPeer.ts';
import { postHead } from '../../support/lateBody.ts';
import { runCore, type RunningCore } from '../../support/runningCore.ts';

describe('2026-07-28 over HTTP', () => {
  let core: RunningCore;
  beforeEach(async () => {
    core = await runCore();
  });
  afterEach(() => core.close());

  const post = (message: JsonObject, headers: OutgoingHttpHeaders = {}): Promise<Answer> =>
    core.peer().post(message, { ...modernHeaders(message), ...headers });
  const codeOf = ({ status, json }: Answer): readonly [number, number | undefined] => [
    status,
    json.error === undefined ? undefined : errorOf(json).code,
  ];
  const echo = (args: JsonObject = {}): JsonObject => modern(1, 'tools/call', { name: 'echo', arguments: args });
  const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

  const headerRules: readonly (readonly [what: string, headers: OutgoingHttpHeaders, args: JsonObject, code: number | undefined])[] = [
    ['headers that match', {}, {}, undefined],
    ['no MCP-Protocol-Version', { 'mcp-protocol-version': undefined }, {}, -32020],
    ['another MCP-Protocol-Version', { 'mcp-protocol-version': '2025-11-25' }, {}, -32020],
    ['no Mcp-Method', { 'mcp-method': undefined }, {}, -32020],
    ['another Mcp-Method', { 'mcp-method': 'tools/list' }, {}, -32020],
    ['Mcp-Method in other case', { 'mcp-method': 'Tools/Call' }, {}, -32020],
    ['no Mcp-Name', { 'mcp-name': undefined }, {}, -32020],
    ['another Mcp-Name', { 'mcp-name': 'fail' }, {}, -32020],
    ['an encoded Mcp-Name', { 'mcp-name': base64('echo') }, {}, undefined],
    ['a badly encoded Mcp-Name', { 'mcp-name': '=?base64?ZWNobw?=' }, {}, -32020],
    ['a mirrored parameter', { 'mcp-param-region': 'eu' }, { region: 'eu' }, undefined],
    ['an encoded parameter', { 'mcp-param-region': base64('Zürich') }, { region: 'Zürich' }, undefined],
    ['a parameter that is not mirrored', {}, { region: 'eu' }, -32020],
    ['a parameter that says something else', { 'mcp-param-region': 'us' }, { region: 'eu' }, -32020],
    ['a parameter that is not there', { 'mcp-param-region': 'eu' }, {}, -32020],
    ['a parameter nobody knows', { 'mcp-param-planet': 'mars' }, {}, undefined],
  ];
  for (const [what, headers, args, code] of headerRules) {
    it(`${what} is ${code === undefined ? 'accepted' : `refused with ${code}`}`, async () => {
      assert.deepEqual(codeOf(await post(echo(args), headers)), [code === undefined ? 200 : 400, code]);
    });
  }

  it('says by the status what kind of refusal it is', async () => {
    const statuses = [
      await post(modern(1, 'x/y')),
      await post(modern(2, 'tools/call', { name: 'ask' })),
      await post(modern(3, 'ping', { _meta: { 'io.modelcontextprotocol/protocolVersion': 'x' } })),
      await post(rpc(4, 'server/discover')),
      await post(modern(5, 'tools/call', { name: 'unknown' })),
      await post({ jsonrpc: '2.0', id: 6, result: {} }),
    ].map(codeOf);
    assert.deepEqual(statuses, [
      [404, -32601],
      [400, -32021],
      [400, -32022],
      [400, -32602],
      [200, -32602],
      [400, -32600],
    ]);
  });

  it('a notification is accepted, and cancels nothing of anybody', async () => {
    const holding = post(modern('h', 'tools/call', { name: 'hold' }));
    await core.catalog.untilHeld();
    const { status } = await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'h' } });
    core.catalog.release?.();
    assert.deepEqual([status, (await holding).status], [202, 200]);
  });

  it('GET and DELETE are not allowed', async () => {
    const headers = { 'mcp-protocol-version': '2026-07-28', accept: 'text/event-stream' };
    const answers = [await core.peer().send('GET', '/mcp', headers), await core.peer().send('DELETE', '/mcp', headers)];
    assert.deepEqual(
      answers.map(({ status, headers: { allow } }) => [status, allow]),
      [
        [405, 'POST'],
        [405, 'POST'],
      ],
    );
  });

  it('a session id is neither needed nor given, and one that is sent means nothing', async () => {
    const answer = await post(echo(), { 'mcp-session-id': 'nobody' });
    assert.deepEqual([answer.status, answer.headers['mcp-session-id']], [200, undefined]);
  });

  it('a session id beside the version means nothing, whatever is asked', async () => {
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-session-id': 'left over' };
    const streams = { ...headers, accept: 'text/event-stream' };
    const gone = [await core.peer().send('GET', '/mcp', streams), await core.peer().send('DELETE', '/mcp', streams)];
    assert.deepEqual(
      gone.map(({ status, headers: { allow } }) => [status, allow]),
      [
        [405, 'POST'],
        [405, 'POST'],
      ],
    );
    const asked = [await core.peer().post(rpc(1, 'tools/list'), headers), await core.peer().post([rpc(2, 'tools/list')], headers)];
    assert.deepEqual(asked.map(codeOf), [
      [400, -32602],
      [400, -32600],
    ]);
  });

  it('a version that nobody knows is refused in a session, and the session goes on', async () => {
    const peer = core.peer();
    await peer.initialize();
    const headers = { 'mcp-protocol-version': '2099-01-01' };
    const refused = [
      await peer.request('tools/list', {}, headers),
      await peer.send('GET', '/mcp', { ...headers, 'mcp-session-id': peer.sessionId }),
    ];
    assert.deepEqual([...refused.map(codeOf), (await peer.request('ping')).status], [[400, -32600], [400, -32600], 200]);
  });

  it('equal ids at the same time belong to different requests', async () => {
    const answers = await Promise.all(['a', 'b', 'c'].map((text) => post(echo({ text }))));
    assert.deepEqual(
      answers.map(({ json }) => resultOf(json).structuredContent),
      [{ text: 'a' }, { text: 'b' }, { text: 'c' }],
    );
  });

  it('an answer without notifications is JSON, one with them a stream that is not buffered', async () => {
    const plain = await post(modern(1, 'tools/call', { name: 'report' }));
    const streamed = await post(modern(2, 'tools/call', { name: 'report', _meta: { progressToken: 1 } }));
    assert.deepEqual(
      [plain.headers['content-type'], streamed.headers['content-type'], streamed.headers['x-accel-buffering']],
      ['application/json', 'text/event-stream', 'no'],
    );
  });

  it('all stateless requests of a credential are asked about once', async () => {
    await Promise.all([post(echo()), post(echo()), post(echo())]);
    assert.deepEqual(
      core.approval.asked.map(({ sessionId, callsItself }) => [sessionId, callsItself]),
      [[undefined, 'peer 9']],
    );
    assert.deepEqual(
      core.server.clients.snapshot().map(({ callsItself, transport, calls, role }) => [callsItself, transport, calls, role]),
      [['peer 9', 'http', 3, 'reader']],
    );
  });

  it('a state given to one credential is worth nothing to another', async () => {
    const capabilities = { elicitation: {} };
    const first = modern(1, 'tools/call', { name: 'ask' }, capabilities);
    const { requestState } = resultOf((await post(first)).json);
    const retry = modern(2, 'tools/call', { name: 'ask', inputResponses: { name: {} }, requestState }, capabilities);
    const other = await core.peer(core.otherToken()).post(retry, modernHeaders(retry));
    assert.equal(errorOf(other.json).code, -32602);
  });

  it('a subscription needs a client that reads streams', async () => {
    const listen = modern(1, 'subscriptions/listen', { notifications: {} });
    assert.equal((await post(listen, { accept: 'application/json' })).status, 406);
  });

  it('more streams than there may be are refused for a while', async () => {
    await core.close();
    core = await runCore({ limits: { streams: 1 } });
    const listen = modern(1, 'subscriptions/listen', { notifications: {} });
    const reader = await core.peer().openPost(listen, modernHeaders(listen));
    await reader.next();
    const refused = await post(listen);
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '10']);
  });

  describe('a subscription that waits for the person', () => {
    const listen = modern(1, 'subscriptions/listen', { notifications: { resourceSubscriptions: ['test://1'] } });
    const ask = (token?: string): ReturnType<HttpPeer['openPost']> => core.peer(token).openPost(listen, modernHeaders(listen));
    const startWith = async (limits: Partial<ServerLimits>): Promise<void> => {
      await core.close();
      core = await runCore({ limits, approval: new FakeApproval() });
    };

    it('has its place already, and the next one is refused for a while', async () => {
      await startWith({ streams: 1 });
      const first = ask();
      await core.approval.untilAsked(1);
      const second = await ask();
      assert.deepEqual([second.status, second.headers['retry-after']], [429, '10']);
      core.approval.answer(allowReader);
      const { method } = await (await first).nextMessage();
      assert.equal(method, 'notifications/subscriptions/acknowledged');
    });

    it('gives its place to another client if its own holds the most, and is told so', async () => {
      await startWith({ streams: 2 });
      const first = ask();
      await core.approval.untilAsked(1);
      const second = ask();
      const other = core.peer(core.otherToken());
      await other.initialize();
      assert.equal((await other.stream()).status, 200);
      const refused = await first;
      assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '10']);
      core.approval.answer(allowReader);
      assert.equal((await second).status, 200);
    });

    it('lets its place go with the answer, if it is refused', async () => {
      await startWith({ streams: 1 });
      const first = ask();
      await core.approval.untilAsked(1);
      core.approval.answer({ kind: 'denied' });
      const answer = await first;
      assert.equal(errorOf((await answer.json()) as JsonObject).code, -32603);
      const lists = modern(2, 'subscriptions/listen', { notifications: {} });
      assert.equal((await core.peer().openPost(lists, modernHeaders(lists))).status, 200);
    });
  });

  it('a withdrawn window token ends its subscriptions and is no longer accepted', async () => {
    const listen = modern('l', 'subscriptions/listen', { notifications: { toolsListChanged: true } });
    const reader = await core.peer().openPost(listen, modernHeaders(listen));
    await reader.nextMessage();
    await core.server.rotateWindowToken();
    assert.equal((await reader.nextMessage()).id, 'l');
    assert.equal((await post(echo())).status, 401);
  });

  const ends: Readonly<Record<string, () => unknown>> = {
    'its credential is revoked': () => core.server.credentials.revoke('client-0'),
    'the server stops': () => core.server.stop(),
  };
  for (const [what, end] of Object.entries(ends)) {
    it(`a body that comes after ${what} is not served, in either era`, async () => {
      const authorization = `Bearer ${core.otherToken()}`;
      const call = echo();
      const initialize = rpc(2, 'initialize', initializeParams('2025-11-25'));
      const sendCall = await postHead(core.port, '/mcp', { ...jsonHeaders, ...modernHeaders(call), authorization });
      const sendInitialize = await postHead(core.port, '/mcp', { ...jsonHeaders, authorization });
      const ended = end();
      const statuses = await Promise.all([sendCall(JSON.stringify(call)), sendInitialize(JSON.stringify(initialize))]);
      await ended;
      assert.deepEqual(statuses, [undefined, undefined]);
      assert.deepEqual([core.server.clients.snapshot(), core.approval.asked], [[], []]);
    });
  }

  /** A request on the wire, as far as its body. */
  const headOf = (message: JsonObject, more: OutgoingHttpHeaders): string => {
    const headers = {
      host: `127.0.0.1:${core.port}`,
      authorization: `Bearer ${core.token}`,
      ...jsonHeaders,
      ...modernHeaders(message),
      ...more,
    };
    return ['POST /mcp HTTP/1.1', ...Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`), '', ''].join('\r\n');
  };

  it('a request whose client leaves before its turn is never begun', async () => {
    const listen = modern(1, 'subscriptions/listen', { notifications: { resourceSubscriptions: ['test://1'] } });
    const bodies = [listen, modern(2, 'tools/call', { name: 'hold' })].map((message) => ({ message, text: JSON.stringify(message) }));
    const sockets = bodies.map(({ message, text }) => {
      const socket = net.connect(core.port, '127.0.0.1');
      socket.write(headOf(message, { 'content-length': Buffer.byteLength(text), expect: '100-continue' }));
      return socket;
    });
    await Promise.all(sockets.map((socket) => once(socket, 'data'))); // both heads were taken
    keepBusy(15);
    sockets.forEach((socket, index) => socket.write(bodies[index]?.text ?? '', () => socket.destroy()));
    await Promise.all(sockets.map((socket) => once(socket, 'close')));
    assert.equal((await core.peer().send('GET', '/nothing')).status, 404); // their turn is over, too
    assert.deepEqual([core.server.clients.snapshot(), core.approval.asked, core.catalog.held], [[], [], undefined]);
  });

  it('a request that waits behind another one of its connection ends with the connection', async () => {
    await core.close();
    core = await runCore({ limits: { streams: 1 } });
    const listen = modern(2, 'subscriptions/listen', { notifications: {} });
    const askForPlace = async (): Promise<number> => (await core.peer().openPost(listen, modernHeaders(listen))).status;
    const socket = net.connect(core.port, '127.0.0.1');
    const requests = [modern(1, 'tools/call', { name: 'hold' }), listen].map((message) => {
      const text = JSON.stringify(message);
      return `${headOf(message, { 'content-length': Buffer.byteLength(text) })}${text}`;
    });
    socket.write(requests.join(''));
    const { signal } = await core.catalog.untilHeld();
    assert.equal(await askForPlace(), 429);
    socket.destroy();
    await once(signal, 'abort');
    assert.equal(await askForPlace(), 200);
  });

  it('the envelope without a header is not taken for an older revision', async () => {
    const answer = await core.peer().post(rpc(1, 'tools/list', { _meta: modernMeta() }));
    assert.deepEqual(codeOf(answer), [400, -32020]);
  });
});

/** Has clients wait for so many turns of the event loop. */
function keepBusy(turns: number): void {
  for (let turn = 0; turn < turns; turn += 1) {
    handling.run(() => {
      const until = performance.now() + 11;
      while (performance.now() < until);
    });
  }
}
