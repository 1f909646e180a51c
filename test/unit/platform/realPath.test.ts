import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RealPaths } from '../../../src/platform/realPath.ts';

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
      looked.filter((path) => path.startsWith('/net') || path.endsWith('x')),
      [],
    );
  });
});
