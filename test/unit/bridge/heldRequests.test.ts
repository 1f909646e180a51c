import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { HeldRequests, type HoldTimings, type HostLine } from '../../../src/bridge/heldRequests.ts';
import { defaultTimings } from '../../../src/bridge/timings.ts';
import { until } from './support/fakeWindow.ts';

const long = 60_000;

function line(...ids: number[]): HostLine {
  const items = ids.map((id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }));
  return { text: ids.join(' '), items, isBatch: ids.length > 1, refused: new Map() };
}

describe('Requests that wait for a window', () => {
  let held: HeldRequests;
  let givenBack: string[];

  beforeEach(() => create());
  afterEach(() => held.close());

  function create(timings: Partial<HoldTimings> = {}): void {
    givenBack = [];
    held = new HeldRequests({ listHold: long, reloadHold: long, ...timings }, ({ text }) => givenBack.push(text));
  }

  /** One that can be answered without a window, and one that cannot. */
  function addBoth(): void {
    held.add(line(1), true);
    held.add(line(2), false);
  }

  it('all wait at the start, and go to the window in their order', () => {
    addBoth();
    assert.deepEqual([...held.ids()], [1, 2]);
    assert.deepEqual(
      held.release().map(({ text }) => text),
      ['1', '2'],
    );
    assert.deepEqual([[...held.ids()], givenBack], [[], []]);
  });

  it('wait no longer than a moment at the start if they can be answered without one', async () => {
    held.close();
    create({ listHold: 1 });
    addBoth();
    await until(() => givenBack.length > 0);
    held.add(line(3), true);
    held.add(line(4), false);
    assert.deepEqual(
      [givenBack, [...held.ids()]],
      [
        ['1', '3'],
        [2, 4],
      ],
    );
  });

  it('are given back when there is no window, and so are those that follow', () => {
    addBoth();
    held.noWindow();
    held.add(line(3), false);
    assert.deepEqual([givenBack, held.release()], [['1', '2', '3'], []]);
  });

  it('wait for a window that reloads, unless they can be answered without one, also while none is found', () => {
    held.release();
    held.windowLost();
    addBoth();
    held.noWindow();
    assert.deepEqual([givenBack, [...held.ids()]], [['1'], [2]]);
  });

  it('wait half a minute for a window that reloads', () => {
    held.close();
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      create(defaultTimings);
      held.release();
      held.windowLost();
      held.add(line(2), false);
      mock.timers.tick(29_999);
      assert.deepEqual(givenBack, []);
      mock.timers.tick(1);
      assert.deepEqual(givenBack, ['2']);
    } finally {
      mock.timers.reset();
    }
  });

  it('are given back when a window does not come back in time', async () => {
    held.close();
    create({ reloadHold: 1 });
    held.release();
    held.windowLost();
    held.add(line(2), false);
    await until(() => givenBack.length > 0);
    held.add(line(3), false);
    assert.deepEqual(givenBack, ['2', '3']);
  });

  it('are forgotten when they are cancelled, but a batch stays whole', () => {
    addBoth();
    held.add(line(3, 4), false);
    held.cancel(2);
    held.cancel(3);
    assert.deepEqual([...held.ids()], [1, 3, 4]);
  });

  it('are given back when there are too many of them', () => {
    for (let id = 0; id <= 1_000; id += 1) {
      held.add(line(id), false);
    }
    assert.deepEqual([givenBack, held.ids().size], [['1000'], 1_000]);
  });

  it('are all given back when nothing is waited for any more', () => {
    held.release();
    held.windowLost();
    held.add(line(2), false);
    held.close();
    held.close();
    assert.deepEqual(givenBack, ['2']);
  });
});
