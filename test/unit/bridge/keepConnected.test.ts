import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { pause } from '../../../src/base/abort.ts';
import { keepConnected } from '../../../src/bridge/keepConnected.ts';
import { defaultTimings } from '../../../src/bridge/timings.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { FakeConnector, FakeLink } from './support/fakeWindow.ts';

describe('While there is no window, the bridge', () => {
  let clock: FakeClock;
  let connector: FakeConnector;
  let looks: number;
  let stopping: AbortController;
  let running: Promise<void>;
  let served: () => void;

  beforeEach(() => {
    clock = new FakeClock();
    connector = new FakeConnector();
    looks = 0;
    stopping = new AbortController();
    const user = {
      serve: () => new Promise<void>((resolve) => (served = resolve)),
      unavailable: () => (looks += 1),
    };
    const time = { now: () => clock.now(), pause: (milliseconds: number, signal: AbortSignal) => pause(clock, milliseconds, signal) };
    running = keepConnected(connector, user, defaultTimings, stopping.signal, time);
  });
  afterEach(async () => {
    stopping.abort();
    await running;
    assert.equal(connector.watches, 0);
  });

  /** How many looks it begins while this time passes. */
  async function looksWithin(milliseconds: number): Promise<number> {
    const before = looks;
    for (let passed = 0; passed < milliseconds; passed += 100) {
      connector.answerNow({ kind: 'unavailable', reason: 'None.\n' });
      await turn();
      await turn();
      clock.advance(100);
      await turn();
    }
    return looks - before;
  }

  it('looks every ten seconds at most, once no call waits for one any more', async () => {
    await looksWithin(60_000);
    const found = await looksWithin(100_000);
    assert.ok(found >= 8 && found <= 10, `${found} looks`);
  });

  it('looks often while calls wait for the one that was there', async () => {
    await connector.find(new FakeLink());
    clock.advance(100_000);
    served();
    await turn();
    const found = await looksWithin(defaultTimings.reloadHold);
    assert.ok(found >= 5, `${found} looks`);
  });

  it('looks often, and watches, while calls wait for one that was there but for a moment', async () => {
    await looksWithin(60_000);
    connector.change();
    await looksWithin(100);
    await connector.find(new FakeLink());
    clock.advance(100);
    served();
    await turn();
    assert.equal(connector.watches, 1);
    const found = await looksWithin(defaultTimings.reloadHold);
    assert.ok(found >= 2, `${found} looks`);
  });

  it('looks at once when a window opens', async () => {
    await looksWithin(60_000);
    await looksWithin(1_000);
    const calm = await looksWithin(300);
    connector.change();
    const changed = await looksWithin(300);
    assert.ok(calm === 0 && changed >= 1, `${calm} and ${changed} looks`);
  });

  it('looks a few times a second, however much changes', async () => {
    await looksWithin(60_000);
    let found = 0;
    for (let step = 0; step < 100; step += 1) {
      connector.change();
      found += await looksWithin(100);
    }
    assert.ok(found >= 10 && found <= 50, `${found} looks in ten seconds`);
  });

  it('watches nothing once it has one', async () => {
    await connector.find(new FakeLink());
    await turn();
    assert.equal(connector.watches, 0);
    served();
  });
});
