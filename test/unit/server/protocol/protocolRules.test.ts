import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json.ts';
import { initializeParams } from '../support/httpPeer.ts';
import { errorOf } from '../support/legacyRules.ts';
import { runCore, type RunningCore } from '../support/runningCore.ts';

/** What the rules that every transport shares (protocolTables) look like in HTTP. */
describe('protocol rules of the legacy revisions in HTTP', () => {
  let core: RunningCore;
  before(async () => {
    core = await runCore();
  });
  after(() => core.close());

  for (const protocolVersion of [undefined, 20251125, null]) {
    it(`initialize with version ${String(protocolVersion)} opens no session`, async () => {
      const params = { ...initializeParams(''), protocolVersion } as unknown as JsonObject;
      const answer = await core.peer().request('initialize', params);
      assert.deepEqual([answer.status, answer.headers['mcp-session-id'], errorOf(answer.json).code], [200, undefined, -32602]);
    });
  }

  it('initialize with malformed capabilities is -32602 and opens no session', async () => {
    const before = core.server.clients.snapshot().length;
    const answer = await core.peer().request('initialize', { ...initializeParams('2025-11-25'), capabilities: { roots: 5 } });
    assert.deepEqual([errorOf(answer.json).code, answer.headers['mcp-session-id']], [-32602, undefined]);
    assert.equal(core.server.clients.snapshot().length, before);
  });

  it('a client that takes nothing but streams is told as well what is wrong with its initialize', async () => {
    const params = { ...initializeParams('2025-11-25'), capabilities: { roots: 5 } };
    const answer = await core.peer().request('initialize', params, { accept: 'text/event-stream' });
    assert.deepEqual([answer.status, errorOf(answer.json).code, answer.headers['mcp-session-id']], [200, -32602, undefined]);
  });

  it('a request without a session is refused with 400 and its id', async () => {
    const answer = await core.peer().request('tools/list');
    assert.deepEqual([answer.status, answer.json.id, errorOf(answer.json).code], [400, 1, -32600]);
  });

  it('a second initialize on a session is 400', async () => {
    const peer = core.peer();
    await peer.initialize();
    assert.equal((await peer.request('initialize', initializeParams('2025-11-25'))).status, 400);
  });

  for (const [what, body] of [
    ['text that is not JSON', '{"jsonrpc":'],
    ['an empty body', ''],
    ['null', 'null'],
    ['a null id', '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
    ['an empty batch', '[]'],
    ['an id of 1,001 characters', JSON.stringify({ jsonrpc: '2.0', id: 'i'.repeat(1_001), method: 'ping' })],
    [
      'a progress token of 1,001 characters',
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: { progressToken: 't'.repeat(1_001) } } }),
    ],
  ] as const) {
    it(`${what} is answered with status 400`, async () => {
      const peer = core.peer();
      await peer.initialize();
      assert.equal((await peer.post(body)).status, 400);
    });
  }

  it('a failure that is an answer has status 200', async () => {
    const peer = core.peer();
    await peer.initialize();
    const statuses = [];
    for (const [method, params] of [
      ['editor/explode', {}],
      ['server/discover', {}],
      ['tools/call', { name: 'unknown' }],
      ['resources/read', { uri: 'nothing://here' }],
    ] as const) {
      statuses.push((await peer.request(method, params)).status);
    }
    assert.deepEqual(statuses, [200, 200, 200, 200]);
  });

  it('notifications and responses are only accepted, in a batch too', async () => {
    const peer = core.peer();
    await peer.initialize('2025-03-26');
    const statuses = [];
    for (const body of [
      { jsonrpc: '2.0', method: 'notifications/of/mars' },
      { jsonrpc: '2.0', id: 5, result: {} },
      [
        { jsonrpc: '2.0', method: 'notifications/x' },
        { jsonrpc: '2.0', id: 5, result: {} },
      ],
    ]) {
      statuses.push((await peer.post(body)).status);
    }
    assert.deepEqual(statuses, [202, 202, 202]);
  });

  it('a batch without a session is refused whole', async () => {
    const batch = [{ jsonrpc: '2.0', id: 1, method: 'initialize', params: initializeParams('2025-03-26') }];
    const answer = await core.peer().post(batch);
    assert.deepEqual([answer.status, errorOf(answer.json).code, answer.json.id], [400, -32600, null]);
  });

  it('an unknown MCP-Protocol-Version header is refused, a known or absent one is not', async () => {
    const peer = core.peer();
    await peer.initialize();
    const statuses: number[] = [];
    for (const version of ['2026-07-28', 'x', '2025-06-18', undefined]) {
      statuses.push((await peer.request('ping', undefined, { 'mcp-protocol-version': version })).status);
    }
    assert.deepEqual(statuses, [400, 400, 200, 200]);
  });

  it('an id in flight that is used again is refused with 400', async () => {
    const peer = core.peer();
    await peer.initialize();
    const call = { jsonrpc: '2.0', id: 'same', method: 'tools/call', params: { name: 'hold' } };
    const first = peer.post(call);
    await core.catalog.untilHeld();
    assert.equal((await peer.post({ ...call, method: 'ping' })).status, 400);
    core.catalog.release?.();
    assert.equal((await first).status, 200);
    assert.equal((await peer.post({ jsonrpc: '2.0', id: 'same', method: 'ping' })).status, 200);
  });

  it('progress of the work goes on from where waiting for approval ended', async () => {
    const fresh = core.peer();
    await fresh.initialize();
    const answer = await fresh.callTool('report', {}, { _meta: { progressToken: 7 } });
    const progress = answer.text.split('\n').filter((line) => line.includes('notifications/progress'));
    const values = progress.map((line) => {
      const { params } = JSON.parse(line.slice('data: '.length)) as { params: { progress: number; total?: number } };
      return [params.progress, params.total];
    });
    assert.deepEqual(values, [
      [1, undefined],
      [2, 3],
    ]);
  });
});
