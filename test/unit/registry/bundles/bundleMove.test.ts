import assert from 'node:assert/strict';
import { isAppError } from '../../../../src/base/errors.ts';
import { readManifest, type BundleManifest } from '../../../../src/registry/bundles/bundleManifest.ts';
import { bundleMove, movedEntry } from '../../../../src/registry/bundles/bundleMove.ts';
import { installedOf } from '../../../../src/registry/installed.ts';
import { waysOf } from '../../../../src/registry/installWays.ts';
import { readEntry } from '../../../../src/registry/serverJson.ts';
import { listed } from '../../../fixtures/registry/entries.ts';

const machine = { platform: 'linux', home: '/home/me' } as const;
const [from, to] = [`/store/notes@1.0.0@${'a'.repeat(32)}`, `/store/notes@1.1.0@${'b'.repeat(32)}`];

function manifest(version: string, args = ['${__dirname}/index.js', '--dir=${user_config.dir}']): BundleManifest {
  const server = { type: 'node', entry_point: 'index.js', mcp_config: { command: 'node', args } };
  return readManifest(JSON.stringify({ manifest_version: '0.3', name: 'notes', version, description: 'N', author: { name: 'S' }, server }));
}
const files = new Set(['manifest.json', 'index.js']);
const refusalOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return isAppError(error) ? error.code : error;
  }
};

describe('bundleMove', () => {
  it('leads from the installed folder to the new one, and keeps what the person filled in', () => {
    const move = bundleMove({ folder: from, manifest: manifest('1.0.0') }, { manifest: manifest('1.1.0'), folder: to, files }, machine);
    const entry = {
      command: `${from}/bin/run`,
      args: [`${from}/index.js`, `--dir=${from}`, `${from}-other/x`, '/home/me', 7],
      env: { TOKEN: '${input:notes-token}', PATHS: `${from}/a:${from}/b` },
      description: from,
      disabled: true,
    };
    assert.deepEqual(movedEntry(entry, move), {
      command: `${to}/bin/run`,
      args: [`${to}/index.js`, `--dir=${to}`, `${from}-other/x`, '/home/me', 7],
      env: { TOKEN: '${input:notes-token}', PATHS: `${to}/a:${to}/b` },
      description: from,
      disabled: true,
    });
  });

  it('is refused where the new version is started otherwise, is not whole, or the old one cannot be read', () => {
    const newer = { manifest: manifest('1.1.0', ['${__dirname}/index.js', '--all']), folder: to, files };
    const old = { folder: from, manifest: manifest('1.0.0') };
    const alike = { ...newer, manifest: manifest('1.1.0') };
    assert.equal(
      refusalOf(() => bundleMove(old, newer, machine)),
      'registry.startedOtherwise',
    );
    assert.equal(
      refusalOf(() => bundleMove({ ...old, manifest: undefined }, alike, machine)),
      'registry.startedOtherwise',
    );
    assert.equal(
      refusalOf(() => bundleMove(old, { ...alike, files: new Set() }, machine)),
      'registry.bundleEntry',
    );
  });

  it('is offered for a server whose folder has an older version', () => {
    const newer = (version: string): unknown[] => {
      const one = {
        registryType: 'mcpb',
        identifier: 'https://x.example/n.mcpb',
        version,
        fileSha256: 'b'.repeat(64),
        transport: { type: 'stdio' },
      };
      const entry = readEntry(listed('io.example/notes', { packages: [one] }));
      const server = { id: 'n', label: 'n', command: 'node', args: [`${from}/index.js`] };
      return installedOf(entry === undefined ? [] : waysOf(entry), [server]).map(({ olderBundle }) => olderBundle);
    };
    assert.deepEqual([newer('1.1.0'), newer('1.0.0'), newer('0.9.0')], [[from.slice('/store/'.length)], [undefined], [undefined]]);
  });
});
