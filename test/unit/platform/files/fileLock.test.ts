import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import promises, * as fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import { FolderLock, holdFileLock, withFileLock, type IsHeld } from '../../../../src/platform/files/fileLock.ts';
import { machineIdentity } from '../../../../src/platform/machineIdentity.ts';

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

  it('is swept of what windows have left that were killed while they took or broke one, the first time it is taken', async () => {
    const machine = (await machineIdentity()).slice(0, 12);
    const killed = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(killed, 'exit');
    const names = {
      killed: `a.lock.${killed.pid}-${machine}-1`,
      living: `a.lock.${process.pid}-${machine}-2`,
      elsewhere: `a.lock.${killed.pid}-${'0'.repeat(12)}-3`,
      brokenLongAgo: 'b.lock.gone-4',
      brokenNow: 'b.lock.gone-5',
      other: 'c.lockers.gone-6',
    };
    for (const name of Object.values(names)) {
      await fs.mkdir(path.join(folder, name));
      await fs.writeFile(path.join(folder, name, 'owner'), '');
    }
    const longAgo = new Date(Date.now() - 60_000);
    await fs.utimes(path.join(folder, names.brokenLongAgo, 'owner'), longAgo, longAgo);
    await withFileLock(path.join(folder, 'a.lock'), 10_000, () => Promise.resolve());
    const kept = [names.living, names.elsewhere, names.brokenNow, names.other];
    assert.deepEqual((await fs.readdir(folder)).sort(), kept.sort());
  });

  it('is swept of what windows were writing when they were killed, the first time it is taken, and of nothing else', async () => {
    const [old, young, another] = [`a.json.${randomUUID()}.tmp`, `a.json.${randomUUID()}.tmp`, 'notes.tmp'];
    await Promise.all([old, young, another, 'a.json'].map((name) => fs.writeFile(path.join(folder, name), '{')));
    const longAgo = new Date(Date.now() - 120_000);
    await Promise.all([old, another, 'a.json'].map((name) => fs.utimes(path.join(folder, name), longAgo, longAgo)));
    await withFileLock(path.join(folder, 'a.json.lock'), 10_000, () => Promise.resolve());
    assert.deepEqual((await fs.readdir(folder)).sort(), ['a.json', young, another]);
  });

  describe('that another one waits for', () => {
    let lockPath: string;

    beforeEach(() => {
      lockPath = path.join(folder, 'a.lock');
    });

    it('says so, and not of one that died while it waited, whose folder is removed', async () => {
      const held = await holdFileLock(lockPath, 10_000);
      assert.equal(await held.isWaitedFor(), false);
      const orphan = `${lockPath}.left`;
      await fs.mkdir(orphan);
      await fs.writeFile(path.join(orphan, 'left'), '');
      assert.equal(await held.isWaitedFor(), true);
      await age(orphan);
      assert.equal(await held.isWaitedFor(), false);
      const empty = `${lockPath}.empty`;
      await fs.mkdir(empty);
      await age(empty);
      assert.equal(await held.isWaitedFor(), false);
      assert.deepEqual(await fs.readdir(folder), ['a.lock']);
      await held.release();
    });

    it('is still given to one that slept while it waited, and was taken for dead', async () => {
      const held = await holdFileLock(lockPath, 10_000);
      const next = hold(lockPath);
      let prepared: string | undefined;
      while (prepared === undefined) {
        // With its owner in it: it is whole.
        prepared = (await fs.readdir(folder, { recursive: true })).find((name) => /^a\.lock\..*[/\\]/.test(name))?.split(/[/\\]/)[0];
      }
      await fs.rename(path.join(folder, prepared), path.join(folder, 'elsewhere'));
      await held.release();
      assert.equal(await (await next.isInside)(), true);
      next.end();
      await next.isOver;
      assert.deepEqual(await fs.readdir(folder), ['elsewhere']);
    });
  });

  describe('whose owner has ended', () => {
    /** Owners look as if they will live for long: only that the process is gone can tell. */
    const leaveLock = async (owner: string, lock: string): Promise<void> => {
      const later = new Date(Date.now() + 3_600_000);
      await fs.mkdir(lock);
      await fs.writeFile(path.join(lock, owner), '');
      await fs.utimes(path.join(lock, owner), later, later);
    };
    let lockPath: string;
    let machine: string;
    let deadPid: number;

    before(async () => {
      machine = (await machineIdentity()).slice(0, 12);
      const child = spawn(process.execPath, ['-e', '']);
      await once(child, 'exit');
      deadPid = child.pid ?? assert.fail('not started');
    });
    beforeEach(() => {
      lockPath = path.join(folder, 'a.lock');
    });

    it('is given to the next one at once', async () => {
      await leaveLock(`${deadPid}-${machine}-left`, lockPath);
      assert.equal(await withFileLock(lockPath, 10_000, () => Promise.resolve('in')), 'in');
      assert.deepEqual(await fs.readdir(folder), []);
    });

    it('is not waited for by what that one prepared', async () => {
      const held = await holdFileLock(lockPath, 10_000);
      const owner = `${deadPid}-${machine}-left`;
      await leaveLock(owner, `${lockPath}.${owner}`);
      assert.equal(await held.isWaitedFor(), false);
      assert.deepEqual(await fs.readdir(folder), ['a.lock']);
      await held.release();
    });

    it('stays where the owner lives, or is of another machine, or does not say', async () => {
      const elsewhere = machine.replace(/./g, (digit) => (digit === '0' ? '1' : '0'));
      for (const owner of [`${process.pid}-${machine}-living`, `${deadPid}-${elsewhere}-left`, `${deadPid}-left`]) {
        await leaveLock(owner, lockPath);
        await assert.rejects(
          withFileLock(lockPath, 50, () => Promise.resolve()),
          { code: 'storage.locked' },
          owner,
        );
        await fs.rm(lockPath, { recursive: true });
      }
    });
  });

  describe('that has gone stale', () => {
    const realStat = promises.stat;
    let lockPath: string;

    beforeEach(() => {
      lockPath = path.join(folder, 'a.lock');
    });

    afterEach(() => {
      promises.stat = realStat;
      syncBuiltinESMExports();
    });

    it('is broken by one waiter, and not taken from that one by the next that saw it stale', async () => {
      const sleeper = hold(lockPath);
      await sleeper.isInside;
      await age(lockPath);
      const bothSawIt = deferred();
      const firstIsIn = deferred();
      let looks = 0;
      promises.stat = (async (...args: Parameters<typeof realStat>) => {
        const stats = await realStat(...args);
        looks += 1;
        if (looks === 1) {
          await bothSawIt.promise;
        } else if (looks === 2) {
          bothSawIt.resolve();
          await firstIsIn.promise; // and acts on what it saw only now
        }
        return stats;
      }) as typeof realStat;
      syncBuiltinESMExports();
      let inside = 0;
      let most = 0;
      const work = async (): Promise<void> => {
        most = Math.max(most, ++inside);
        firstIsIn.resolve();
        await new Promise((resolve) => setTimeout(resolve, 200));
        inside--;
      };
      await Promise.all([withFileLock(lockPath, 10_000, work), withFileLock(lockPath, 10_000, work)]);
      sleeper.end();
      await sleeper.isOver;
      assert.equal(most, 1);
      assert.deepEqual(await fs.readdir(folder), []);
    });

    it('stays with its next holder when the one that slept wakes up and ends', async () => {
      const sleeper = hold(lockPath);
      await sleeper.isInside;
      await age(lockPath);
      const successor = hold(lockPath);
      assert.deepEqual([await (await successor.isInside)(), await (await sleeper.isInside)()], [true, false]);
      sleeper.end();
      await sleeper.isOver;
      await assert.rejects(
        withFileLock(lockPath, 50, () => Promise.resolve()),
        { code: 'storage.locked' },
      );
      successor.end();
      await successor.isOver;
      assert.deepEqual(await fs.readdir(folder), []);
    });
  });
});

interface Holder {
  readonly isInside: Promise<IsHeld>;
  readonly isOver: Promise<void>;
  end(): void;
}

function hold(lock: string): Holder {
  const inside = deferred<IsHeld>();
  const ended = deferred();
  const isOver = withFileLock(lock, 10_000, async (isHeld) => {
    inside.resolve(isHeld);
    await ended.promise;
  });
  return { isInside: inside.promise, isOver, end: () => ended.resolve() };
}

/** As if its holder had given no sign of life for a minute. */
async function age(lock: string): Promise<void> {
  const longAgo = new Date(Date.now() - 60_000);
  for (const name of await fs.readdir(lock)) {
    await fs.utimes(path.join(lock, name), longAgo, longAgo);
  }
  await fs.utimes(lock, longAgo, longAgo);
}

function deferred<T = void>(): { readonly promise: Promise<T>; resolve(value: T): void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
