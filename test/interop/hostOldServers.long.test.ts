import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ensurePeer, ensurePeerProgram } from '../support/peers/peers.mjs';
import { createTemporaryFolder } from '../support/run/temporaryFolder.mjs';
import { createTestHost, repositoryRoot, textOf, type TestHost } from '../unit/host/support.ts';

/** Installing takes longer than a test may. */
const installMs = 180_000;
const sdkServer = path.join(repositoryRoot, 'test/fixtures/servers/sdkServer.mjs');

describe('Servers of every age over stdio', () => {
  let host: TestHost;
  let folder: string;

  beforeEach(async () => {
    folder = createTemporaryFolder();
    host = await createTestHost({ folder });
  });
  afterEach(() => host.close());

  async function start(args: readonly string[]): Promise<string> {
    await host.configure({ old: { command: 'node', args } });
    const { id } = host.server('old');
    const state = await host.registry.start(id, { ask: host.ask, signal: new AbortController().signal });
    assert.equal(state.kind, 'ready', JSON.stringify(state));
    return id;
  }

  function revision(): string {
    const { state } = host.server('old');
    return state.kind === 'ready' ? state.protocolVersion : state.kind;
  }

  describe('of the year 2024', () => {
    before(async function () {
      this.timeout(installMs);
      await ensurePeer('servers2024');
    });
    const program = (name: string): Promise<string> => ensurePeerProgram('servers2024', `@modelcontextprotocol/${name}`);

    it('everything 0.6.2 speaks 2024-11-05, lists, adds, reports progress and draws', async () => {
      const serverId = await start([await program('server-everything')]);
      assert.equal(revision(), '2024-11-05');
      assert.deepEqual(
        host.server('old').tools.map((tool) => tool.name),
        ['echo', 'add', 'longRunningOperation', 'sampleLLM', 'getTinyImage'],
      );
      assert.equal(textOf(await host.call('add', { a: 2, b: 3 }, { serverId })), 'The sum of 2 and 3 is 5.');
      const seen: number[] = [];
      const onProgress = ({ value }: { readonly value: number }): unknown => seen.push(value);
      const long = await host.call('longRunningOperation', { duration: 0.4, steps: 4 }, { serverId, onProgress });
      assert.equal(long.kind, 'result');
      assert.deepEqual(seen, [1, 2, 3, 4]);
      const picture = await host.call('getTinyImage', {}, { serverId });
      assert.ok(picture.kind === 'result' && picture.result.content.some((item) => item['type'] === 'image'));
    });

    it('filesystem 0.6.2 reads inside its folder and refuses outside it', async () => {
      await writeFile(path.join(folder, 'note.txt'), 'buy milk\n');
      const serverId = await start([await program('server-filesystem'), '${workspaceFolder}']);
      assert.equal(revision(), '2024-11-05');
      assert.match(textOf(await host.call('read_file', { path: path.join(folder, 'note.txt') }, { serverId })), /buy milk/);
      const outside = await host.call('read_file', { path: path.dirname(folder) }, { serverId });
      assert.equal(outside.kind === 'result' && outside.result.isError, true);
    });
  });

  describe('of each line of the first SDK', () => {
    let modules: string;
    before(async function () {
      this.timeout(installMs);
      modules = await ensurePeer('sdkLines');
    });

    for (const newest of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      it(`are met at ${newest} when they know nothing newer`, async () => {
        const serverId = await start([sdkServer, path.join(modules, `sdk-${newest}`)]);
        await host.registry.features(serverId).listed;
        const { state, tools, prompts, resources, templates } = host.server('old');
        assert.ok(state.kind === 'ready');
        const { serverName, protocolVersion, instructions } = state;
        assert.deepEqual([serverName, protocolVersion, instructions], ['sdk-server', newest, 'Ask for a sum.']);
        assert.deepEqual([...state.capabilities].sort(), ['prompts', 'resources', 'tools']);
        assert.deepEqual(
          [tools, prompts, resources, templates].map((list) => list.map(({ name }) => name)),
          [['add', 'wait'], ['greet'], ['one'], ['note']],
        );
        assert.equal(textOf(await host.call('add', { a: 20, b: 22 }, { serverId })), '42');
      });
    }
  });
});
