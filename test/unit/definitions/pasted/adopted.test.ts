import assert from 'node:assert/strict';
import { adoptedServer } from '../../../../src/definitions/pasted/adopted.ts';

const shop = { name: 'shop', path: '/projects/shop' };
const other = { name: 'other $& one', path: '/projects/other' };
const raw = { command: 'node', args: ['${workspaceFolder}/a.js', '${env:KEY}'], env: { HERE: '${workspaceFolder}' } };

describe('A server that is adopted', () => {
  it('stays as it was read where our settings mean the same folder', () => {
    for (const folder of [undefined, shop]) {
      const server = adoptedServer({ name: 'demo', kind: 'stdio', raw, folder }, [shop, other]);
      assert.deepEqual(server, { name: 'demo', definition: raw, leftOut: [] });
    }
  });

  it('names the folder that it came from where that is not the first', () => {
    const { definition } = adoptedServer({ name: 'demo', kind: 'stdio', raw, folder: other }, [shop, other]);
    const named = '${workspaceFolder:other $& one}';
    assert.deepEqual(definition, { command: 'node', args: [`${named}/a.js`, '${env:KEY}'], env: { HERE: named }, cwd: named });
    const remote = { url: 'https://example.com/${workspaceFolder}' };
    assert.deepEqual(adoptedServer({ name: 'demo', kind: 'remote', raw: remote, folder: other }, [shop, other]).definition, {
      url: `https://example.com/${named}`,
    });
  });
});
