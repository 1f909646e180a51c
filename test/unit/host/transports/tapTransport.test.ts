import assert from 'node:assert/strict';
import { systemClock } from '../../../../src/base/clock.ts';
import { RememberedEras } from '../../../../src/host/shared/eraCache.ts';
import { TrafficLog } from '../../../../src/traffic/trafficLog.ts';
import { createTestHost, textOf, type TestHost } from '../support.ts';

describe('What is said to a server and by it', () => {
  let host: TestHost;
  let log: TrafficLog;
  beforeEach(async () => {
    log = new TrafficLog({ clock: systemClock, mask: () => (text) => text, canRepeat: (method) => method === 'tools/call' });
    host = await createTestHost({ ports: { traffic: log, eraCache: new RememberedEras() } });
  });
  afterEach(async () => {
    await host.close();
    log.dispose();
  });

  it('is seen from the very first question on, each request with its answer', async () => {
    log.setOpen(true);
    await host.startScripted();
    const seen = log.list().filter(({ kind }) => kind === 'request');
    assert.deepEqual(
      seen.slice(0, 2).map(({ method, direction, peer, answer }) => [method, direction, peer.name, answer !== undefined]),
      [
        ['server/discover', 'sent', 'scripted', true],
        ['initialize', 'sent', 'scripted', true],
      ],
    );
    assert.ok(seen.some(({ method }) => method === 'tools/list'));
  });

  it('is seen of a call, with the request as it was, and not while nobody looks', async () => {
    await host.startScripted();
    assert.equal(log.size, 0);
    log.setOpen(true);
    assert.equal(textOf(await host.call('echo', { text: 'hello' })), 'hello');
    log.setOpen(false);
    await host.call('echo', { text: 'unseen' });
    const calls = log.list().filter(({ method }) => method === 'tools/call');
    assert.deepEqual(
      calls.map(({ subject, answer, again }) => [subject, answer?.isError, (again?.['params'] as { arguments?: unknown }).arguments]),
      [['echo', false, { text: 'hello' }]],
    );
  });
});
