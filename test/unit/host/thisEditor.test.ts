import assert from 'node:assert/strict';
import { createTestHost } from './support.ts';

describe('A configured server that is this editor', () => {
  it('is shown and never connected, whoever starts it, and nobody is asked', async () => {
    const host = await createTestHost({ ports: { isThisEditor: ({ name }) => Promise.resolve(name === 'self') } });
    await host.configure({ self: { url: 'http://127.0.0.1:4100/mcp' } });
    await host.registry.startApproved();
    const { id } = host.server('self');
    const state = await host.registry.start(id, { ask: host.ask, signal: new AbortController().signal });
    assert.deepEqual([state, host.server('self').state, host.asked], [state, { kind: 'stopped', reason: 'thisEditor' }, []]);
    await host.close();
  });
});
