import assert from 'node:assert/strict';
import { abortError, atMost, pause, untilAborted, within } from '../../../src/base/abort.ts';
import { isAbort } from '../../../src/base/errors.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const never = new Promise<never>(() => undefined);

describe('Waiting that can be stopped', () => {
  it('settles with the work when nothing stops it', async () => {
    const { signal } = new AbortController();
    assert.equal(await untilAborted(Promise.resolve(1), signal), 1);
    await assert.rejects(untilAborted(Promise.reject(new Error('broken')), signal), /broken/);
  });

  it('rejects with the reason of the signal the moment it fires', async () => {
    const stop = new AbortController();
    const waiting = untilAborted(never, stop.signal);
    stop.abort();
    await assert.rejects(waiting, isAbort);
    const reason = new Error('enough');
    await assert.rejects(untilAborted(never, AbortSignal.abort(reason)), reason);
  });

  it('says what the caller makes of it, where that is asked for', async () => {
    const waiting = untilAborted(never, AbortSignal.abort(new Error('enough')), () => abortError('The call was cancelled.'));
    await assert.rejects(waiting, { name: 'AbortError', message: 'The call was cancelled.' });
  });

  it('does not let work that fails after the signal become an unhandled rejection', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    await assert.rejects(untilAborted(Promise.reject(new Error('late')), AbortSignal.abort()), isAbort);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    assert.deepEqual(unhandled, []);
  });

  it('ends after its time with the error for that', async () => {
    const { signal } = new AbortController();
    await assert.rejects(
      within(never, 1, signal, () => new Error('too late')),
      /too late/,
    );
    assert.equal(await within(Promise.resolve('done'), 10_000, signal, () => new Error('too late')), 'done');
    await assert.rejects(
      within(never, 10_000, AbortSignal.abort(), () => new Error('too late')),
      isAbort,
    );
  });

  it('waits no longer than it is told where being late is no failure', async () => {
    assert.equal(await atMost<unknown>(never, 1), undefined);
    assert.equal(await atMost(Promise.resolve('done'), 10_000), 'done');
    await assert.rejects(atMost(Promise.reject(new Error('broken')), 10_000), /broken/);
    await assert.rejects(atMost(never, 10_000, AbortSignal.abort()), isAbort);
  });

  it('pauses by the clock, and leaves no timer behind when stopped', async () => {
    const clock = new FakeClock();
    const stop = new AbortController();
    const pausing = pause(clock, 500, stop.signal);
    clock.advance(500);
    await pausing;
    const stopped = pause(clock, 500, stop.signal);
    stop.abort();
    await assert.rejects(stopped, isAbort);
    assert.equal(clock.pending, 0);
  });
});
