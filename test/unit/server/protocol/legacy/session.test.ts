import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { initializeParams } from '../../support/httpPeer.ts';
import { errorOf, openAt, rpc } from '../../support/legacyRules.ts';
import { inMemory, type ProtocolLink } from '../../support/protocolLinks.ts';
import { runCore, type RunningCore } from '../../support/runningCore.ts';

describe('A session', () => {
  let core: RunningCore;
  let link: ProtocolLink;
  before(async () => {
    core = await runCore();
  });
  after(() => core.close());
  beforeEach(async () => {
    link = await inMemory.open(core);
  });

  it('answers ping before initialize', async () => {
    assert.deepEqual(await link.ask(rpc('p', 'ping')), { jsonrpc: '2.0', id: 'p', result: {} });
  });

  it('is not begun by a malformed initialize, and is by the next one', async () => {
    const malformed = { ...initializeParams('2025-11-25'), capabilities: { roots: 5 } };
    assert.deepEqual(errorOf(await link.ask(rpc(1, 'initialize', malformed))), {
      code: -32602,
      message: 'Invalid parameters of initialize',
    });
    assert.equal(errorOf(await link.ask(rpc(2, 'tools/list'))).code, -32600);
    assert.ok((await link.ask(rpc(3, 'initialize', initializeParams('2025-11-25')))).result);
    assert.ok((await link.ask(rpc(4, 'tools/list'))).result);
  });

  it('answers a method nobody knows with -32601, whatever its name', async () => {
    link = await openAt(inMemory, core, '2025-11-25');
    const answers = [];
    for (const method of ['editor/explode', 'server/discover', 'roots/list', '__proto__', 'constructor', '']) {
      answers.push(errorOf(await link.ask(rpc(1, method))));
    }
    assert.deepEqual(answers, Array<unknown>(6).fill({ code: -32601, message: 'Method not found' }));
  });

  it('answers a ping also when it has as many requests under way as it takes', async () => {
    const full = await runCore({ limits: { requestsInFlight: 1 } });
    const peer = full.peer();
    await peer.initialize();
    const held = peer.callTool('hold');
    await full.catalog.untilHeld();
    const [refused, ping] = [await peer.request('tools/list'), await peer.request('ping')];
    assert.deepEqual([refused.status, ping.status, ping.json.result], [429, 200, {}]);
    full.catalog.release?.();
    assert.equal((await held).status, 200);
    await full.close();
  });

  it('ignores notifications and responses that mean nothing to it', async () => {
    link = await openAt(inMemory, core, '2025-11-25');
    const strays: readonly JsonObject[] = [
      { jsonrpc: '2.0', method: 'notifications/of/mars' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: {} } },
      { jsonrpc: '2.0', method: 'notifications/progress', params: {} },
      { jsonrpc: '2.0', id: 'nobody', result: {} },
      { jsonrpc: '2.0', id: 5, error: {} },
    ];
    for (const stray of strays) {
      await link.tell(stray);
    }
    assert.deepEqual(await link.ask(rpc(1, 'ping')), { jsonrpc: '2.0', id: 1, result: {} });
  });

  it('answers requests with members that it does not know', async () => {
    const answers = [
      await link.ask({ ...rpc(1, 'ping'), more: 5 }),
      await link.ask(rpc(2, 'ping', { _meta: 5 })),
      await link.ask({ ...rpc(3, 'initialize', initializeParams('2025-11-25')), more: 5 }),
      await link.ask(rpc(4, 'editor/explode', { _meta: { progressToken: {} } })),
    ];
    assert.deepEqual(
      answers.map(({ id, result, error }) => [id, result === undefined ? error : 'answered']),
      [
        [1, 'answered'],
        [2, 'answered'],
        [3, 'answered'],
        [4, { code: -32601, message: 'Method not found' }],
      ],
    );
  });
});
