import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { JsonObject } from '../../src/base/json.ts';
import { readDefinitions } from '../../src/definitions/readDefinitions.ts';
import { Boxes } from '../../src/host/box/boxes.ts';
import { ensureNewNode, ensurePeer, ensurePeerProgram } from '../support/peers/peers.mjs';
import { hasBoxPrograms } from '../support/run/boxPrograms.mjs';
import { createTemporaryFolder } from '../support/run/temporaryFolder.mjs';
import { ensureChromium } from '../support/vscode/chromium.mjs';
import { createTestHost, repositoryRoot, textOf, type TestHost } from '../unit/host/support.ts';

const packages = path.join(repositoryRoot, 'node_modules');
const program = (name: string): string => path.join(packages, '@modelcontextprotocol', name, 'dist/index.js');

/** A registry with one package: a server that reaches for what it is told. */
async function createRegistry(): Promise<Server> {
  const folder = createTemporaryFolder();
  const content = path.join(folder, 'package');
  mkdirSync(content);
  const manifest = { name: 'told-server', version: '1.0.0', bin: { 'told-server': 'server.mjs' } };
  writeFileSync(path.join(content, 'package.json'), JSON.stringify(manifest));
  const server = readFileSync(path.join(repositoryRoot, 'test/fixtures/servers/reachingServer.mjs'), 'utf8');
  writeFileSync(path.join(content, 'server.mjs'), `#!/usr/bin/env node\n${server}`, { mode: 0o755 });
  execFileSync('tar', ['-czf', path.join(folder, 'told.tgz'), '-C', folder, 'package']);
  const archive = readFileSync(path.join(folder, 'told.tgz'));
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  const registry = createServer((request, response) => {
    if (request.url?.endsWith('.tgz') === true) {
      response.end(archive);
    } else if (request.url === '/told-server') {
      const dist = { tarball: `http://${request.headers.host}/told-server/-/told-server-1.0.0.tgz`, integrity };
      const versions = { '1.0.0': { ...manifest, dist } };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ name: 'told-server', 'dist-tags': { latest: '1.0.0' }, versions }));
    } else {
      response.writeHead(404).end('{}');
    }
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  return registry;
}

/** Fetches and runs as uv does where its variables say so: with a network it fills the cache, without one it runs what is there. */
const standInForUv = (notes: string): string => `#!/bin/sh
mkdir -p "$UV_CACHE_DIR"
if [ "$UV_OFFLINE" = 1 ]; then
  echo "run $*" >> "$UV_CACHE_DIR/steps"
  exec node "$UV_CACHE_DIR/server.mjs"
fi
[ -e "${notes}" ] && notes=present || notes=absent
echo "fetch $*, notes $notes" > "$UV_CACHE_DIR/steps"
exec node -e "fetch(process.env.UV_DEFAULT_INDEX).then((each) => each.text()).then((text) => require('fs').writeFileSync(process.env.UV_CACHE_DIR + '/server.mjs', text))"
`;

