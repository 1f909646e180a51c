import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { holdFile, isHeldByOther } from '../../../../src/platform/files/sharedFolderOnDisk.ts';

describe('Something that one window at a time may change', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'duplex-hold-'));
    file = path.join(folder, 'it');
  });
  afterEach(() => fs.rm(folder, { recursive: true }));

  it('is held by one, refused to others, and free after it', async () => {
    const hold = await holdFile(file, 'one');
    assert.ok(hold);
    assert.deepEqual(
      [await holdFile(file, 'two'), await isHeldByOther(file, 'two'), await isHeldByOther(file, 'one'), await hold.isStillOurs()],
      [undefined, true, false, true],
    );
    await hold.release();
    assert.deepEqual(await fs.readdir(folder), []);
    const next = await holdFile(file, 'two');
    assert.ok(next);
    await next.release();
  });

  it('goes to one of many who want it at once', async () => {
    const holds = await Promise.all(Array.from({ length: 8 }, (_, index) => holdFile(file, `window ${index}`)));
    const held = holds.filter((hold) => hold !== undefined);
    assert.equal(held.length, 1);
    await held[0]?.release();
  });

  it('is free at once when its holder was killed', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    await fs.writeFile(file, JSON.stringify({ id: 'other/1', machine: os.hostname(), pid: child.pid }));
    assert.equal(await isHeldByOther(file, 'one'), true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.equal(await isHeldByOther(file, 'one'), false);
    const hold = await holdFile(file, 'one');
    assert.ok(hold);
    await hold.release();
  });

  it('of another machine is free when that one shows no life any more', async () => {
    await fs.writeFile(file, JSON.stringify({ id: 'other/1', machine: 'elsewhere', pid: 1 }));
    assert.equal(await isHeldByOther(file, 'one'), true);
    const longAgo = new Date(Date.now() - 60_000);
    await fs.utimes(file, longAgo, longAgo);
    assert.equal(await isHeldByOther(file, 'one'), false);
  });
});
