import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../src/base/errors.ts';
import { FailureBatch } from '../../../src/host/notices.ts';
import type { ServerState } from '../../../src/host/shared/serverState.ts';
import { snapshotOf } from './snapshots.ts';

const failed: ServerState = { kind: 'failed', error: new AppError('host.serverEnded', 'It ended.') };
const starting: ServerState = { kind: 'starting', attempt: 1 };
const stopped: ServerState = { kind: 'stopped', reason: 'byUser' };

describe('Failing servers', () => {
  let told: string[][];
  let batch: FailureBatch;
  const show = (states: Record<string, ServerState>): void =>
    batch.update(Object.entries(states).map(([id, state]) => snapshotOf(id, state)));
  const untilTold = async (count: number): Promise<void> => {
    for (let tries = 0; told.length < count && tries < 500; tries += 1) {
      await sleep(5);
    }
  };

  beforeEach(() => {
    told = [];
    batch = new FailureBatch({ quietMs: 20, maxMs: 200, tell: (servers) => told.push(servers.map(({ id }) => id)) });
  });
  afterEach(() => batch.dispose());

  it('that fail together are told of once, those still starting waited for', async () => {
    show({ a: failed, b: starting, c: starting });
    show({ a: failed, b: failed, c: starting });
    await sleep(50);
    assert.deepEqual(told, []);
    show({ a: failed, b: failed, c: failed });
    await untilTold(1);
    assert.deepEqual(told, [['a', 'b', 'c']]);
  });

  it('do not wait for ever for one that never answers', async () => {
    show({ a: failed, b: starting });
    await untilTold(1);
    assert.deepEqual(told, [['a']]);
  });

  it('are told of again only after they ran or were stopped', async () => {
    show({ a: failed });
    await untilTold(1);
    show({ a: starting });
    show({ a: failed, b: failed });
    await untilTold(2);
    show({ a: stopped, b: failed });
    show({ a: failed, b: failed });
    await untilTold(3);
    assert.deepEqual(told, [['a'], ['b'], ['a']]);
  });

  it('that will be tried again, or are well again in time, are not told of', async () => {
    show({ a: { ...failed, retryAt: 1 }, b: failed, c: failed });
    show({ a: { ...failed, retryAt: 1 }, b: stopped, c: failed });
    await untilTold(1);
    assert.deepEqual(told, [['c']]);
  });
});
