import assert from 'node:assert/strict';
import { chmod, link, lstat, mkdir, mkdtemp, open, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUpFile, isSameEntry } from '../../../../../src/editor/acting/changes/diskEntries.ts';

describe('A file that was deleted', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'duplex-backup-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('comes back with its bytes, and can be run if it could be', async () => {
    const path = join(folder, 'run.sh');
    const bytes = Buffer.from([0, 255, 10]);
    await writeFile(path, bytes);
    await chmod(path, 0o755);
    const { mode, mtime } = await lstat(path);
    const backup = await backUpFile(path);
    await rm(path);
    await backup?.restore();
    assert.deepEqual(await readFile(path), bytes);
    const after = await lstat(path);
    assert.deepEqual([after.mode, after.mtime], [mode, mtime]);
  });

  it('comes back as a link where it was one', async function () {
    if (process.platform === 'win32') {
      this.skip(); // links need rights there
    }
    const path = join(folder, 'link');
    await symlink('nowhere', path);
    const backup = await backUpFile(path);
    await rm(path);
    await backup?.restore();
    assert.equal(await readlink(path), 'nowhere');
  });

  it('does not come back over what somebody put in its place', async () => {
    const path = join(folder, 'a.txt');
    await writeFile(path, 'old');
    const backup = await backUpFile(path);
    await writeFile(path, 'new');
    await assert.rejects(async () => backup?.restore(), /EEXIST/);
    assert.equal(await readFile(path, 'utf8'), 'new');
  });

  it('is not kept when it is too large, a folder, or not there', async () => {
    const large = join(folder, 'large.bin');
    const file = await open(large, 'w');
    await file.truncate(65 * 1024 * 1024);
    await file.close();
    await mkdir(join(folder, 'sub'));
    for (const name of ['large.bin', 'sub', 'missing']) {
      assert.equal(await backUpFile(join(folder, name)), undefined, name);
    }
  });
});

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
