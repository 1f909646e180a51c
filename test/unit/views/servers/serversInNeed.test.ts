import assert from 'node:assert/strict';
import type { ServerSnapshot, ServerState } from '../../../../src/host/shared/serverState.ts';
import { ServersInNeed } from '../../../../src/views/servers/serversInNeed.ts';
import { hostError } from '../../../../src/host/shared/hostErrors.ts';
import { snapshotOf } from '../../host/snapshots.ts';

const waits: ServerState = { kind: 'stopped', reason: 'needsConsent' };
const stopped: ServerState = { kind: 'stopped', reason: 'byUser' };
const failed: ServerState = { kind: 'failed', error: hostError('host.startDenied') };
const retried: ServerState = { ...failed, retryAt: 1 };

describe('Servers that need the person', () => {
  let need: ServersInNeed;
  beforeEach(() => {
    need = new ServersInNeed();
  });
  const look = (states: Readonly<Record<string, ServerState>>, isLooking = true): string | undefined => {
    const servers = Object.entries(states).map(([id, state]): ServerSnapshot => snapshotOf(id, state));
    return need.look(servers, isLooking)?.id;
  };

  it('are found when they begin to, once, and again when they need something anew', () => {
    const seen = [
      { a: stopped, b: waits },
      { a: stopped, b: waits },
      { a: failed, b: waits },
      { a: stopped, b: stopped },
      { a: stopped, b: waits },
    ];
    assert.deepEqual(
      seen.map((states) => look(states)),
      ['b', undefined, 'a', undefined, 'b'],
    );
  });

  it('are found when somebody looks, also when they have needed something for long', () => {
    assert.deepEqual([look({ a: waits }, false), look({ a: waits }, false), look({ a: waits })], [undefined, undefined, 'a']);
  });

  it('are not those that are tried again by themselves', () => {
    assert.equal(look({ a: retried }), undefined);
  });
});
