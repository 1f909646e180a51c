import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { JsonObject } from '../../src/base/json.ts';
import type { FormValues } from '../../src/contract/forms/formFields.ts';
import { bundleFields, bundleServer } from '../../src/registry/bundles/bundleServer.ts';
import { BundleStore } from '../../src/registry/bundles/bundleStore.ts';
import { type InstallWay, waysOf } from '../../src/registry/installWays.ts';
import { newServer } from '../../src/registry/newServer.ts';
import { RegistryClient, RegistrySearch } from '../../src/registry/registryClient.ts';
import { listed } from '../fixtures/registry/entries.ts';
import { StandInRegistry } from '../fixtures/registry/standInRegistry.ts';
import { ensurePeer, ensurePeerProgram } from '../support/peers/peers.mjs';
import { createTemporaryFolder } from '../support/run/temporaryFolder.mjs';
import { createTestHost, repositoryRoot, textOf, type TestHost } from '../unit/host/support.ts';

const never = new AbortController().signal;

describe('Servers that a registry lists', () => {
  const folder = createTemporaryFolder();
  let registry: StandInRegistry;
  let host: TestHost;
  before(async () => {
    registry = await StandInRegistry.start();
  });
  after(() => registry.close());
  afterEach(() => host.close());

  async function found(text: string): Promise<InstallWay> {
    const search = new RegistrySearch(new RegistryClient(), registry.url, text);
    await search.read(never);
    const [way] = search.entries.flatMap((entry) => waysOf(entry));
    assert.ok(way !== undefined && way.refusal === undefined, text);
    return way;
  }

  async function start(definition: JsonObject): Promise<void> {
    await host.configure({ it: definition });
    const state = await host.registry.start(host.server('it').id, { ask: host.ask, signal: never });
    assert.equal(state.kind, 'ready', JSON.stringify(state));
  }

  /** A project in which npx finds these packages, so that it fetches nothing. */
  async function projectWith(modules: string): Promise<string> {
    const project = createTemporaryFolder();
    await symlink(modules, path.join(project, 'node_modules'));
    return project;
  }

  const own = (): Promise<string> => Promise.resolve(path.join(repositoryRoot, 'node_modules'));
  const browsers = (): Promise<string> => ensurePeer('browsers');
  const servers: readonly (readonly [string, () => Promise<string>, FormValues, number])[] = [
    ['server-everything', own, { 'variable:0': 'hush' }, 10],
    ['server-memory', own, {}, 5],
    ['server-filesystem', own, { 'argument:0': folder }, 10],
    ['playwright-mcp', browsers, { 'argument:0': 'chrome' }, 15],
    ['chrome-devtools-mcp', browsers, { 'argument:0': true }, 15],
  ];
  for (const [name, modules, values, atLeast] of servers) {
    it(`are installed with npx and start: ${name}${modules === browsers ? ' (release)' : ''}`, async () => {
      const { definition, inputs, values: secrets } = newServer({ name: 'it', way: await found(name), values, configured: [] });
      assert.equal(definition['command'], 'npx');
      const project = await projectWith(await modules());
      host = await createTestHost({ folder: project });
      // What is a secret is filled in here as the secret storage would.
      const text = inputs.reduce((all, { id }) => all.replace(`\${input:${id}}`, secrets.get(id) ?? ''), JSON.stringify(definition));
      const env = { npm_config_offline: 'true', npm_config_update_notifier: 'false', CI: 'true' };
      const ready = JSON.parse(text) as JsonObject & { env?: JsonObject };
      await start({ ...ready, env: { ...env, ...ready.env } });
      assert.ok(host.server('it').tools.length >= atLeast, `${host.server('it').tools.length} tools`);
    });
  }

  it('as a bundle that its maker packed: is downloaded, unpacked, configured, started and used', async () => {
    const source = path.join(folder, 'source');
    await mkdir(path.join(source, 'server'), { recursive: true });
    await build({
      entryPoints: [path.join(repositoryRoot, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js')],
      outfile: path.join(source, 'server/index.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    });
    await writeFile(path.join(source, 'manifest.json'), JSON.stringify(memoryManifest));
    const archive = path.join(folder, 'memory.mcpb');
    await promisify(execFile)(process.execPath, [await ensurePeerProgram('mcpb', '@anthropic-ai/mcpb'), 'pack', source, archive]);
    const bytes = await readFile(archive);
    const identifier = registry.offerFile('/memory.mcpb', bytes);
    const fileSha256 = createHash('sha256').update(bytes).digest('hex');
    registry.list([
      listed('io.example/packed-memory', { packages: [{ registryType: 'mcpb', identifier, fileSha256, transport: { type: 'stdio' } }] }),
    ]);

    const way = await found('packed-memory');
    assert.ok(way.kind === 'bundle');
    const bundle = await new BundleStore(path.join(folder, 'bundles')).stage(way.bundle, { signal: never });
    const machine = { platform: process.platform, home: folder };
    const name = bundleFields(bundle, machine)[0]?.field.name ?? '';
    const file = path.join(folder, 'memory.jsonl');
    const { definition } = bundleServer({ name: 'it', bundle, machine, values: { [name]: file }, configured: [] });
    await bundle.keep([]);
    host = await createTestHost({ folder });
    await start(definition);
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['likes bundles'] }];
    await host.call('create_entities', { entities }, { serverId: host.server('it').id });
    assert.match(textOf(await host.call('read_graph', {}, { serverId: host.server('it').id })), /likes bundles/);
    assert.match(await readFile(file, 'utf8'), /likes bundles/);
  });
});

const memoryManifest = {
  manifest_version: '0.3',
  name: 'packed-memory',
  version: '1.0.0',
  description: 'Remembers.',
  author: { name: 'Somebody' },
  server: {
    type: 'node',
    entry_point: 'server/index.mjs',
    mcp_config: {
      command: 'node',
      args: ['${__dirname}/server/index.mjs'],
      env: { MEMORY_FILE_PATH: '${user_config.file}' },
    },
  },
  user_config: { file: { type: 'file', title: 'File', description: 'Where it remembers.', required: true } },
};
