import assert from 'node:assert/strict';
import { link, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSameEntry } from '../../../../../src/editor/acting/changes/diskEntries.ts';

describe('Two spellings of a path', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'duplex-entry-'));
    await writeFile(join(folder, 'a.txt'), 'a');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('name one entry where the disk does not tell them apart', async () => {
    const disk = {
      lstat: () => Promise.resolve({ dev: 1n, ino: 7n }),
      realPath: (path: string) => Promise.resolve(path.toLowerCase()),
    };
    assert.equal(await isSameEntry('/demo/a.txt', '/demo/A.txt', disk), true);
    assert.equal(await isSameEntry(join(folder, 'a.txt'), join(folder, '.', 'a.txt')), true);
  });

  it('name two where one is a link, a second name, another file, or nothing', async function () {
    if (process.platform === 'win32') {
      this.skip(); // links need rights there
    }
    const own = join(folder, 'a.txt');
    await symlink(own, join(folder, 'link.txt'));
    await link(own, join(folder, 'second.txt'));
    await writeFile(join(folder, 'other.txt'), 'a');
    for (const name of ['link.txt', 'second.txt', 'other.txt', 'missing.txt']) {
      assert.equal(await isSameEntry(own, join(folder, name)), false, name);
    }
  });
});
