import assert from 'node:assert/strict';
import { readEntry, readPage } from '../../../src/registry/serverJson.ts';
import { knownServers, listed, npm } from '../../fixtures/registry/entries.ts';

describe('readEntry', () => {
  it('reads what a registry says of a server', () => {
    const entry = readEntry(knownServers[0]);
    assert.deepEqual(
      { ...entry, packages: entry?.packages.map(({ identifier, version }) => [identifier, version]) },
      {
        name: 'io.github.modelcontextprotocol/server-everything',
        title: 'Everything',
        description: 'A server with every feature of the protocol, to try a host with.',
        version: '2026.8.31',
        website: 'https://modelcontextprotocol.io/',
        repository: 'https://github.com/modelcontextprotocol/servers',
        updated: '2026-09-01T10:00:00.000Z',
        isDeprecated: false,
        isLocal: false,
        packages: [['@modelcontextprotocol/server-everything', '2026.8.31']],
        remotes: [],
        unreadable: 0,
      },
    );
  });

  it('takes null for what is left out, cuts what is too long for people, and leaves out links that no browser opens', () => {
    const more = {
      title: null,
      description: 'x'.repeat(9_000),
      packages: null,
      remotes: null,
      repository: null,
      websiteUrl: 'javascript:alert(1)',
    };
    const entry = readEntry(listed('io.example/bare', more));
    assert.deepEqual(
      [entry?.title, entry?.description.length, entry?.packages, entry?.website, entry?.repository],
      ['io.example/bare', 1_000, [], '', ''],
    );
  });

  it('counts packages that it cannot read, and keeps the others', () => {
    const packages = [
      npm('good', '1.0.0'),
      { registryType: 'npm' },
      npm('large', '1.0.0', { packageArguments: Array.from({ length: 101 }, () => ({})) }),
    ];
    const entry = readEntry(listed('io.example/mixed', { packages, remotes: [{ type: 'carrier-pigeon', url: 'https://x.example' }] }));
    assert.deepEqual([entry?.packages.map(({ identifier }) => identifier), entry?.unreadable], [['good'], 3]);
  });

  it('leaves out a server that was taken back, and marks one that is deprecated', () => {
    assert.equal(readEntry(listed('io.example/gone', {}, 'deleted')), undefined);
    assert.equal(readEntry(listed('io.example/old', {}, 'deprecated'))?.isDeprecated, true);
  });
});

describe('readPage', () => {
  it('leaves out what is no entry, and takes an empty cursor for the end', () => {
    const page = readPage({ servers: [null, 7, {}, listed('io.example/one')], metadata: { nextCursor: '' } }, 10);
    assert.deepEqual([page?.entries.map(({ name }) => name), page?.nextCursor], [['io.example/one'], undefined]);
    assert.equal(readPage({ server: [] }, 10), undefined);
  });
});
