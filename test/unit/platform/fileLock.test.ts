import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { FolderLock } from '../../../src/platform/fileLock.ts';

describe('A lock over all windows', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'duplex-lock-'));
  });

  afterEach(async () => {
    await fs.rm(folder, { recursive: true });
  });

  it('lets one at a time through for each name, and is gone afterwards, also after a failure', async () => {
    const windows = [new FolderLock(folder, 10_000), new FolderLock(folder, 10_000)];
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside--;
    };
    await Promise.all(windows.flatMap((lock) => [lock.run('a', work), lock.run('a', work), lock.run('a', work)]));
    await assert.rejects(
      new FolderLock(folder, 10_000).run('a', () => Promise.reject(new Error('inside'))),
      /inside/,
    );
    assert.equal(most, 1);
    assert.deepEqual(await fs.readdir(folder), []);
  });

  it('is given up after a while when another window keeps it', async () => {
    const lock = new FolderLock(folder, 50);
    await lock.run('a', async () => {
      await assert.rejects(
        lock.run('a', () => Promise.resolve()),
        { code: 'storage.locked' },
      );
      assert.equal(await lock.run('b', () => Promise.resolve('other name')), 'other name');
    });
  });
});
