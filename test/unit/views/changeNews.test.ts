import assert from 'node:assert/strict';
import { ChangeNews } from '../../../src/views/changeNews.ts';
import { FakeClock } from '../../support/fakeClock.ts';

describe('What is told of changes', () => {
  let clock: FakeClock;
  let [look, told, isDrawn] = ['', 0, true];
  let news: ChangeNews;

  beforeEach(() => {
    clock = new FakeClock();
    [look, told, isDrawn] = ['stopped', 0, true];
    const tell = (): boolean => {
      told += isDrawn ? 1 : 0;
      return isDrawn;
    };
    news = new ChangeNews({ look: () => look, tell, clock });
  });
  afterEach(() => news.dispose());

  it('is one change for five hundred servers that start together, and a few while they go on', () => {
    for (let step = 0; step < 500; step += 1) {
      look = `${step} started`;
      news.note();
    }
    assert.deepEqual([told, clock.pending], [0, 1]);
    clock.advance(150);
    assert.deepEqual([told, clock.pending], [1, 0]);
    for (let step = 0; step < 1_000; step += 1) {
      look = `${step} ready`;
      news.note();
      clock.advance(1);
    }
    assert.ok(told <= 8, `${told} times in a second`);
    clock.advance(150);
    assert.equal(clock.pending, 0);
  });

  it('is nothing while all looks the same, or is again as it was', () => {
    news.note();
    clock.advance(150);
    look = 'starting';
    news.note();
    look = 'stopped';
    clock.advance(150);
    assert.equal(told, 0);
  });

  it('is told later what nobody could be told', () => {
    isDrawn = false;
    look = 'ready';
    news.note();
    clock.advance(150);
    isDrawn = true;
    news.note();
    clock.advance(150);
    assert.equal(told, 1);
  });

  it('is nothing more at the end', () => {
    look = 'ready';
    news.note();
    news.dispose();
    clock.advance(1_000);
    assert.equal(told, 0);
  });
});
