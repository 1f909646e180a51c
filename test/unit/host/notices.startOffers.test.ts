import assert from 'node:assert/strict';
import type { ServerState } from '../../../src/host/shared/serverState.ts';
import { StartOffers } from '../../../src/host/notices.ts';
import { snapshotOf } from './snapshots.ts';

const waiting: ServerState = { kind: 'stopped', reason: 'needsConsent' };
const ready: ServerState = { kind: 'ready', serverName: 's', version: '1', protocolVersion: '2025-11-25', capabilities: [] };

describe('Servers that wait for permission', () => {
  it('are offered once, and again only after they ran', async () => {
    let states: Readonly<Record<string, ServerState>> = {};
    const started: string[] = [];
    const offers = new StartOffers({
      servers: () => Object.entries(states).map(([id, state]) => snapshotOf(id, state)),
      start: (id) => {
        started.push(id);
        return Promise.resolve(waiting);
      },
    });
    const offerIn = async (next: typeof states): Promise<string[]> => {
      states = next;
      await offers.offer({ signal: new AbortController().signal });
      return started.splice(0);
    };
    assert.deepEqual(await offerIn({ a: waiting, b: ready, c: { kind: 'stopped', reason: 'byUser' } }), ['a']);
    assert.deepEqual(await offerIn({ a: waiting, b: waiting }), ['b']);
    assert.deepEqual(await offerIn({ a: ready, b: waiting }), []);
    assert.deepEqual(await offerIn({ a: waiting, b: waiting }), ['a']);
  });
});
