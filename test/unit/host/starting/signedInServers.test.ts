import assert from 'node:assert/strict';
import { AppError } from '../../../../src/base/errors.ts';
import { Emitter } from '../../../../src/base/events.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { SignedInServers } from '../../../../src/host/starting/signedInServers.ts';
import type { ServerSnapshot, ServerState } from '../../../../src/host/shared/serverState.ts';
import { snapshotOf } from '../snapshots.ts';

const signedOut: ServerState = { kind: 'failed', error: new AppError('host.unauthorized', 'Who are you?') };
const forbidden: ServerState = { kind: 'failed', error: new AppError('host.forbidden', 'Not with that.') };
const broken: ServerState = { kind: 'failed', error: new AppError('host.serverEnded', 'It ended.') };
const ready: ServerState = { kind: 'ready', serverName: 's', version: '1', protocolVersion: '2025-11-25', capabilities: [] };

describe('The servers one can sign in to', () => {
  const changed = new Emitter<string>();
  const kept = new Emitter<void>();
  const signedIn = new Set<string>();
  let states: Readonly<Record<string, ServerState>>;
  let done: string[];
  let servers: SignedInServers;

  beforeEach(() => {
    states = {};
    done = [];
    signedIn.clear();
    const note = (what: string): Promise<ServerState> => {
      done.push(what);
      return Promise.resolve(ready);
    };
    servers = new SignedInServers({
      registry: { servers: snapshots, start: (id) => note(`start ${id}`), restart: (id) => note(`restart ${id}`) },
      signIns: {
        state: (id) => Promise.resolve(signedIn.has(id) ? { kind: 'signedIn', issuer: 'https://auth.example' } : { kind: 'signedOut' }),
        look: async (ids) => {
          await note(`look at ${ids.join(' ')}`);
        },
        isSignedIn: (id) => signedIn.has(id),
        signOut: (id) => Promise.resolve({ revoked: signedIn.delete(id) }),
        onDidChange: changed.event,
      },
      onDidChangeKept: kept.event,
      onStartFailed: (error) => done.push(String(error)),
      log: silentLog,
    });
  });
  afterEach(() => servers.dispose());

  const snapshots = (): ServerSnapshot[] => Object.entries(states).map(([id, state]) => snapshotOf(id, state));

  it('start after a sign-in if they waited for it or for a wider one, and not otherwise', () => {
    states = { a: signedOut, b: broken, c: ready, d: forbidden };
    for (const id of ['a', 'b', 'c', 'd']) {
      changed.fire(id);
      signedIn.add(id);
      changed.fire(id);
    }
    assert.deepEqual(done, ['start a', 'start d']);
  });

  it('start anew after a sign-out, and their wish for a sign-in is then no news', async () => {
    states = { a: ready, b: { kind: 'stopped', reason: 'byUser' } };
    signedIn.add('a').add('b');
    assert.deepEqual(
      [await servers.signOut('a'), await servers.signOut('b'), await servers.signOut('c'), done],
      ['revoked', 'revoked', 'notSignedIn', ['restart a']],
    );
    const expected = (): boolean[] => [signedOut, broken].map((state) => servers.isExpected(snapshotOf('a', state)));
    assert.deepEqual(expected(), [true, false]);
    signedIn.add('a');
    changed.fire('a');
    assert.deepEqual(expected(), [false, false], 'after the next sign-in it is news again');
  });

  it('are looked at when a sign-in changes elsewhere', () => {
    states = { a: ready, b: signedOut };
    kept.fire();
    assert.deepEqual(done, ['look at a b']);
  });
});
