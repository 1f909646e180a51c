import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { FairUse, type FairUseVerdict } from '../../../../../src/server/wire/transports/fairUse.ts';
import { FakeClock } from '../../../../support/fakeClock.ts';
import { openAt, rpc } from '../../support/legacyRules.ts';
import { httpSse, streamableHttp } from '../../support/protocolLinks.ts';
import { runCore, type RunningCore } from '../../support/runningCore.ts';
import { webSocketAt } from '../../support/wsLinks.ts';

describe('The use that one peer may make of the server', () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  const peerOf = (id: string): { credential: { id: string; kind: 'clientToken'; label: string }; connection: object } => ({
    credential: { id, kind: 'clientToken', label: id },
    connection: {},
  });

  it('is measured by the length of what it sends, and not by its number alone', () => {
    const clock = new FakeClock();
    const fairUse = new FairUse(100, clock);
    const [long, short] = [peerOf('long'), peerOf('short')];
    const verdicts = Array.from({ length: 12 }, (): FairUseVerdict => fairUse.count(long, call, 40_960));
    assert.deepEqual(verdicts.map((verdict) => verdict === 'ok').lastIndexOf(true), 8, 'each costs as much as eleven');
    assert.equal(fairUse.count(short, call, 100), 'ok', 'and nobody else pays for it');
    clock.advance(1_000);
    assert.equal(fairUse.count(long, call, 40_960), 'ok');
    assert.equal(fairUse.count(long, call, 4_194_304), 'limited', 'the longest needs a whole second');
    clock.advance(1_000);
    assert.equal(fairUse.count(long, call, 4_194_304), 'ok');
  });

  it('ends with the connection when what must never be dropped is too long, again and again', () => {
    const fairUse = new FairUse(100, new FakeClock());
    const peer = peerOf('one');
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const verdicts = [1, 2, 3].map(() => fairUse.count(peer, ping, 200_000));
    assert.deepEqual(verdicts, ['ok', 'ok', 'flood']);
  });
});

describe('A batch beyond the rate limit', () => {
  const clock = new FakeClock();
  let core: RunningCore;
  beforeEach(async () => {
    core = await runCore({ clock, limits: { requestsPerSecond: 5 } });
  });
  afterEach(() => core.close());

  const lists = (...ids: string[]): JsonObject[] => ids.map((id) => rpc(id, 'tools/list'));
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'h' } };
  const tooMany = { code: -32603, message: 'too many requests', data: { reason: 'rateLimited' } };

  for (const transport of [streamableHttp, httpSse, webSocketAt('/ws')]) {
    it(`is answered by one array on ${transport.name}, in which what must never be dropped has its effect`, async () => {
      const link = await openAt(transport, core, '2025-03-26');
      const holding = link.tell(rpc('h', 'tools/call', { name: 'hold' }));
      const { signal } = await core.catalog.untilHeld();
      clock.advance(1_000);
      await link.ask(lists('a', 'b', 'c', 'd', 'e'));
      const answers = (await link.ask([...lists('x'), cancelled, rpc('p', 'ping'), ...lists('y')])) as unknown as JsonObject[];
      assert.deepEqual(answers.map(({ id, result, error }) => [id, result ?? error]).sort(), [
        ['p', {}],
        ['x', tooMany],
        ['y', tooMany],
      ]);
      assert.equal(signal.aborted, true);
      await holding;
    });
  }

  it('is refused as a whole on /mcp if all of it may be dropped, or the session has no batches', async () => {
    for (const [version, batch] of [
      ['2025-03-26', lists('x', 'y')],
      ['2025-06-18', [cancelled, ...lists('x', 'y')]],
    ] as const) {
      const peer = core.peer();
      await peer.initialize(version);
      clock.advance(1_000);
      await peer.post(lists('a', 'b', 'c', 'd', 'e'));
      const { status, headers } = await peer.post(batch);
      assert.deepEqual([status, headers['retry-after']], [429, '1']);
      clock.advance(1_000);
    }
  });
});
