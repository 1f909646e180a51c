import assert from 'node:assert/strict';
import { PermissionOffers } from '../../../src/host/notices.ts';
import type { ServerSnapshot, ServerState } from '../../../src/host/shared/serverState.ts';
import { snapshotOf } from './snapshots.ts';

const waiting: ServerState = { kind: 'stopped', reason: 'needsConsent' };
const stopped: ServerState = { kind: 'stopped', reason: 'byUser' };

describe('The notification about servers that wait for permission', () => {
  let servers: ServerSnapshot[];
  let shown: { readonly names: readonly string[]; readonly close: (wantsToLook: boolean) => void }[];
  let done: string[];
  let offers: PermissionOffers;
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  beforeEach(() => {
    servers = [snapshotOf('a', waiting)];
    shown = [];
    done = [];
    offers = new PermissionOffers({
      servers: () => servers,
      show: (news) => new Promise((resolve) => shown.push({ names: news.map(({ label }) => label), close: resolve })),
      start: (server) => Promise.resolve(done.push(`start ${server.label}`)),
      tellSettled: () => done.push('nothing waits any more'),
    });
  });

  it('is one at a time, and its answer is for all that wait by then', async () => {
    const first = offers.offer();
    servers = [snapshotOf('a', waiting), snapshotOf('b', waiting)];
    await offers.offer();
    assert.deepEqual(
      shown.map(({ names }) => names),
      [['a']],
    );
    shown[0]?.close(true);
    await first;
    assert.deepEqual([done, shown.length], [['start a', 'start b'], 1]);
  });

  it('comes again, after one that was closed, only for what came meanwhile', async () => {
    const first = offers.offer();
    servers = [snapshotOf('a', waiting), snapshotOf('b', waiting)];
    await offers.offer();
    shown[0]?.close(false);
    await settled();
    shown[1]?.close(false);
    await first;
    await offers.offer();
    assert.deepEqual(
      shown.map(({ names }) => names),
      [['a'], ['b']],
    );
    assert.deepEqual(done, []);
  });

  it('says so when all of it was settled before the person looks', async () => {
    const first = offers.offer();
    servers = [snapshotOf('a', stopped)];
    shown[0]?.close(true);
    await first;
    assert.deepEqual(done, ['nothing waits any more']);
  });
});
