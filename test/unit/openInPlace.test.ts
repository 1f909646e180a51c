import assert from 'node:assert/strict';
import { mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openInPlace } from '../../src/platform/files/openInPlace.ts';

describe('A file that is opened in place', () => {
  let folder: string;
  before(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'duplex-in-place-')));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('is found while it is replaced by another one all the time', async () => {
    const file = path.join(folder, 'replaced.txt');
    await writeFile(file, 'whole');
    const done = new AbortController();
    const replacing = (async () => {
      for (let index = 0; !done.signal.aborted; index += 1) {
        const draft = path.join(folder, `draft${index % 2}`);
        await writeFile(draft, 'whole');
        await rename(draft, file);
        await new Promise((resolve) => setTimeout(resolve, index % 3));
      }
    })();
    const texts: (string | undefined)[] = [];
    try {
      for (let index = 0; index < 300; index += 1) {
        const opened = await openInPlace(file);
        texts.push(await opened?.handle.readFile('utf8'));
        await opened?.handle.close();
      }
    } finally {
      done.abort();
      await replacing;
    }
    assert.deepEqual(
      [...new Set(texts)].filter((text) => text !== undefined),
      ['whole'],
    );
    const missed = texts.filter((text) => text === undefined).length;
    assert.ok(missed < 10, `${missed} of ${texts.length} were not opened`);
  });

  it('is told with the place where its links led', async () => {
    await writeFile(path.join(folder, 'there.txt'), '');
    await symlink('there.txt', path.join(folder, 'link.txt'));
    const opened = await openInPlace(path.join(folder, 'link.txt'));
    await opened?.handle.close();
    assert.equal(opened?.realPath, path.join(folder, 'there.txt'));
  });

  it('is missing as the file system says', async () => {
    await assert.rejects(openInPlace(path.join(folder, 'absent.txt')), { code: 'ENOENT' });
  });
});
