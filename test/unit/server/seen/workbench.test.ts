import assert from 'node:assert/strict';
import { Workbench } from '../../../../src/server/seen/workbench.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { deferred, type Deferred } from '../support/deferred.ts';

describe('Whether the window’s page answers', () => {
  let clock: FakeClock;
  let pings: Deferred[];
  let workbench: Workbench;
  beforeEach(() => {
    clock = new FakeClock();
    pings = [];
    workbench = new Workbench(
      {
        ping: () => {
          const ping = deferred();
          pings.push(ping);
          return ping.promise;
        },
      },
      clock,
    );
  });

  it('is known at its answer, and no later than after two seconds without one', async () => {
    const answered = workbench.answers();
    pings[0]?.resolve();
    assert.equal(await answered, true);
    clock.advance(1_000);
    const silent = workbench.answers();
    clock.advance(2_000);
    assert.equal(await silent, false);
    assert.equal(clock.pending, 0);
  });

  it('costs one round trip however many ask at a time, and is believed for a second', async () => {
    const asked = Array.from({ length: 1_000 }, () => workbench.answers());
    pings[0]?.resolve();
    assert.deepEqual([...new Set(await Promise.all(asked))], [true]);
    clock.advance(999);
    assert.deepEqual([await workbench.answers(), pings.length], [true, 1]);
    clock.advance(1);
    void workbench.answers();
    assert.equal(pings.length, 2);
  });

  it('has no second round trip under way while the first is not answered, and knows the page that comes back', async () => {
    for (let count = 0; count < 5; count += 1) {
      const silent = workbench.answers();
      clock.advance(2_000);
      assert.equal(await silent, false);
      clock.advance(1_000);
    }
    assert.equal(pings.length, 1);
    const back = workbench.answers();
    pings[0]?.resolve();
    assert.equal(await back, true);
  });

  it('is no when the way to the page is closed', async () => {
    const closed = new Workbench({ ping: () => Promise.reject(new Error('Canceled')) }, clock);
    assert.equal(await closed.answers(), false);
  });
});
