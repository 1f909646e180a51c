import assert from 'node:assert/strict';
import { AppError } from '../../../../src/base/errors.ts';
import { FailureBatch, PermissionNews, PermissionOffers, ScopeOffers } from '../../../../src/host/reports/notices.ts';
import type { ServerSnapshot, ServerState } from '../../../../src/host/shared/serverState.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { snapshotOf } from '../snapshots.ts';

const failed: ServerState = { kind: 'failed', error: new AppError('host.serverEnded', 'It ended.') };
const starting: ServerState = { kind: 'starting', attempt: 1 };
const stopped: ServerState = { kind: 'stopped', reason: 'byUser' };

describe('Failing servers', () => {
  let told: string[][];
  let clock: FakeClock;
  let batch: FailureBatch;
  const show = (states: Record<string, ServerState>): void =>
    batch.update(Object.entries(states).map(([id, state]) => snapshotOf(id, state)));

  beforeEach(() => {
    told = [];
    clock = new FakeClock();
    batch = new FailureBatch({ quietMs: 20, maxMs: 200, tell: (servers) => told.push(servers.map(({ id }) => id)), clock });
  });
  afterEach(() => batch.dispose());

  it('that fail together are told of once, those still starting waited for', () => {
    show({ a: failed, b: starting, c: starting });
    show({ a: failed, b: failed, c: starting });
    clock.advance(50);
    assert.deepEqual(told, []);
    show({ a: failed, b: failed, c: failed });
    clock.advance(20);
    assert.deepEqual(told, [['a', 'b', 'c']]);
  });

  it('do not wait for ever for one that never answers', () => {
    show({ a: failed, b: starting });
    clock.advance(199);
    assert.deepEqual(told, []);
    clock.advance(1);
    assert.deepEqual(told, [['a']]);
  });

  it('are told of again only after they ran or were stopped', () => {
    show({ a: failed });
    clock.advance(20);
    show({ a: starting });
    show({ a: failed, b: failed });
    clock.advance(20);
    show({ a: stopped, b: failed });
    show({ a: failed, b: failed });
    clock.advance(20);
    assert.deepEqual(told, [['a'], ['b'], ['a']]);
  });

  it('that will be tried again, or are well again in time, are not told of', () => {
    show({ a: { ...failed, retryAt: 1 }, b: failed, c: failed });
    show({ a: { ...failed, retryAt: 1 }, b: stopped, c: failed });
    clock.advance(200);
    assert.deepEqual(told, [['c']]);
  });
});

const waiting: ServerState = { kind: 'stopped', reason: 'needsConsent' };

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

  it('keeps silent about servers that are just being added and asked about, then and later, and not about others', async () => {
    let added: (ids: readonly string[]) => void = () => undefined;
    servers = [];
    const adding = offers.whileAdding((willAdd) => {
      willAdd(({ id }) => id === 'a');
      return new Promise((resolve) => (added = resolve));
    });
    servers = [snapshotOf('a', waiting)];
    await offers.offer();
    assert.deepEqual(
      shown.map(({ names }) => names),
      [],
    );
    servers = [snapshotOf('a', waiting), snapshotOf('b', waiting)];
    const first = offers.offer();
    shown[0]?.close(false);
    await first;
    added(['a']);
    assert.deepEqual(await adding, ['a']);
    await offers.offer();
    assert.deepEqual(
      shown.map(({ names }) => names),
      [['b']],
    );
  });

  it('comes also after servers that could not be added, and for those of them that nobody was asked about', async () => {
    const adding = offers.whileAdding(async (willAdd) => {
      willAdd(({ id }) => id === 'a');
      await offers.offer();
      throw new Error('The settings are read-only.');
    });
    await assert.rejects(adding);
    void offers.offer();
    assert.deepEqual(
      shown.map(({ names }) => names),
      [['a']],
    );
  });

  it('says so when all of it was settled before the person looks', async () => {
    const first = offers.offer();
    servers = [snapshotOf('a', stopped)];
    shown[0]?.close(true);
    await first;
    assert.deepEqual(done, ['nothing waits any more']);
  });
});

describe('A server that waits for permission', () => {
  it('is news once, and again when it ran and waits anew', () => {
    const news = new PermissionNews();
    const seen = (states: Record<string, ServerState>): string[] =>
      news.since(Object.entries(states).map(([id, state]) => snapshotOf(id, state))).map(({ id }) => id);
    assert.deepEqual(seen({ a: waiting, b: starting }), ['a']);
    assert.deepEqual(seen({ a: waiting, b: waiting }), ['b']);
    assert.deepEqual(seen({ a: starting, b: waiting }), []);
    assert.deepEqual(seen({ a: waiting, b: waiting }), ['a']);
  });
});

describe('The offer to sign in for more access', () => {
  let shown: { readonly scope: string | undefined; readonly close: (isWanted: boolean) => void }[];
  let signedIn: { readonly scope: string | undefined; readonly end: () => void }[];
  const offersWith = (pauseMs: number): ScopeOffers =>
    new ScopeOffers({
      pauseMs,
      show: ({ scope }) => new Promise((close) => shown.push({ scope, close })),
      signIn: ({ scope }) => new Promise((end) => signedIn.push({ scope, end })),
    });
  const scopes = (): (string | undefined)[] => shown.map(({ scope }) => scope);

  beforeEach(() => {
    [shown, signedIn] = [[], []];
  });

  it('comes once for each scope while it is open or the person signs in for it, and does not come back at once after that', async () => {
    const offers = offersWith(60_000);
    const first = offers.offer({ serverId: 'a', scope: 'write' });
    void offers.offer({ serverId: 'a', scope: 'write' });
    void offers.offer({ serverId: 'a', scope: 'all' });
    assert.deepEqual(scopes(), ['write', 'all']);
    shown[0]?.close(true);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(
      signedIn.map(({ scope }) => scope),
      ['write'],
    );
    await offers.offer({ serverId: 'a', scope: 'write' });
    signedIn[0]?.end();
    await first;
    await offers.offer({ serverId: 'a', scope: 'write' });
    assert.deepEqual(scopes(), ['write', 'all']);
  });

  it('comes back after a pause once the person has signed in or given it up, and not before', async () => {
    const offers = offersWith(0);
    const first = offers.offer({ serverId: 'a', scope: 'write' });
    shown[0]?.close(true);
    await new Promise((resolve) => setImmediate(resolve));
    void offers.offer({ serverId: 'a', scope: 'write' });
    assert.deepEqual(scopes(), ['write']);
    signedIn[0]?.end();
    await first;
    void offers.offer({ serverId: 'a', scope: 'write' });
    assert.deepEqual(scopes(), ['write', 'write']);
  });

  it('is made by a server three times at once, and leaves the others theirs', () => {
    const offers = offersWith(60_000);
    Array.from({ length: 50 }, (_, index) => void offers.offer({ serverId: 'a', scope: `scope${index}` }));
    void offers.offer({ serverId: 'b', scope: undefined });
    assert.deepEqual(scopes(), ['scope0', 'scope1', 'scope2', undefined]);
  });

  it('does not come back at once when the person closed it, and does after a pause', async () => {
    for (const [pauseMs, count] of [
      [60_000, 1],
      [0, 2],
    ] as const) {
      shown = [];
      const offers = offersWith(pauseMs);
      const first = offers.offer({ serverId: 'a', scope: 'write' });
      shown[0]?.close(false);
      await first;
      void offers.offer({ serverId: 'a', scope: 'more' });
      assert.equal(shown.length, count);
    }
    assert.deepEqual(signedIn, []);
  });
});
