import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { systemClock } from '../../../../../src/base/clock.ts';
import { TrafficLog } from '../../../../../src/traffic/trafficLog.ts';
import { initializeParams } from '../../support/httpPeer.ts';
import { modernMeta, statelessHttp } from '../../support/modernLinks.ts';
import { httpSse, inMemory, streamableHttp } from '../../support/protocolLinks.ts';
import { runCore, type RunningCore } from '../../support/runningCore.ts';
import { webSocketAt } from '../../support/wsLinks.ts';

const webSocket = webSocketAt('/ws');
const request = (id: number, method: string, params: JsonObject = {}): JsonObject => ({ jsonrpc: '2.0', id, method, params });

describe('What outside clients say and hear', () => {
  let core: RunningCore;
  let log: TrafficLog;
  beforeEach(async () => {
    log = new TrafficLog({ clock: systemClock, mask: () => (text) => text, canRepeat: () => false });
    core = await runCore({ traffic: log });
  });
  afterEach(async () => {
    await core.close();
    log.dispose();
  });
  const summary = (): unknown =>
    log.list().map(({ peer, direction, kind, method, answer }) => [peer.side, direction, kind, method, answer?.isError]);

  for (const transport of [streamableHttp, httpSse, webSocket]) {
    it(`is seen over ${transport.name} while somebody looks, requests with their answers`, async () => {
      const link = await transport.open(core);
      await link.ask(request(1, 'initialize', initializeParams('2025-11-25')));
      log.setOpen(true);
      await link.tell({ jsonrpc: '2.0', method: 'notifications/initialized' });
      await link.ask(request(2, 'tools/list'));
      await link.ask(request(3, 'no/such'));
      log.setOpen(false);
      await link.ask(request(4, 'ping'));
      assert.deepEqual(summary(), [
        ['client', 'received', 'notification', 'notifications/initialized', undefined],
        ['client', 'received', 'request', 'tools/list', false],
        ['client', 'received', 'request', 'no/such', true],
      ]);
      assert.equal(log.list()[0]?.peer.name, 'peer 9');
    });
  }

  it('is seen of requests without a session, each with its own answer though their ids are equal', async () => {
    log.setOpen(true);
    const [one, other] = [await statelessHttp.open(core), await statelessHttp.open(core)];
    const list = request(1, 'tools/list', { _meta: modernMeta() });
    const unknown = request(1, 'no/such', { _meta: modernMeta() });
    await Promise.all([one.ask(list), other.ask(unknown)]);
    assert.deepEqual(
      log.list().map(({ method, answer }) => [method, answer?.isError]),
      [
        ['tools/list', false],
        ['no/such', true],
      ],
    );
  });

  it('is seen when a message is refused before its method', async () => {
    const link = await webSocket.open(core);
    log.setOpen(true);
    await link.ask(request(1, 'tools/list')); // before initialize
    assert.deepEqual(summary(), [['client', 'received', 'request', 'tools/list', true]]);
  });

  it('is not seen of the chat: its link is seen at the other end', async () => {
    log.setOpen(true);
    const link = await inMemory.open(core);
    await link.ask(request(1, 'initialize', initializeParams('2025-11-25')));
    assert.deepEqual(summary(), []);
  });
});
