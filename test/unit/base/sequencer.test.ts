import assert from 'node:assert/strict';
import { Sequencer } from '../../../src/base/sequencer.ts';

describe('A sequencer', () => {
  it('runs tasks one after the other, in their order', async () => {
    const sequencer = new Sequencer();
    const seen: string[] = [];
    let finishFirst: (() => void) | undefined;
    const first = sequencer.run(async () => {
      seen.push('first begins');
      await new Promise<void>((resolve) => (finishFirst = resolve));
      seen.push('first ends');
    });
    const second = sequencer.run(() => seen.push('second'));
    await Promise.resolve();
    assert.deepEqual(seen, ['first begins']);
    finishFirst?.();
    await Promise.all([first, second]);
    assert.deepEqual(seen, ['first begins', 'first ends', 'second']);
  });

  it('gives a failure to its caller alone and goes on with the next task', async () => {
    const sequencer = new Sequencer();
    const failing = sequencer.run(() => Promise.reject(new Error('no')));
    const next = sequencer.run(() => 'next');
    await assert.rejects(failing, /no/);
    assert.equal(await next, 'next');
  });

  it('is idle when everything given to it has ended', async () => {
    const sequencer = new Sequencer();
    let isDone = false;
    sequencer
      .run(async () => {
        await new Promise((resolve) => setImmediate(resolve));
        isDone = true;
        throw new Error('late');
      })
      .catch(() => undefined);
    await sequencer.idle();
    assert.ok(isDone);
  });
});
