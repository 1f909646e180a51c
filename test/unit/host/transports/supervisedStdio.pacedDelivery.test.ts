import assert from 'node:assert/strict';
import type { JSONRPCMessage } from '../../../../src/host/shared/sdk.ts';
import { PacedDelivery } from '../../../../src/host/transports/supervisedStdio.ts';

const notice = (progress: number): JSONRPCMessage => ({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress } });
const answer = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: {} });
const request = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, method: 'ping' });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('Messages of a server that arrive together', () => {
  let delivered: JSONRPCMessage[];
  let incoming: PacedDelivery;
  beforeEach(() => {
    delivered = [];
    incoming = new PacedDelivery((message) => delivered.push(message));
  });

  it('keep an answer back until what follows from the notice before it has happened', async () => {
    const order: string[] = [];
    const paced = new PacedDelivery((message) => {
      if ('method' in message) {
        void Promise.resolve().then(() => order.push('handled'));
      } else {
        order.push('answered');
      }
    });
    paced.push(notice(1));
    paced.push(answer(1));
    await turn();
    await turn();
    assert.deepEqual(order, ['handled', 'answered']);
  });

  it('keep their order, also behind an answer that waits', async () => {
    const all = [notice(1), answer(1), request(7), notice(2), answer(2), answer(3)];
    all.forEach((message) => incoming.push(message));
    assert.deepEqual(delivered, all.slice(0, 1));
    await turn();
    assert.deepEqual(delivered, all.slice(0, 4));
    await turn();
    assert.deepEqual(delivered, all);
  });

  it('are not kept back without a notice', () => {
    const all = [answer(1), request(7), answer(2)];
    all.forEach((message) => incoming.push(message));
    assert.deepEqual(delivered, all);
  });

  it('are all delivered before the connection is called closed', () => {
    const all = [notice(1), answer(1), notice(2), answer(2)];
    all.forEach((message) => incoming.push(message));
    incoming.flush();
    assert.deepEqual(delivered, all);
  });

  it('are not piled up by a server that floods', () => {
    const all = Array.from({ length: 5_000 }, (_, index) => (index % 2 === 0 ? notice(index) : answer(index)));
    all.forEach((message) => incoming.push(message));
    assert.ok(delivered.length > 3_000, String(delivered.length));
    incoming.flush();
    assert.deepEqual(delivered, all);
  });
});
