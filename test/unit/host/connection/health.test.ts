import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../../src/base/json.ts';
import { healthEveryMs, watchHealth } from '../../../../src/host/connection/health.ts';
import { ServerSession } from '../../../../src/host/connection/serverSession.ts';
import { hostError } from '../../../../src/host/shared/hostErrors.ts';
import { Pulse } from '../../../../src/host/shared/pulse.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { PeerInMemory, sessionOptions } from '../peerInMemory.ts';
import { callPlainly } from '../remoteSupport.ts';

const { signal } = new AbortController();

describe('The health of a server', () => {
  it('is asked for at an interval; two missed answers in a row end it', async () => {
    const clock = new FakeClock();
    const answers = [true, false, true, false, false];
    let asked = 0;
    let isDead = false;
    const isAlive = (): Promise<boolean> => Promise.resolve(answers[asked++] ?? true);
    const watching = watchHealth({ clock, pulse: new Pulse(), isAlive, onDead: () => (isDead = true) });
    for (let round = 1; round <= answers.length; round += 1) {
      assert.equal(isDead, false);
      clock.advance(healthEveryMs);
      await sleep(0);
      assert.equal(asked, round);
    }
    assert.deepEqual([isDead, clock.pending], [true, 0]);
    watching.dispose();
  });

  it('is not doubted while anything comes from it', async () => {
    const clock = new FakeClock();
    const pulse = new Pulse();
    let isDead = false;
    const watching = watchHealth({ clock, pulse, isAlive: () => Promise.resolve(false), onDead: () => (isDead = true) });
    for (let round = 1; round <= 5; round += 1) {
      pulse.received({ jsonrpc: '2.0', method: 'notifications/message' });
      clock.advance(healthEveryMs);
      await sleep(0);
    }
    assert.equal(isDead, false);
    watching.dispose();
  });

  it('does not end a call that the server is busy with, and is asked for again after it', async () => {
    const clock = new FakeClock();
    let finish: (result: JsonObject) => void = () => undefined;
    const silent = (): never => {
      throw hostError('host.timeout', { seconds: '15' });
    };
    const peer = new PeerInMemory({
      'tools/list': () => ({ tools: [{ name: 'build', inputSchema: { type: 'object' } }] }),
      'tools/call': () => new Promise<JsonObject>((resolve) => (finish = resolve)),
      ping: silent,
    });
    const session = await ServerSession.open(peer.link, sessionOptions({ clock }), signal);
    const [tool] = session.tools;
    assert.ok(tool);
    const calling = callPlainly(session, tool, { timeoutMs: 600_000 });
    for (let round = 1; round <= 5; round += 1) {
      clock.advance(healthEveryMs);
      await sleep(0);
    }
    finish({ content: [{ type: 'text', text: 'built' }] });
    assert.deepEqual((await calling).content, [{ type: 'text', text: 'built' }]);
    for (let round = 1; round <= 3; round += 1) {
      clock.advance(healthEveryMs);
      await sleep(0);
    }
    assert.equal((await session.closed)?.code, 'host.unhealthy');
  });
});

describe('The pulse of a connection', () => {
  it('awaits a request until it is answered, given up or cancelled', () => {
    const pulse = new Pulse();
    const cancelling = new AbortController();
    const steps: boolean[] = [];
    const look = (): void => void steps.push(pulse.isAwaited);
    pulse.sent({ jsonrpc: '2.0', id: 1, method: 'ping' });
    pulse.sent({ jsonrpc: '2.0', id: 'listen', method: 'subscriptions/listen' });
    look();
    pulse.sent({ jsonrpc: '2.0', id: 2, method: 'tools/call' });
    look();
    pulse.sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
    look();
    pulse.sent({ jsonrpc: '2.0', id: 3, method: 'tools/call' }, { requestSignal: cancelling.signal });
    look();
    cancelling.abort();
    look();
    pulse.sent({ jsonrpc: '2.0', id: 4, method: 'prompts/get' });
    look();
    pulse.received({ jsonrpc: '2.0', id: 4, result: {} });
    look();
    assert.deepEqual(steps, [false, true, false, true, false, true, false]);
  });

  it('awaits no request that was answered with its id as a text', () => {
    const pulse = new Pulse();
    pulse.sent({ jsonrpc: '2.0', id: 7, method: 'tools/call' });
    pulse.sent({ jsonrpc: '2.0', id: 8, method: 'tools/call' });
    pulse.received({ jsonrpc: '2.0', id: '7', result: {} });
    assert.equal(pulse.isAwaited, true);
    pulse.received({ jsonrpc: '2.0', id: '8', error: { code: -32603, message: 'no' } });
    assert.equal(pulse.isAwaited, false);
  });
});
