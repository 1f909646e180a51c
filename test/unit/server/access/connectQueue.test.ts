import assert from 'node:assert/strict';
import type { ConnectAnswer } from '../../../../src/server/access/clientApproval.ts';
import { ConnectQueue } from '../../../../src/server/access/connectQueue.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const denied: ConnectAnswer = { kind: 'denied' };
const allowed: ConnectAnswer = { kind: 'allowed', role: 'reader' };

describe('Turns of connect questions', () => {
  let clock: FakeClock;
  let turns: ConnectQueue;
  let open: { readonly resolve: (answer: ConnectAnswer) => void }[];
  beforeEach(() => {
    clock = new FakeClock();
    turns = new ConnectQueue(clock);
    open = [];
  });
  afterEach(() => turns.dispose());

  function ask(credentialId = 'one', options: { signal?: AbortSignal; isAnswered?: () => boolean } = {}): Promise<ConnectAnswer> {
    const question = (): Promise<ConnectAnswer> =>
      new Promise((resolve, reject) => {
        options.signal?.addEventListener('abort', () => reject(new DOMException('withdrawn', 'AbortError')));
        open.push({ resolve });
      });
    return turns.ask(
      { credentialId, ask: question, isAnswered: options.isAnswered ?? (() => false) },
      options.signal ?? new AbortController().signal,
    );
  }

  async function answered(asking: Promise<ConnectAnswer>, answer: ConnectAnswer): Promise<void> {
    open.at(-1)?.resolve(answer);
    assert.deepEqual(await asking, answer);
    await settled();
  }

  it('let one question of a credential be open, and the next one after its answer', async () => {
    const [first, second] = [ask(), ask()];
    const other = ask('another');
    assert.equal(open.length, 2, 'one of each credential');
    await answered(other, allowed);
    assert.equal(open.length, 2);
    open[0]?.resolve(allowed);
    await first;
    await settled();
    assert.equal(open.length, 3);
    await answered(second, allowed);
  });

  it('make the next one wait after a denial, longer each time, up to ten minutes', async () => {
    const pauses: number[] = [];
    let asking = ask();
    for (let count = 0; count < 8; count += 1) {
      await answered(asking, denied);
      pauses.push(turns.pauseOf('one') / 1_000);
      asking = ask();
      clock.advance(turns.pauseOf('one') - 1);
      assert.equal(open.length, count + 1, 'not a moment before');
      clock.advance(1);
      assert.equal(open.length, count + 2);
    }
    assert.deepEqual(pauses, [10, 20, 40, 80, 160, 320, 600, 600]);
    await answered(asking, allowed);
    assert.equal(turns.pauseOf('one'), 0);
    asking = ask();
    await answered(asking, denied);
    assert.equal(turns.pauseOf('one'), 10_000, 'what the person allows ends the row');
  });

  it('begin a new row after a long quiet time', async () => {
    await answered(ask(), denied);
    clock.advance(turns.pauseOf('one'));
    await answered(ask(), denied);
    assert.equal(turns.pauseOf('one'), 20_000);
    clock.advance(60 * 60_000);
    await answered(ask(), denied);
    assert.equal(turns.pauseOf('one'), 10_000);
  });

  it('count a question that was taken back, so that none flickers', async () => {
    for (const pause of [1_000, 2_000, 4_000]) {
      const withdraw = new AbortController();
      const asking = ask('one', { signal: withdraw.signal });
      withdraw.abort();
      await assert.rejects(asking, { name: 'AbortError' });
      await settled();
      assert.equal(turns.pauseOf('one'), pause);
      clock.advance(pause);
    }
  });

  it('give up the place of one that was taken back before its turn, without a pause', async () => {
    const withdraw = new AbortController();
    const first = ask();
    const second = ask('one', { signal: withdraw.signal });
    const third = ask();
    withdraw.abort();
    await assert.rejects(second, { name: 'AbortError' });
    await answered(first, allowed);
    assert.equal(open.length, 2);
    await answered(third, allowed);
  });

  it('tell everybody who waits when the credential is gone, and ask for nobody later', async () => {
    const first = ask();
    const second = ask();
    turns.forget('one');
    await assert.rejects(second, { name: 'AbortError' });
    await answered(first, allowed);
    assert.equal(open.length, 1);
    await answered(ask(), denied);
    const paused = ask();
    turns.forgetAll();
    await assert.rejects(paused, { name: 'AbortError' });
    clock.advance(60_000);
    assert.equal(open.length, 2);
  });

  it('do not hold up one that the person answered elsewhere', async () => {
    let isAnswered = false;
    const first = ask();
    const second = ask('one', { isAnswered: () => isAnswered });
    isAnswered = true;
    turns.reconsider();
    assert.equal(open.length, 2);
    await answered(second, allowed);
    open[0]?.resolve(allowed);
    await first;
  });

  it('leave no pause after a denial that was stored: it asks nothing while it stands', async () => {
    await answered(ask('one', { isAnswered: () => true }), denied);
    assert.equal(turns.pauseOf('one'), 0);
  });
});

/** Lets everything that is settled be heard of. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
