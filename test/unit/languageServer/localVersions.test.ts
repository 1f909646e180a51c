import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { fetchedPythonVersion, fetchedVersion, npmCache, uvCache } from '../../../src/languageServer/localVersions.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../../support/run/temporaryFolder.mjs';

describe('The version of a package on this machine', () => {
  let cache = '';
  before(() => (cache = createTemporaryFolder()));
  after(() => removeTemporaryFolder(cache));

  function fetched(run: string, name: string, manifest: string): void {
    const folder = path.join(cache, '_npx', run, 'node_modules', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), manifest);
  }

  it('is the newest that npx has fetched', async () => {
    fetched('one', '@scope/server', '{ "version": "1.9.0" }');
    fetched('two', '@scope/server', '{ "version": "1.10.0" }');
    assert.equal(await fetchedVersion('@scope/server', cache), '1.10.0');
    fetched('five', '@scope/server', '{ "version": "2.0.0-beta.1" }');
    assert.equal(await fetchedVersion('@scope/server', cache), '1.10.0', 'nobody is led to a beta');
    fetched('five', 'early', '{ "version": "2.0.0-beta.1" }');
    assert.equal(await fetchedVersion('early', cache), '2.0.0-beta.1');
  });

  it('is unknown for what was never fetched, for a broken manifest and for what is no name', async () => {
    fetched('three', 'broken', '{ "version": ');
    fetched('four', 'strange', '{ "version": "$(evil)" }');
    for (const name of ['absent', 'broken', 'strange', '../one/node_modules/@scope/server', '/etc', '']) {
      assert.equal(await fetchedVersion(name, cache), undefined, name);
    }
    assert.equal(await fetchedVersion('absent', path.join(cache, 'nowhere')), undefined);
  });

  it('is the newest release that uv has fetched', async () => {
    const wheels = [
      'mcp_server_git-2025.8.1',
      'mcp_server_git-2025.10.2',
      'mcp_server_git-2026.1.0rc1',
      'mcp_server_gitlab-3.0.0',
      'six-1.17.0',
    ];
    for (const [index, wheel] of wheels.entries()) {
      mkdirSync(path.join(cache, 'archive-v0', String(index), `${wheel}.dist-info`), { recursive: true });
    }
    mkdirSync(path.join(cache, 'wheels-v5', 'pypi', 'six', 'six-1.18.0.dist-info'), { recursive: true });
    for (const name of ['mcp-server-git', 'MCP_Server.Git']) {
      assert.equal(await fetchedPythonVersion(name, cache), '2025.10.2');
    }
    assert.equal(await fetchedPythonVersion('six', cache), '1.17.0');
    for (const name of ['absent', '../six', 'six/', '.*', '']) {
      assert.equal(await fetchedPythonVersion(name, cache), undefined, name);
    }
    assert.equal(await fetchedPythonVersion('six', path.join(cache, 'nowhere')), undefined);
  });

  it('is looked for where uv keeps its cache', () => {
    assert.equal(uvCache({}, 'darwin', '/home/me'), path.join('/home/me', '.cache', 'uv'));
    assert.equal(uvCache({ XDG_CACHE_HOME: '/caches' }, 'linux', '/home/me'), path.join('/caches', 'uv'));
    assert.equal(uvCache({ UV_CACHE_DIR: '/uv' }, 'linux', '/home/me'), '/uv');
    assert.equal(uvCache({ LOCALAPPDATA: '/local' }, 'win32', '/home/me'), path.join('/local', 'uv', 'cache'));
  });

  it('is looked for where npm keeps its cache', () => {
    assert.equal(npmCache({}, 'linux', '/home/me'), path.join('/home/me', '.npm'));
    assert.equal(npmCache({ npm_config_cache: '/cache' }, 'linux', '/home/me'), '/cache');
    assert.equal(npmCache({ LOCALAPPDATA: '/local' }, 'win32', '/home/me'), path.join('/local', 'npm-cache'));
  });
});
