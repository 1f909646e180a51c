import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { FakeApproval } from '../support/fakePorts.ts';
import { parseEvents, type HttpPeer } from '../support/httpPeer.ts';
import { runServer, type RunningServer } from '../support/runningServer.ts';

const waiting = {
  content: [
    {
      type: 'text',
      text: 'waiting for approval in VS Code: the question stays open there while you stay connected, so repeat this identical call to get its answer',
    },
  ],
  isError: true,
};
const denied = { content: [{ type: 'text', text: 'denied by the person in VS Code' }], isError: true };

describe('the connect question', () => {
  let running: RunningServer;
  let clock: FakeClock;
  let peer: HttpPeer;
  beforeEach(async () => {
    clock = new FakeClock();
    running = await runServer({ clock, approval: new FakeApproval() });
    peer = running.peer();
    await peer.initialize();
  });
  afterEach(() => running.close());

  it('is not asked for handshake and lists', async () => {
    for (const method of ['ping', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
      assert.ok((await peer.request(method)).json.result, method);
    }
    assert.deepEqual(running.approval.asked, []);
    assert.equal(running.server.clients.snapshot()[0]?.approval, 'notAsked');
  });

  it('is not asked for calls that fail anyway', async () => {
    await peer.callTool('nothing');
    await peer.callTool('get_diagnostics', { limit: 0 });
    await peer.request('resources/read', { uri: 'nothing' });
    assert.deepEqual(running.approval.asked, []);
  });

  it('is asked once for all requests of a session, and its answer releases them all', async () => {
    const answering = [peer.callTool('list_open_editors'), peer.request('resources/read', { uri: 'workspace://folders' })];
    await running.approval.untilAsked(1);
    const { sessionId, credentialId, ...asked } = running.approval.asked[0] ?? {};
    assert.deepEqual(asked, { credentialKind: 'windowToken', callsItself: 'peer 9', transport: 'http' });
    assert.equal(sessionId, peer.sessionId);
    assert.match(credentialId ?? '', /^window-/);
    assert.equal(running.server.clients.snapshot()[0]?.approval, 'asked');
    // Both requests must have arrived before the answer, or one of them would not wait at all.
    await peer.request('ping');
    running.approval.answer({ kind: 'allowed', role: 'editor' });
    assert.deepEqual(
      (await Promise.all(answering)).map(({ json }) => (json.result as JsonObject).isError),
      [undefined, undefined],
    );
    const { approval, role } = running.server.clients.snapshot()[0] ?? {};
    assert.deepEqual([running.approval.asked.length, approval, role], [1, 'allowed', 'editor']);
  });

  it('a call fails after 25 seconds while the question stays open, and succeeds after a late answer', async () => {
    const answering = peer.callTool('list_open_editors');
    await running.approval.untilAsked(1);
    clock.advance(24_999);
    assert.equal(running.server.clients.snapshot()[0]?.approval, 'asked');
    clock.advance(1);
    assert.deepEqual((await answering).json.result, waiting);
    assert.deepEqual(running.approval.withdrawn, []);
    running.approval.answer({ kind: 'allowed', role: 'reader' });
    assert.equal(((await peer.callTool('list_open_editors')).json.result as JsonObject).isError, undefined);
    assert.equal(running.approval.asked.length, 1);
  });

  for (const [method, params] of [
    ['resources/read', { uri: 'editor://open' }],
    ['resources/subscribe', { uri: 'editor://open' }],
  ] as const) {
    it(`${method} fails with -32603 and the reason while waiting and when denied`, async () => {
      const answering = peer.request(method, params);
      await running.approval.untilAsked(1);
      clock.advance(25_000);
      assert.deepEqual((await answering).json.error, {
        code: -32603,
        message: waiting.content[0]?.text,
        data: { reason: 'waiting' },
      });
      running.approval.answer({ kind: 'denied' });
      const error = (await peer.request(method, params)).json.error as JsonObject;
      assert.deepEqual([error.code, error.data], [-32603, { reason: 'denied' }]);
    });
  }

  it('a denial holds for the connection, and the next one is asked about a while later', async () => {
    const answering = peer.callTool('list_open_editors');
    await running.approval.untilAsked(1);
    running.approval.answer({ kind: 'denied' });
    assert.deepEqual((await answering).json.result, denied);
    assert.deepEqual((await peer.callTool('list_open_editors')).json.result, denied);
    assert.equal(running.approval.asked.length, 1);
    const next = running.peer();
    await next.initialize();
    const asking = next.callTool('list_open_editors');
    await next.request('ping');
    assert.equal(running.approval.asked.length, 1);
    clock.advance(10_000);
    await running.approval.untilAsked(2);
    running.approval.answer({ kind: 'allowed', role: 'reader' });
    assert.equal(((await asking).json.result as JsonObject).isError, undefined);
  });

  it('progress comes at least every 10 seconds to those who asked for it', async () => {
    const answering = peer.callTool('list_open_editors', {}, { _meta: { progressToken: 7 } });
    await running.approval.untilAsked(1);
    clock.advance(25_000);
    const messages = parseEvents((await answering).text)
      .filter(({ data }) => data !== '')
      .map(({ data }) => JSON.parse(data) as JsonObject);
    assert.deepEqual(
      messages.slice(0, -1).map(({ params }) => (params as JsonObject).progress),
      [1, 2, 3, 4],
    );
    assert.deepEqual(messages.at(-1)?.result, waiting);
  });

  it('list_changed follows the answer, for what the answer opens and for no list that stays the same', async () => {
    const stream = await peer.stream();
    const answering = peer.callTool('list_open_editors');
    await running.approval.untilAsked(1);
    running.approval.answer({ kind: 'allowed', role: 'reader' });
    await answering;
    assert.equal((await stream.nextMessage()).method, 'notifications/resources/list_changed');
    await peer.request('resources/subscribe', { uri: 'workspace://folders' });
    running.editor.didChangeWorkspaceFolders.fire();
    assert.equal((await stream.nextMessage()).method, 'notifications/resources/updated');
  });

  it('is withdrawn when the session ends, and its waiting calls end', async () => {
    const answering = peer.callTool('list_open_editors');
    await running.approval.untilAsked(1);
    await peer.send('DELETE', '/mcp', { 'mcp-session-id': peer.sessionId });
    assert.deepEqual(running.approval.withdrawn, [peer.sessionId]);
    assert.deepEqual((await answering).json, {});
  });

  it('is withdrawn when the client is revoked', async () => {
    const answering = peer.callTool('list_open_editors');
    await running.approval.untilAsked(1);
    running.server.clients.snapshot().forEach((client) => running.server.clients.endRevoked(client));
    await answering;
    assert.deepEqual([running.approval.withdrawn, (await peer.request('ping')).status], [[peer.sessionId], 404]);
  });
});
