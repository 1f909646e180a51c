import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { hasCode } from '../../base/errors.ts';
import { isAlive } from '../processes/processLife.ts';
import { machineIdentity } from '../machineIdentity.ts';
import { platformError } from '../platformErrors.ts';
import { sweepUnfinished } from './ownFiles.ts';

/** A lock whose holder has shown no life for so long, in ms, is taken from it. */
const staleMs = 10_000;
/** How often, in ms, a holder shows that it lives. */
const signOfLifeMs = 2_000;
/** The longest time, in ms, between two looks of somebody who waits for a lock. */
export const maxLookMs = 40;
/** Somebody who has not looked for so long, in ms, no longer counts as waiting: each look is a sign of life. */
const waiterQuietMs = 2_000;

/** The codes with which a system refuses to rename a folder to one that is not empty. */
const takenCodes = process.platform === 'win32' ? ['EEXIST', 'ENOTEMPTY', 'EPERM', 'EACCES'] : ['EEXIST', 'ENOTEMPTY'];

/** Tells whether the lock is still this holder's: one that slept may have been pushed aside. */
export type IsHeld = () => Promise<boolean>;

/**
 * Runs `work` while no other window holds the same lock. A holder shows that it lives; one that died is pushed aside: at once if it
 * ran on this machine, otherwise when it has shown no life for a while.
 *
 * A lock is a folder with one file, which has its owner's name, and is moved into place whole: so it is never without an owner.
 * Whatever is done to it later names the owner it is meant for, and only an empty folder is ever removed: nobody can take away
 * the next holder's lock by being late.
 */
export async function withFileLock<T>(lock: string, waitMs: number, work: (isHeld: IsHeld) => Promise<T>): Promise<T> {
  const held = await holdFileLock(lock, waitMs);
  try {
    return await work(() => held.isHeld());
  } finally {
    await held.release();
  }
}

let machine: Promise<string> | undefined;

/** Names this machine with its boot and its container, because the pid of another one says nothing here. It is short, as paths have to be on some systems. */
function thisMachine(): Promise<string> {
  return (machine ??= machineIdentity().then((name) => name.slice(0, 12)));
}

/** Whether the owner's process has ended. About an owner on another machine (a home folder may be shared) only the signs of life tell. */
async function isOfTheDead(owner: string): Promise<boolean> {
  const [, pid, where] = /^(\d{1,10})-([0-9a-f]{12})-/.exec(owner) ?? [];
  return pid !== undefined && where === (await thisMachine()) && !isAlive(Number(pid));
}

/** Takes the same lock for as long as the caller wants. Who keeps it for a while should ask now and then whether another window waits for it. */
export async function holdFileLock(lock: string, waitMs: number): Promise<HeldLock> {
  const owner = `${process.pid}-${await thisMachine()}-${randomUUID()}`;
  await take(lock, owner, waitMs);
  await sweepOnce(path.dirname(lock));
  return new HeldLock(lock, owner);
}

/** Folders in which this process has looked for what others left. */
const swept = new Set<string>();
/** What was prepared for a lock or taken out of its way: the lock's name, and then who prepared it or `gone-`. */
const besideLock = /^(.+\.lock)\.(?:(\d{1,10}-[0-9a-f]{12}-.+)|gone-.+)$/;

/** Removes what windows that were killed while they took or broke a lock, or wrote under it, have left in a folder: nobody else would ever look at it. */
async function sweepOnce(folder: string): Promise<void> {
  if (swept.has(folder)) {
    return;
  }
  swept.add(folder);
  for (const name of await fs.readdir(folder).catch(() => [])) {
    const [, lock, owner] = besideLock.exec(name) ?? [];
    const left = path.join(folder, name);
    if (lock !== undefined && (owner === undefined ? ((await quietFor(left)) ?? 0) > staleMs : await isOfTheDead(owner))) {
      await removePrepared(path.join(folder, lock), left);
    }
  }
  await sweepUnfinished(folder).catch(() => undefined);
}

export class HeldLock {
  readonly #lock: string;
  readonly #owner: string;
  readonly #alive: NodeJS.Timeout;

  constructor(lock: string, owner: string) {
    this.#lock = lock;
    this.#owner = owner;
    this.#alive = setInterval(() => void showLife(this.#ownFile).catch(() => undefined), signOfLifeMs);
    this.#alive.unref();
  }

  isHeld(): Promise<boolean> {
    return fs.access(this.#ownFile).then(
      () => true,
      () => false,
    );
  }

