import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Emitter } from '../../src/base/events.ts';
import { createTemporaryFolder } from '../support/run/temporaryFolder.mjs';
import { noModel } from '../unit/host/features/sampling/samplingSupport.ts';
import { createTestHost, repositoryRoot, textOf, type TestHost } from '../unit/host/support.ts';

const filesystem = path.join(repositoryRoot, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');

describe('The filesystem server without a folder of its own', () => {
  const folder = createTemporaryFolder();
  const changes = new Emitter<void>();
  let host: TestHost;

  beforeEach(async () => {
    host = await createTestHost({
      folder,
      features: {
        folders: () => [{ name: 'work', path: folder }],
        onDidChangeFolders: changes.event,
        samplingModel: noModel,
        openExternal: () => Promise.resolve(),
      },
    });
  });
  afterEach(() => host.close());
  after(() => changes.dispose());

  it('is told the workspace’s folder after the person agreed, and reads there', async () => {
    host.answer = ({ detail }) => (detail.kind === 'startServer' ? 'allow' : detail.kind === 'roots' ? 'allowWorkspace' : 'allowSession');
    await writeFile(path.join(folder, 'note.txt'), 'buy milk\n');
    await host.configure({ files: { command: 'node', args: [filesystem] } });
    const serverId = host.server('files').id;
    const state = await host.registry.start(serverId, { ask: host.ask, signal: new AbortController().signal });
    assert.equal(state.kind, 'ready', JSON.stringify(state));
    await host.until(() => host.asked.some(({ detail }) => detail.kind === 'roots'), 'the question about the folders');

    const deadline = performance.now() + 20_000;
    const read = async (): Promise<string> =>
      textOf(await host.call('read_text_file', { path: path.join(folder, 'note.txt') }, { serverId }));
    let text = await read();
    while (!text.includes('buy milk') && performance.now() < deadline) {
      await sleep(50);
      text = await read();
    }
    assert.match(text, /buy milk/);
  });
});
