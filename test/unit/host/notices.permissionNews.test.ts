import assert from 'node:assert/strict';
import { PermissionNews } from '../../../src/host/notices.ts';
import type { ServerState } from '../../../src/host/shared/serverState.ts';
import { snapshotOf } from './snapshots.ts';

const waiting: ServerState = { kind: 'stopped', reason: 'needsConsent' };
const starting: ServerState = { kind: 'starting', attempt: 1 };

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
