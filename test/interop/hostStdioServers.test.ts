import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { toResultItems } from '../../src/host/tools/resultItems.ts';
import type { CallOutcome } from '../../src/host/tools/toolCaller.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { createTemporaryFolder } from '../support/run/temporaryFolder.mjs';
import { createTestHost, repositoryRoot, textOf, type TestHost } from '../unit/host/support.ts';

const program = (name: string): string => path.join(repositoryRoot, 'node_modules/@modelcontextprotocol', name, 'dist/index.js');

describe('Other people’s servers over stdio', () => {
  let host: TestHost;
  let id: string;
  const folder = createTemporaryFolder();

  async function start(name: string, definition: object): Promise<void> {
    await host.configure({ [name]: { command: 'node', ...definition } });
    id = host.server(name).id;
    const state = await host.registry.start(id, { ask: host.ask, signal: new AbortController().signal });
    assert.equal(state.kind, 'ready', JSON.stringify(state));
  }
  const call = (tool: string, args: JsonObject = {}, more: object = {}): Promise<CallOutcome> =>
    host.call(tool, args, { serverId: id, ...more });

  beforeEach(async () => {
    host = await createTestHost({ folder });
  });
  afterEach(() => host.close());

  it('everything: lists, echoes, reports progress and gives images, links and structured data', async () => {
    await start('everything', { args: [program('server-everything'), 'stdio'] });
    const { tools, state } = host.server('everything');
    assert.ok(state.kind === 'ready');
    assert.equal(state.protocolVersion, '2025-11-25');
    assert.ok(state.capabilities.includes('resources'));
    assert.ok(tools.length >= 10, `${tools.length} tools`);
    assert.equal(textOf(await call('echo', { message: 'hello' })), 'Echo: hello');

    const seen: number[] = [];
    const long = await call(
      'trigger-long-running-operation',
      { duration: 1, steps: 4 },
      { onProgress: ({ value }: { value: number }) => seen.push(value) },
    );
    assert.equal(long.kind, 'result');
    assert.deepEqual(seen.slice(0, 3), [1, 2, 3]);

    const kinds = await Promise.all(
      ['get-tiny-image', 'get-resource-links', 'get-structured-content'].map(async (tool) => {
        const outcome = await call(tool, tool === 'get-structured-content' ? { location: 'New York' } : {});
        return outcome.kind === 'result' ? toResultItems(outcome.result).map((item): string => item.kind) : [outcome.kind];
      }),
    );
    assert.ok(kinds[0]?.includes('image'));
    assert.ok(kinds[1]?.includes('link'));
    assert.deepEqual(kinds[2], ['structured']);
  });

  it('everything: a long call can be cancelled and the server goes on', async () => {
    await start('everything', { args: [program('server-everything'), 'stdio'] });
    const cancelling = new AbortController();
    const outcome = await call(
      'trigger-long-running-operation',
      { duration: 60, steps: 60 },
      { signal: cancelling.signal, onProgress: () => cancelling.abort() },
    );
    assert.deepEqual(outcome, { kind: 'cancelled' });
    assert.equal(textOf(await call('echo', { message: 'still here' })), 'Echo: still here');
  });

  it('filesystem: reads and writes inside its folder and refuses outside it', async () => {
    await writeFile(path.join(folder, 'note.txt'), 'buy milk\n');
    await start('filesystem', { args: [program('server-filesystem'), '${workspaceFolder}'] });
    assert.match(textOf(await call('read_text_file', { path: path.join(folder, 'note.txt') })), /buy milk/);
    await call('write_file', { path: path.join(folder, 'new.txt'), content: 'done' });
    assert.equal(await readFile(path.join(folder, 'new.txt'), 'utf8'), 'done');
    const outside = await call('read_text_file', { path: '/etc/hostname' });
    assert.equal(outside.kind === 'result' && outside.result.isError, true);
  });

  it('memory: keeps what it is told where its environment says', async () => {
    const file = path.join(folder, 'memory.jsonl');
    await start('memory', { args: [program('server-memory')], env: { MEMORY_FILE_PATH: '${workspaceFolder}/memory.jsonl' } });
    const outcome = await call('create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: ['likes engines'] }] });
    assert.equal(outcome.kind, 'result');
    assert.match(await readFile(file, 'utf8'), /likes engines/);
  });
});
