import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import promises, * as fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import { silentLog } from '../../../../src/base/log.ts';
import { SharedFile } from '../../../../src/platform/files/sharedFile.ts';

describe('A file shared by windows', () => {
  let folder: string;
  let file: string;
  let windows: [SharedFile, SharedFile];

  beforeEach(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'duplex-shared-'));
    file = path.join(folder, 'storage', 'ledger.json');
    windows = [await SharedFile.open(file, silentLog), await SharedFile.open(file, silentLog)];
  });

  afterEach(async () => {
    windows.forEach((window) => window.dispose());
    await fs.rm(folder, { recursive: true });
  });

  it('loses no change when windows write at the same time', async () => {
    const increments = Array.from({ length: 20 }, (_, index) =>
      windows[index % 2 === 0 ? 0 : 1].modify((current) => String(Number(current ?? '0') + 1)),
    );
    await Promise.all(increments);
    assert.equal(await fs.readFile(file, 'utf8'), '20');
    assert.deepEqual(await fs.readdir(path.dirname(file)), ['ledger.json'], 'no lock or temporary file is left');
  });

  it('writes changes of one window that come at once together, in their order, without the one that fails', async () => {
    const { rename } = promises;
    let writes = 0;
    promises.rename = async (from, to) => {
      writes += to === file ? 1 : 0;
      return rename(from, to);
    };
    syncBuiltinESMExports();
    try {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          windows[0].modify((current) => {
            assert.notEqual(index, 3, 'this one fails');
            return `${current ?? ''}${String.fromCharCode(97 + index)}`;
          }),
        ),
      );
      assert.deepEqual(
        outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : [])),
        [3],
      );
    } finally {
      promises.rename = rename;
      syncBuiltinESMExports();
    }
    assert.equal(await windows[0].read(), 'abcefghijklmnopqrst');
    assert.ok(writes <= 2, `${writes} writes`);
  });

  it('tells the other windows of a change', async () => {
    const [here, there] = windows;
    const target = new EventTarget();
    const subscription = there.onDidChange(() => target.dispatchEvent(new Event('change')));
    const changed = once(target, 'change', { signal: AbortSignal.timeout(10_000) });
    await here.modify(() => 'new');
    await changed;
    assert.equal(await there.read(), 'new');
    subscription.dispose();
  });

  it('is readable by its owner alone', async () => {
    await windows[0].modify(() => 'secret');
    assert.equal(((await fs.stat(file)).mode & 0o777).toString(8), '600');
  });

  it('breaks a lock that a dead window left behind', async () => {
    const lock = `${file}.lock`;
    await fs.mkdir(lock);
    const longAgo = new Date(Date.now() - 60_000);
    await fs.utimes(lock, longAgo, longAgo);
    await windows[0].modify(() => 'after all');
    assert.equal(await windows[0].read(), 'after all');
  });

  it('keeps what another window wrote while this one slept over its turn', async () => {
    await windows[0].modify(() => 'old');
    const seen: (string | undefined)[] = [];
    await windows[0].modify((current) => {
      seen.push(current);
      if (seen.length === 1) {
        // Meanwhile: the lock went stale and was broken, and its next holder has come and gone.
        rmSync(`${file}.lock`, { recursive: true });
        writeFileSync(file, 'revoked');
      }
      return `${current ?? ''}, allowed`;
    });
    assert.deepEqual({ seen, text: await windows[1].read() }, { seen: ['old', 'revoked'], text: 'revoked, allowed' });
    assert.deepEqual(await fs.readdir(path.dirname(file)), ['ledger.json'], 'no lock or temporary file is left');
  });

  it('keeps the old content when a change throws', async () => {
    await windows[0].modify(() => 'old');
    await assert.rejects(async () =>
      windows[0].modify(() => {
        throw new Error('no');
      }),
    );
    await windows[0].modify((current) => `${current ?? ''} and still writable`);
    assert.equal(await windows[0].read(), 'old and still writable');
  });
});