describe('Other people’s servers in a box', function () {
  this.timeout(60_000);
  let host: TestHost;
  let home: string;
  let workspace: string;
  let id: string;

  before(async function () {
    if (!(await hasBoxPrograms())) {
      this.skip();
    }
  });
  beforeEach(() => {
    home = createTemporaryFolder();
    workspace = path.join(home, 'code');
    mkdirSync(workspace);
    writeFileSync(path.join(workspace, 'notes.txt'), 'some notes');
    writeFileSync(path.join(home, 'private.txt'), 'private');
  });
  afterEach(() => host.close());

  /** Starts a server that the person configured themselves. */
  async function start(definition: object, more: Readonly<Record<string, string>> = {}): Promise<void> {
    const env = { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: home, ...more };
    const boxes = new Boxes({ folder: path.join(home, '.boxes'), userHome: home, env, platform: process.platform, secretPlaces: [] });
    const loginShellPath = (): Promise<string> => Promise.resolve(env.PATH);
    host = await createTestHost({ folder: workspace, environment: { env, userHome: home, loginShellPath }, ports: { boxes } });
    await host.registry.apply(readDefinitions([{ scope: 'user', value: { boxed: definition }, location: 'user settings' }]));
    id = host.server('boxed').id;
    const state = await host.registry.start(id, { ask: host.ask, signal: new AbortController().signal });
    assert.equal(state.kind, 'ready', JSON.stringify([state, host.logged]));
    assert.notEqual(host.server('boxed').box, undefined);
  }
  const call = async (tool: string, args: JsonObject = {}): Promise<string> => textOf(await host.call(tool, args, { serverId: id }));

  it('filesystem: reads and writes the workspace, given that it may write it', async () => {
    const args = [program('server-filesystem'), workspace];
    await start({ command: 'node', args, sandbox: { read: [packages], write: ['${workspaceFolder}'] } });
    assert.match(await call('read_text_file', { path: path.join(workspace, 'notes.txt') }), /some notes/);
    await call('write_file', { path: path.join(workspace, 'new.txt'), content: 'written' });
    assert.equal(readFileSync(path.join(workspace, 'new.txt'), 'utf8'), 'written');
  });

  it('memory: keeps what it is told in its own folder, from one start to the next', async () => {
    const env = { MEMORY_FILE_PATH: '/box/memory.json' };
    await start({ command: 'node', args: [program('server-memory')], env, sandbox: { read: [packages] } });
    await call('create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: ['counts'] }] });
    await host.registry.stop(id);
    await host.registry.start(id, { signal: new AbortController().signal });
    assert.match(await call('read_graph'), /Ada/);
  });

  it('everything: answers with no more than its own files', async () => {
    await start({ command: 'node', args: [program('server-everything'), 'stdio'], sandbox: { read: [packages] } });
    assert.equal(await call('echo', { message: 'hello' }), 'Echo: hello');
  });

  it('playwright: opens a page of the port that is named with a browser of the system, and no other page', async () => {
    const site = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<h1>A page of this machine</h1>'),
    );
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const { port } = site.address() as AddressInfo;
    const cli = await ensurePeerProgram('browsers', '@playwright/mcp');
    const command = await ensureNewNode();
    // The box is around the browser: inside it cannot make another one of its own.
    const args = [cli, '--headless', '--isolated', '--no-sandbox', '--executable-path', await ensureChromium(), '--output-dir', '/box/out'];
    const sandbox = { read: [await ensurePeer('browsers'), path.dirname(command)], network: [`localhost:${port}`] };
    try {
      await start({ command, args, sandbox, timeout: 60_000 });
      assert.match(
        await call('browser_navigate', { url: `http://localhost:${port}/` }),
        /A page of this machine|Page URL: http:\/\/localhost/,
      );
      assert.match(await call('browser_snapshot'), /A page of this machine/);
      assert.match(await call('browser_navigate', { url: 'http://example.com/' }), /ERR_|403|error/i);
      assert.doesNotMatch(await call('browser_navigate', { url: `file://${path.join(home, 'private.txt')}` }), /private\s*$/);
    } finally {
      site.close();
      site.closeAllConnections();
    }
  });

  it('npx: is fetched from the registry alone, and then runs without any network', async () => {
    const registry = await createRegistry();
    const { port } = registry.address() as AddressInfo;
    try {
      await start({ command: 'npx', args: ['-y', 'told-server'], sandbox: true }, { npm_config_registry: `http://127.0.0.1:${port}/` });
      const read = path.join(workspace, 'notes.txt');
      assert.deepEqual(
        [await call('read', { path: read }), await call('read', { path: path.join(home, 'private.txt') })],
        ['reached some notes', 'refused ENOENT'],
      );
      assert.match(await call('connect', { host: '127.0.0.1', port }), /^refused ECONNREFUSED/);
      assert.equal(existsSync(path.join(home, '.npm')), false, 'the person’s own cache is left alone');
    } finally {
      registry.close();
      registry.closeAllConnections();
    }
  });

  it('uvx: is fetched from the index alone, and then runs without any network', async () => {
    const index = createServer((_request, response) => {
      response.end(readFileSync(path.join(repositoryRoot, 'test/fixtures/servers/reachingServer.mjs')));
    });
    await new Promise<void>((resolve) => index.listen(0, '127.0.0.1', resolve));
    const { port } = index.address() as AddressInfo;
    const bin = path.join(home, '.local/bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(path.join(bin, 'uvx'), '#!/bin/sh\nexec "$(dirname "$0")/uv" tool run "$@"\n', { mode: 0o755 });
    writeFileSync(path.join(bin, 'uv'), standInForUv(path.join(workspace, 'notes.txt')), { mode: 0o755 });
    try {
      const more = { PATH: `${bin}:${path.dirname(process.execPath)}:/usr/bin:/bin`, UV_DEFAULT_INDEX: `http://127.0.0.1:${port}/simple` };
      await start({ command: 'uvx', args: ['told-server@1.0', 'stdio'], sandbox: true }, more);
      assert.deepEqual(
        [await call('read', { path: path.join(workspace, 'notes.txt') }), await call('read', { path: path.join(home, 'private.txt') })],
        ['reached some notes', 'refused ENOENT'],
      );
      assert.match(await call('connect', { host: '127.0.0.1', port }), /^refused ECONNREFUSED/);
      const steps = (await call('read', { path: '/box/uv/steps' })).replace(/^reached /, '').trim();
      assert.deepEqual(steps.split('\n'), [
        'fetch tool run --from told-server==1.0 python --version, notes absent',
        'run tool run told-server@1.0 stdio',
      ]);
    } finally {
      index.close();
      index.closeAllConnections();
    }
  });
});
