import assert from 'node:assert/strict';
import { FakeClock } from '../support/fakeClock.ts';
import { OauthClient } from '../unit/server/oauth/oauthClient.ts';
import { allowReader, FakeApproval } from '../unit/server/support/fakePorts.ts';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';

const minute = 60_000;

describe('a program that signs in under one new name after the other', () => {
  let clock: FakeClock;
  let running: RunningServer;
  let names: number;
  const clients: OauthClient[] = [];

  beforeEach(async () => {
    clock = new FakeClock();
    running = await runServer({ clock, approval: new FakeApproval(), limits: { oauthPerSecond: 10_000 } });
    names = 0;
  });
  afterEach(async () => {
    clients.splice(0).forEach((client) => client.close());
    await running.close();
  });

  const newcomer = async (): Promise<OauthClient> => {
    const client = new OauthClient(running.port);
    clients.push(client);
    await client.register({ client_name: `Program ${(names += 1)}`, redirect_uris: [`http://127.0.0.1:7777/callback`] });
    return client;
  };
  const asked = (): number => running.approval.asked.length;
  /** Opens the page in the name of a new program; resolves with whether the person was asked about it, which they refuse. */
  const tryOnce = async (): Promise<boolean> => {
    const before = asked();
    const client = await newcomer();
    const page = await client.authorize();
    if (asked() === before) {
      assert.equal(page.status, 429);
      assert.match(page.text, /Let the next one ask/);
      return false;
    }
    running.approval.answer({ kind: 'denied' });
    await client.follow(page);
    return true;
  };
  const tryOften = async (times: number): Promise<boolean[]> => {
    const outcomes = [];
    for (let count = 0; count < times; count += 1) {
      outcomes.push(await tryOnce());
    }
    return outcomes;
  };

  it('is asked about three times, and then all new ones wait, longer each time', async () => {
    assert.deepEqual(await tryOften(5), [true, true, true, false, false]);
    clock.advance(minute);
    assert.deepEqual(await tryOften(2), [true, false]);
    clock.advance(minute);
    assert.deepEqual(await tryOften(1), [false]);
    clock.advance(minute);
    assert.deepEqual(await tryOften(2), [true, false]);
    assert.equal(running.server.signInPause.remainingMs, 4 * minute);
  });

  it('waits until the person lets the next one ask, and longer if that one is refused, too', async () => {
    await tryOften(3);
    let changes = 0;
    const listening = running.server.signInPause.onDidChange(() => (changes += 1));
    running.server.signInPause.letNextAsk();
    assert.deepEqual([await tryOften(2), changes], [[true, false], 2]);
    running.server.signInPause.letNextAsk();
    const wanted = await newcomer();
    const { location } = await wanted.obtainCode(() => running.approval.answer(allowReader));
    assert.ok(location.searchParams.has('code'));
    assert.deepEqual(await tryOften(4), [true, true, true, false], 'after an allowed one the count begins anew');
    listening.dispose();
  });

  it('keeps no program out that the person has approved before', async () => {
    const known = await newcomer();
    await known.redeem(await known.obtainCode(() => running.approval.answer(allowReader)));
    await tryOften(4);
    const before = asked();
    assert.equal((await known.authorize()).status, 200);
    assert.equal(asked(), before + 1);
  });

  it('gains nothing by leaving before it is refused', async () => {
    for (let count = 0; count < 3; count += 1) {
      assert.equal((await (await newcomer()).authorize()).status, 200);
      clock.advance(30_000); // nobody watches the page
      await running.approval.untilAsked(count + 1);
    }
    assert.deepEqual(await tryOften(1), [false]);
  });
});
