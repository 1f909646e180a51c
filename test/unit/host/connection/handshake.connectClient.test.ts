import assert from 'node:assert/strict';
import { shakeHands } from '../../../../src/host/connection/handshake.ts';
import type { Client } from '../../../../src/host/shared/sdk.ts';
import type { ServerLink } from '../../../../src/host/shared/serverLink.ts';

describe('A server whose start was given up', () => {
  it('is not run when what it needs is there at last', async () => {
    const done: string[] = [];
    const client = { connect: async () => done.push('started') } as unknown as Client;
    const transport = { close: async () => done.push('closed') } as unknown as ServerLink['transport'];
    const options = { timeout: 1_000, signal: AbortSignal.abort() };
    await assert.rejects(shakeHands(client, { transport } as ServerLink, options), { name: 'AbortError' });
    assert.deepEqual(done, []);
  });
});
