import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { mkdir, mkdtemp, realpath, rename, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RealPaths } from '../../../../src/platform/paths/realPath.ts';

describe('Where a path really leads', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'duplex-real-')));
    await mkdir(join(folder, 'src'));
    for (const name of ['.env', 'notes~1.txt', 'src/.env']) {
      await writeFile(join(folder, name), 'x');
    }
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** A drive of Windows under Linux: short names are found, and are in no listing. */
  const windowsDrive = {
    ...fs,
    lstatSync: ((path: string, options: { throwIfNoEntry: false }) =>
      fs.lstatSync(path.replace('ENV~1', '.env').replace('SRC~1', 'src'), options)) as typeof fs.lstatSync,
  };

  it('is not told for a short name of Windows, which is a second name of another file', () => {
    const paths = new RealPaths(undefined, 'linux', windowsDrive);
    assert.deepEqual(
      ['ENV~1', 'src/ENV~1', 'SRC~1/.env', 'SRC~1/a'].map((name) => paths.of(join(folder, name))),
      [undefined, undefined, undefined, undefined],
    );
    assert.equal(paths.of(join(folder, 'notes~1.txt')), join(folder, 'notes~1.txt'), 'a name that only looks like one');
    assert.equal(paths.of(join(folder, 'gone~1')), join(folder, 'gone~1'), 'what is not there is where it would be');
  });

  describe('of many files in a folder', () => {
    let looked: string[];
    const hourAgo = Date.now() - 3_600_000;
    /** As if nothing had changed for an hour, until `changedAt` says otherwise. */
    const oldDisk = (changedAt: () => number, type = 0xef53): typeof fs => ({
      ...fs,
      statfsSync: (() => ({ type })) as never,
      lstatSync: ((path: string, options: never) => {
        looked.push(path);
        const stats = fs.lstatSync(path, options) as fs.Stats | undefined;
        return stats === undefined ? undefined : Object.assign(stats, { ctimeMs: changedAt() });
      }) as never,
    });
    const names = ['.env', 'notes~1.txt', 'src'];
    const look = (paths: RealPaths): (string | undefined)[] => {
      looked = [];
      return names.map((name) => paths.of(join(folder, name)));
    };

    it('is told by a look at the folder, as long as that has not changed', async () => {
      let time = 0;
      let changedAt = hourAgo;
      const paths = new RealPaths(
        () => time,
        'linux',
        oldDisk(() => changedAt),
      );
      const expected = names.map((name) => join(folder, name));
      assert.deepEqual(look(paths), expected);
      time += 500;
      assert.deepEqual(look(paths), expected);
      assert.deepEqual(
        looked.filter((path) => path.startsWith(folder)),
        [folder],
      );
      await rm(join(folder, '.env'));
      await symlink(join(folder, 'src/.env'), join(folder, '.env'));
      changedAt += 60_000;
      time += 10;
      assert.deepEqual(look(paths), [join(folder, 'src/.env'), ...expected.slice(1)]);
      assert.ok(expected.every((path) => looked.includes(path)));
    });

    it('is looked up for each where a change of the folder would not show: just after one, and on disks of other kinds', () => {
      let time = 0;
      for (const disk of [oldDisk(() => Date.now() - 1_000), oldDisk(() => hourAgo, 0x65735546)]) {
        const paths = new RealPaths(() => time, 'linux', disk);
        look(paths);
        time += 500;
        look(paths);
        assert.deepEqual(
          names.map((name) => looked.includes(join(folder, name))),
          [true, true, true],
        );
      }
    });

    it('is told anew of a file that was replaced by a link, though the folder’s other times were set back', async () => {
      let time = 0;
      const shift = 60_000;
      const disk = {
        ...fs,
        statfsSync: (() => ({ type: 0xef53 })) as never,
        lstatSync: ((path: string, options: never) => {
          const stats = fs.lstatSync(path, options);
          return Object.assign(stats, { ctimeMs: stats.ctimeMs - shift });
        }) as never,
      };
      const paths = new RealPaths(() => time, 'linux', disk);
      const file = join(folder, 'src', '.env');
      const before = fs.lstatSync(join(folder, 'src'));
      assert.deepEqual([paths.of(file), paths.of(file)], [file, file]);
      // Again while the system's clock has not gone on: that takes some milliseconds.
      for (let changedAt = before.ctimeMs; changedAt === before.ctimeMs; changedAt = fs.lstatSync(join(folder, 'src')).ctimeMs) {
        await rm(file);
        await symlink(join(folder, '.env'), file);
        await utimes(join(folder, 'src'), before.atime, before.mtime);
      }
      time += 10;
      assert.equal(paths.of(file), join(folder, '.env'));
    });
  });

  it('is told anew the moment a folder becomes a link, and a folder again, however lately it was looked at', async () => {
    let time = 0;
    const outside = await realpath(await mkdtemp(join(tmpdir(), 'duplex-real-outside-')));
    const paths = new RealPaths(() => (time += 10), 'linux');
    const told = (): (string | undefined)[] => ['src', 'src/x', 'src/deep/x'].map((name) => paths.of(join(folder, name)));
    const inside = told();
    await rename(join(folder, 'src'), join(folder, 'away'));
    await symlink(outside, join(folder, 'src'));
    assert.deepEqual(told(), [outside, join(outside, 'x'), join(outside, 'deep/x')]);
    await unlink(join(folder, 'src'));
    await rename(join(folder, 'away'), join(folder, 'src'));
    assert.deepEqual(told(), inside);
    await rm(outside, { recursive: true });
  });

  it('is looked for once in each folder, however long that takes, and not at all where nobody has folders so deep', () => {
    let looks = 0;
    let now = 0;
    // Every look takes longer than anything is remembered.
    const slow = {
      ...fs,
      lstatSync: ((path: string, options: { throwIfNoEntry: false }) => {
        looks += 1;
        now += 10;
        return fs.lstatSync(path, options);
      }) as typeof fs.lstatSync,
    };
    const paths = new RealPaths(() => now, 'linux', slow);
    const deep = join(folder, 'a/'.repeat(100), 'a');
    assert.equal(paths.of(deep), deep);
    assert.ok(looks < 400, `${looks} looks`);
    looks = 0;
    for (const depth of [300, 2_000, 49_000]) {
      assert.equal(paths.of(`${folder}/${'a/'.repeat(depth)}a`), undefined);
    }
    assert.equal(looks, 0);
  });

  it('is told without detours', () => {
    const paths = new RealPaths();
    const written = ['src/', 'src//.env', 'src/./.env', 'src/../src/.env', 'src/..', '.'].map((name) => paths.of(`${folder}/${name}`));
    const file = join(folder, 'src/.env');
    assert.deepEqual(written, [join(folder, 'src'), file, file, file, folder, folder]);
  });

  it('is not told for a link to another machine, which is not followed', async () => {
    await symlink('/net/evil.example/share', join(folder, 'link'));
    const followed: string[] = [];
    const native = (path: string): string => {
      followed.push(path);
      return path;
    };
    const paths = new RealPaths(undefined, 'linux', { ...fs, realpathSync: Object.assign(() => '', { native }) as never });
    assert.deepEqual([paths.of(join(folder, 'link')), followed], [undefined, []]);
    await symlink('link', join(folder, 'linkToLink'));
    await symlink('ring', join(folder, 'ring'));
    const looked: string[] = [];
    const lstatSync = ((path: string, options: never) => {
      looked.push(path);
      return fs.lstatSync(path, options);
    }) as never;
    const watched = new RealPaths(undefined, 'linux', { ...fs, lstatSync, realpathSync: Object.assign(() => '', { native }) as never });
    for (const name of ['linkToLink', 'link/x', 'linkToLink/x', 'ring', 'ring/x']) {
      assert.deepEqual([watched.of(join(folder, name)), followed], [undefined, []], name);
    }
    assert.deepEqual(
      looked.filter((path) => path.startsWith('/net') || path.endsWith('/x')),
      [],
    );
  });
});
