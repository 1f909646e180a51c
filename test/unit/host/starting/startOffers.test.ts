import assert from 'node:assert/strict';
import type { ServerState } from '../../../../src/host/shared/serverState.ts';
import { StartOffers } from '../../../../src/host/starting/startOffers.ts';
import { snapshotOf } from '../snapshots.ts';

const waiting: ServerState = { kind: 'stopped', reason: 'needsConsent' };
const ready: ServerState = { kind: 'ready', serverName: 's', version: '1', protocolVersion: '2025-11-25', capabilities: [] };

describe('Servers that wait for permission', () => {
  let states: Readonly<Record<string, ServerState>>;
  let started: string[];
  let offers: StartOffers;
  const signal = new AbortController().signal;

  beforeEach(() => {
    states = {};
    started = [];
    offers = new StartOffers({
      servers: () => Object.entries(states).map(([id, state]) => snapshotOf(id, state)),
      start: (id) => {
        started.push(id);
        return Promise.resolve(waiting);
      },
    });
  });

  it('are offered once for a message that may need any, and again only after they ran', async () => {
    const offerIn = async (next: typeof states): Promise<string[]> => {
      states = next;
      await offers.offer({ signal, message: 'run roll_dice', needsAny: true });
      return started.splice(0);
    };
    assert.deepEqual(await offerIn({ a: waiting, b: ready, c: { kind: 'stopped', reason: 'byUser' } }), ['a']);
    assert.deepEqual(await offerIn({ a: waiting, b: waiting }), ['b']);
    assert.deepEqual(await offerIn({ a: ready, b: waiting }), []);
    assert.deepEqual(await offerIn({ a: waiting, b: waiting }), ['a']);
  });

  it('are offered for any other message when it names them, and each time that it does', async () => {
    states = { notes: waiting, 'my server': waiting, other: waiting };
    const offeredFor = async (message: string): Promise<string[]> => {
      await offers.offer({ signal, message, needsAny: false });
      return started.splice(0);
    };
    assert.deepEqual(await offeredFor('Look into my notes and the other'), []);
    assert.deepEqual(await offeredFor('a@notes, @notebook, @notes-2, src/notes'), []);
    assert.deepEqual(await offeredFor('What does @Notes say?'), ['notes']);
    assert.deepEqual(await offeredFor('/notes'), ['notes']);
    assert.deepEqual(await offeredFor('(#my server) and\n@other: both'), ['my server', 'other']);
  });

  it('are offered when they were chosen for a message, each time; and once when a tool of theirs is pinned', async () => {
    states = { notes: waiting, shop: waiting, other: waiting };
    const offeredFor = async (named: readonly string[], pinned: readonly string[] = []): Promise<string[]> => {
      await offers.offer({ signal, message: 'What is there?', needsAny: false, named, pinned });
      return started.splice(0);
    };
    assert.deepEqual(await offeredFor(['notes']), ['notes']);
    assert.deepEqual(await offeredFor(['notes', 'gone']), ['notes']);
    assert.deepEqual(await offeredFor([], ['shop']), ['shop']);
    assert.deepEqual(await offeredFor([], ['shop']), [], 'nobody who said no is asked with every message');
    assert.deepEqual(await offeredFor([]), []);
  });
});
