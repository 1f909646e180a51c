import assert from 'node:assert/strict';
import { installedOf, isNewer } from '../../../src/registry/installed.ts';
import { waysOf } from '../../../src/registry/installWays.ts';
import { readEntry } from '../../../src/registry/serverJson.ts';
import { listed, npm } from '../../fixtures/registry/entries.ts';

describe('installedOf', () => {
  it('finds configured servers by their package or address, and says what an update would change', () => {
    const entry = readEntry(
      listed('io.example/demo', {
        packages: [npm('@scope/tool', '2.0.0'), { registryType: 'oci', identifier: 'ghcr.io/o/tool:2.0.0', transport: { type: 'stdio' } }],
        remotes: [
          { type: 'sse', url: 'https://tool.example/sse' },
          {
            type: 'streamable-http',
            url: 'https://{region}.tool.example/mcp?key={key}',
            variables: { region: {}, key: { isSecret: true } },
          },
        ],
      }),
    );
    const servers = [
      { id: 'old', label: 'old', command: '/usr/bin/npx', args: ['-y', '@scope/tool@1.9.0', '--x'] },
      { id: 'same', label: 'same', command: 'npx.cmd', args: ['@scope/tool@2.0.0'] },
      { id: 'free', label: 'free', command: 'npx', args: ['-y', '@scope/tool'] },
      { id: 'image', label: 'image', command: 'docker', args: ['run', '-i', 'ghcr.io/o/tool:1.0.0'] },
      { id: 'remote', label: 'remote', url: 'https://tool.example/sse' },
      { id: 'filled', label: 'filled', url: 'https://eu.tool.example/mcp?key=${input:tool-key}' },
      { id: 'elsewhere', label: 'elsewhere', url: 'https://evil.example/.tool.example/mcp?key=1' },
      { id: 'newest', label: 'newest', command: 'npx', args: ['-y', '@scope/tool@latest'] },
      { id: 'range', label: 'range', command: 'npx', args: ['-y', '@scope/tool@^1.0.0'] },
      { id: 'digest', label: 'digest', command: 'docker', args: ['run', '-i', `ghcr.io/o/tool@sha256:${'a'.repeat(64)}`] },
      { id: 'other', label: 'other', command: 'npx', args: ['-y', '@scope/tools@1.0.0'] },
      { id: 'program', label: 'program', command: 'node', args: ['@scope/tool@1.0.0'] },
    ];
    assert.deepEqual(
      installedOf(entry === undefined ? [] : waysOf(entry), servers).map(({ server, version, update }) => [server.id, version, update]),
      [
        ['old', '1.9.0', { index: 1, before: '@scope/tool@1.9.0', after: '@scope/tool@2.0.0' }],
        ['same', '2.0.0', undefined],
        ['free', undefined, undefined],
        ['image', '1.0.0', { index: 2, before: 'ghcr.io/o/tool:1.0.0', after: 'ghcr.io/o/tool:2.0.0' }],
        ['remote', undefined, undefined],
        ['filled', undefined, undefined],
        ['newest', 'latest', undefined],
        ['range', '^1.0.0', undefined],
        ['digest', `sha256:${'a'.repeat(64)}`, undefined],
      ],
    );
  });
});

describe('The address of a remote', () => {
  const isFound = (url: string, address: string): boolean => {
    const variables = Object.fromEntries([...url.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, {}]));
    const entry = readEntry(listed('io.example/demo', { remotes: [{ type: 'sse', url, variables }] }));
    return installedOf(entry === undefined ? [] : waysOf(entry), [{ id: 'a', label: 'a', url: address }]).length === 1;
  };

  it('is known with anything in the place of its variables, and with nothing else changed', () => {
    for (const [url, address, isSame] of [
      ['https://x.example/mcp', 'https://x.example/mcp', true],
      ['https://x.example/mcp', 'https://x.example/mcp2', false],
      ['https://x.example/{team}', 'https://x.example/blue', true],
      ['https://x.example/{team}', 'https://x.example/', false],
      ['https://x.example/{team}', 'https://x.example/blue/more', false],
      ['https://{a}.x.example/{b}/mcp', 'https://eu.x.example/blue/mcp', true],
      ['https://{a}.x.example/{b}/mcp', 'https://evil.example/.x.example/blue/mcp', false],
      ['https://x.example/{unknown', 'https://x.example/blue', false],
    ] as const) {
      assert.equal(isFound(url, address), isSame, `${url} ${address}`);
    }
  });

  it('is looked through once, however many variables it has', () => {
    const url = `https://${'{a}'.repeat(1_000)}.example/!`;
    const started = performance.now();
    assert.equal(isFound(url, `https://${'a'.repeat(100_000)}.example/?`), false);
    assert.ok(performance.now() - started < 1_000);
  });
});

describe('isNewer', () => {
  it('compares by numbers, and puts a release behind what came before it', () => {
    const pairs: readonly (readonly [string, string])[] = [
      ['1.10.0', '1.9.0'],
      ['1.0.0', '1.0.0-beta'],
      ['1.0.0-beta', '1.0.0-alpha'],
      ['2026.8.31', '2026.7.1'],
      ['1.0.0-beta.10', '1.0.0-beta.9'],
      ['1.0.0-rc.1', '1.0.0-beta.2'],
      ['1.0.0-beta.1', '1.0.0-beta'],
      ['v2.0.0', 'v1.9.0'],
      ['1.0.0', '1.0.0rc1'],
      ['1.0.0rc2', '1.0.0b3'],
      ['1.0.0.post1', '1.0.0'],
    ];
    assert.deepEqual(
      pairs.map(([one, other]) => [isNewer(one, other), isNewer(other, one), isNewer(one, one)]),
      pairs.map(() => [true, false, false]),
    );
  });
});