  /** Like `isHeld`, for code that cannot wait. */
  isHeldNow(): boolean {
    return existsSync(this.#ownFile);
  }

  /** Whether another window waits for the lock: it has prepared a folder beside it. What a window that died has prepared is removed. */
  async isWaitedFor(): Promise<boolean> {
    const prefix = `${path.basename(this.#lock)}.`;
    const folder = path.dirname(this.#lock);
    const names = await fs.readdir(folder).catch(() => []);
    for (const name of names.filter((each) => each.startsWith(prefix))) {
      const isDead = await isOfTheDead(name.slice(prefix.length));
      const quietMs = await quietFor(path.join(folder, name));
      if (quietMs !== undefined && quietMs <= waiterQuietMs && !isDead) {
        return true;
      }
      if (quietMs !== undefined && (quietMs > staleMs || isDead)) {
        await removePrepared(this.#lock, path.join(folder, name));
      }
    }
    return false;
  }

  async release(): Promise<void> {
    clearInterval(this.#alive);
    await release(this.#lock, this.#owner);
  }

  get #ownFile(): string {
    return path.join(this.#lock, this.#owner);
  }
}

/** A FolderLock has locks by name, all in one folder of their own. */
export class FolderLock {
  readonly #folder: string;
  readonly #waitMs: number;

  constructor(folder: string, waitMs: number) {
    this.#folder = folder;
    this.#waitMs = waitMs;
  }

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    await fs.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = createHash('sha256').update(name).digest('hex').slice(0, 32);
    return withFileLock(path.join(this.#folder, `${file}.lock`), this.#waitMs, work);
  }
}

async function take(lock: string, owner: string, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs;
  const prepared = `${lock}.${owner}`;
  try {
    await prepare(prepared, owner);
    while (!(await moveInto(lock, prepared, owner))) {
      await breakStale(lock);
      if (performance.now() > deadline) {
        throw platformError('storage.locked', { file: path.basename(lock, '.lock') });
      }
      await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * (maxLookMs - 10)));
    }
  } catch (error) {
    await fs.rm(prepared, { recursive: true, force: true });
    throw error;
  }
}

async function prepare(prepared: string, owner: string): Promise<void> {
  await fs.mkdir(prepared);
  await fs.writeFile(path.join(prepared, owner), '', { flag: 'wx', mode: 0o600 });
}

/** For how many ms nobody has moved a prepared folder or looked again; undefined when it is gone. */
async function quietFor(prepared: string): Promise<number | undefined> {
  try {
    const [owner] = await fs.readdir(prepared);
    const { mtimeMs } = await fs.stat(owner === undefined ? prepared : path.join(prepared, owner));
    return Date.now() - mtimeMs;
  } catch {
    return undefined;
  }
}

/** Removes a prepared folder in one move: if it were emptied where it lies, a window that wakes up could still make it the lock, which then had no owner. */
async function removePrepared(lock: string, prepared: string): Promise<void> {
  const gone = `${lock}.gone-${randomUUID()}`;
  try {
    await fs.rename(prepared, gone);
    await fs.rm(gone, { recursive: true, force: true });
  } catch {
    // Another window was faster, or the next look removes it.
  }
}

/** Makes the prepared folder the lock; false while another one is there. It is one move, so only one of several windows can succeed. */
async function moveInto(lock: string, prepared: string, owner: string): Promise<boolean> {
  try {
    // What was prepared long ago would be stale from the start.
    await showLife(path.join(prepared, owner));
    await fs.rename(prepared, lock);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) {
      // This window slept and was taken for dead.
      await prepare(prepared, owner);
      return false;
    }
    if (takenCodes.some((code) => hasCode(error, code))) {
      return false;
    }
    throw error;
  }
}

async function showLife(file: string): Promise<void> {
  const now = new Date();
  await fs.utimes(file, now, now);
}

async function breakStale(lock: string): Promise<void> {
  const owners = await fs.readdir(lock).catch(() => undefined);
  for (const owner of owners ?? []) {
    const seen = await fs.stat(path.join(lock, owner)).catch(() => undefined);
    if (seen !== undefined && (Date.now() - seen.mtimeMs > staleMs || (await isOfTheDead(owner)))) {
      await release(lock, owner);
    }
  }
  if (owners?.length === 0) {
    await removeEmpty(lock); // a window that died between the two steps of a release has left it
  }
}

async function release(lock: string, owner: string): Promise<void> {
  await fs.rm(path.join(lock, owner), { force: true });
  await removeEmpty(lock);
}

async function removeEmpty(lock: string): Promise<void> {
  await fs.rmdir(lock).catch((error: unknown) => {
    // It is gone already, or the next window has taken it.
    if (!['ENOENT', ...takenCodes].some((code) => hasCode(error, code))) {
      throw error;
    }
  });
}
