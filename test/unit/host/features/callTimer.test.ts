import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { CallTimer } from '../../../../src/host/features/callTimer.ts';
import { SpareControllers } from '../../../../src/host/connection/directCalls.ts';

const longMs = 60_000;

describe('The request of a call', () => {
  const timers: CallTimer[] = [];
  const begin = (wish?: AbortSignal, timeoutMs = longMs): CallTimer => {
    const timer = new CallTimer(timeoutMs, () => false, wish);
    timers.push(timer);
    return timer;
  };
  afterEach(() => timers.splice(0).forEach((timer) => timer.dispose()));

  it('that ended by itself leaves its signal to the next one, which no longer ends with the call before', async () => {
    const spare = new SpareControllers();
    const wish = new AbortController();
    const first = begin(wish.signal);
    const firstSignal = await spare.during(first, async (signal) => signal);
    const secondWish = new AbortController();
    await spare.during(begin(secondWish.signal), async (signal) => {
      assert.equal(signal, firstSignal);
      wish.abort();
      assert.deepEqual([first.isOver, signal.aborted], [true, false]);
      secondWish.abort(new Error('no more'));
      assert.equal(signal.reason, secondWish.signal.reason);
    });
  });

  it('that was ended leaves its signal to nobody', async () => {
    const spare = new SpareControllers();
    const wish = new AbortController();
    const fired = await spare.during(begin(wish.signal), async (signal) => {
      wish.abort();
      return signal;
    });
    await spare.during(begin(), async (signal) =>
      assert.deepEqual([fired.aborted, signal === fired, signal.aborted], [true, false, false]),
    );
  });

  it('has a signal of its own while others are under way', async () => {
    const spare = new SpareControllers();
    const signals = new Set<AbortSignal>();
    const together = [1, 2, 3].map(() => spare.during(begin(), async (signal) => void signals.add(signal)));
    await Promise.all(together);
    assert.equal(signals.size, 3);
  });

  it('is ended from the start when the call is over by then', async () => {
    const timer = begin(AbortSignal.abort(new Error('no more')));
    const seen = await new SpareControllers().during(timer, async (signal) => signal.aborted);
    assert.deepEqual([seen, timer.signal.aborted, timer.isOver, timer.hasExpired], [true, true, true, false]);
  });

  it('is ended when its time is over, like what asks for a signal before and after', async () => {
    const timer = begin(undefined, 4);
    const before = timer.signal;
    await new SpareControllers().during(timer, (signal) => new Promise<void>((resolve) => (signal.onabort = () => resolve())));
    assert.deepEqual([before.aborted, timer.signal === before, timer.hasExpired], [true, true, true]);
    const late = begin(undefined, 4);
    await new SpareControllers().during(late, (signal) => new Promise<void>((resolve) => (signal.onabort = () => resolve())));
    assert.equal(late.signal.aborted, true);
  });

  it('leaves nothing at the signal of who wanted it', () => {
    const wish = new AbortController();
    const timer = begin(wish.signal);
    assert.equal(getEventListeners(wish.signal, 'abort').length, 1);
    timer.dispose();
    assert.deepEqual(getEventListeners(wish.signal, 'abort'), []);
  });
});
