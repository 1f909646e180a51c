import assert from 'node:assert/strict';
import { contextOffering, secret } from './support.ts';

const from = { serverId: 'notes-id', server: 'notes', title: undefined };

describe('The suggestions of what servers offer', () => {
  it('have no beginning of a secret where a long text of a server is cut', async () => {
    const address = `notes://${'x'.repeat(180)}?token=${secret}`;
    const context = contextOffering({
      resources: [
        { ...from, uri: address, name: 'one', description: '' },
        { ...from, uri: 'notes://two', name: address, description: '' },
      ],
      templates: [{ ...from, uriTemplate: `${address}{id}`, name: 'three', description: '' }],
    });
    const suggestions = (await context.suggest('@', 'notes')) ?? [];
    context.dispose();
    const ofServer = suggestions.filter(({ server }) => server === 'notes');
    assert.equal(ofServer.length, 3);
    assert.deepEqual(
      ofServer.filter(({ name, detail }) => /hunt/.test(name + detail) || Math.max(name.length, detail.length) > 201),
      [],
    );
  });
});
