import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { silentLog } from '../../../src/base/log.ts';
import { KeptAnswers } from '../../../src/registry/keptAnswers.ts';
import { RegistryClient, RegistrySearch } from '../../../src/registry/registryClient.ts';
import { StandInRegistry } from '../../fixtures/registry/standInRegistry.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../../support/run/temporaryFolder.mjs';

describe('The kept answers of a registry', () => {
  let registry: StandInRegistry;
  let root = '';
  let folder = '';
  const clock = new FakeClock();
  beforeEach(async () => {
    registry = await StandInRegistry.start();
    root = createTemporaryFolder();
    folder = path.join(root, 'registry');
  });
  afterEach(async () => {
    await registry.close();
    await removeTemporaryFolder(root);
  });

  /** What a window that was opened anew shows, and how many requests there were until then. */
  async function inNewWindow(isFresh = false): Promise<readonly [entries: number, requests: number]> {
    const client = new RegistryClient({ clock, files: new KeptAnswers(folder, silentLog) });
    const search = new RegistrySearch(client, registry.url, '');
    await search.read(new AbortController().signal, isFresh);
    return [search.entries.length, registry.seen.length];
  }
  const onlyFile = async (): Promise<string> => path.join(folder, (await readdir(folder))[0] ?? '');

  it('are shown by a window that is opened again, for a day', async () => {
    assert.deepEqual(
      [await inNewWindow(), await inNewWindow(), await inNewWindow(true)],
      [
        [5, 1],
        [5, 1],
        [5, 2],
      ],
    );
    assert.equal((await stat(await onlyFile())).mode & 0o777, 0o600);
    clock.advance(24 * 60 * 60_000 + 1);
    assert.deepEqual(await inNewWindow(), [5, 3]);
  });

  it('count for nothing when they are damaged, of another address, or of a day to come', async () => {
    await inNewWindow();
    const file = await onlyFile();
    const whole = JSON.parse(await readFile(file, 'utf8')) as { url: string; at: number; text: string };
    const damaged = [
      '',
      '{',
      'null',
      JSON.stringify({ ...whole, url: 'https://other.example' }),
      JSON.stringify({ ...whole, at: whole.at + 1e9 }),
    ];
    let requests = 1;
    for (const text of [...damaged, JSON.stringify({ ...whole, text: '{}' }), 'x'.repeat(6 * 1024 * 1024)]) {
      await writeFile(file, text);
      requests += 1;
      assert.deepEqual(await inNewWindow(), [5, requests], text.slice(0, 60));
    }
  });

  it('are done without where nothing can be written', async () => {
    await mkdir(root, { recursive: true });
    await writeFile(folder, 'a file where the folder should be');
    const warned: string[] = [];
    const log = { ...silentLog, warn: (text: string) => void warned.push(text) };
    const client = new RegistryClient({ clock, files: new KeptAnswers(folder, log) });
    const search = new RegistrySearch(client, registry.url, '');
    await search.read(new AbortController().signal);
    assert.equal(search.entries.length, 5);
    assert.match(warned.join(), /could not be kept/);
  });

  it('are bounded in number and in size', async () => {
    const files = new KeptAnswers(folder, silentLog);
    for (let index = 0; index < 45; index += 1) {
      await files.write(`https://registry.example/${index}`, { at: 0, text: 'x' });
    }
    assert.equal((await readdir(folder)).length, 40);
    assert.equal((await files.read('https://registry.example/44'))?.text, 'x');
    for (let index = 0; index < 6; index += 1) {
      await files.write(`https://registry.example/large/${index}`, { at: 0, text: 'x'.repeat(4 * 1024 * 1024) });
    }
    assert.equal((await readdir(folder)).length, 3);
  });
});
