import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { WindowRequests } from '../../../src/bridge/windowRequests.ts';

describe('Requests of a window to the host', () => {
  let requests: WindowRequests;
  beforeEach(() => {
    requests = new WindowRequests();
  });

  const ask = (id: number): JsonObject => ({ jsonrpc: '2.0', id, method: 'sampling/createMessage', params: {} });
  const answer = (id: number | string): JsonObject => ({ jsonrpc: '2.0', id, result: {} });
  const fromWindow = (message: JsonObject): JsonObject => JSON.parse(requests.fromWindow(message, JSON.stringify(message))) as JsonObject;
  const fromHost = (message: JsonObject): string | undefined => requests.fromHost(message, JSON.stringify(message));

  it('and their answers pass as they are', () => {
    assert.deepEqual(fromWindow(ask(0)), ask(0));
    assert.equal(fromHost(answer(0)), JSON.stringify(answer(0)));
  });

  it('of a window that is gone are withdrawn, and late answers reach no other window', () => {
    fromWindow(ask(0));
    const [withdrawn] = requests.abandon();
    assert.deepEqual((JSON.parse(withdrawn ?? '') as JsonObject).params, { requestId: 0, reason: 'the VS Code window is gone' });
    assert.equal(fromHost(answer(0)), undefined);
  });

  it('with an id that the host still works on travel under another one, both ways', () => {
    fromWindow(ask(0));
    requests.abandon();
    const renamed = fromWindow(ask(0));
    assert.notEqual(renamed.id, 0);
    const cancelled = fromWindow({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 0 } });
    assert.deepEqual(cancelled.params, { requestId: renamed.id });
    const again = fromWindow(ask(0));
    assert.equal(fromHost(answer(0)), undefined);
    assert.deepEqual(JSON.parse(fromHost(answer(again.id as string)) ?? ''), answer(0));
  });
});
