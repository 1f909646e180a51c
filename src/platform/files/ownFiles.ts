// files/: files of this user alone (this file), a lock that windows share, and what is kept in files under that lock.
import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '../../base/errors.ts';
import { platformError } from '../platformErrors.ts';

/** Makes a folder that only this user can look into, or makes sure that an existing one is such a folder. */
export async function ownFolder(path: string): Promise<void> {
  await makeFolder(path);
  const stats = await lstat(path);
  if (!stats.isDirectory() || !isOurs(stats)) {
    throw platformError('server.discovery.unsafeFolder', { path });
  }
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
    await chmod(path, 0o700);
  }
}

/** Writes or replaces a file in such a folder; a reader sees the old or the new one, never half of one. */
export async function writeOwnFile(path: string, text: string, mode: number): Promise<void> {
  const temporary = join(dirname(path), `.${randomBytes(8).toString('hex')}.tmp`);
  try {
    // `wx` neither follows a planted link nor takes over a planted file.
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(text);
      await file.chmod(mode);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** A temporary file that is older than this, in ms, was left by a window that was killed. */
const leftoverMs = 60_000;
/** How many files of a folder are looked at; more were put there by somebody else. */
const maxLeftovers = 5_000;

/** The names that our own temporary files have; those of other programs are left alone. */
const unfinishedName = /(?:^\.[0-9a-f]{16}|\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.tmp$/;

/** Removes the files that a window was writing when it was killed: nobody will finish them. */
export async function sweepUnfinished(folder: string): Promise<void> {
  const left = (await readdir(folder)).filter((name) => unfinishedName.test(name)).slice(0, maxLeftovers);
  for (const name of left) {
    const file = join(folder, name);
    const stats = await lstat(file).catch(() => undefined);
    if (stats?.isFile() === true && isOurs(stats) && Date.now() - stats.mtimeMs > leftoverMs) {
      await rm(file, { force: true });
    }
  }
}

export function isOurs(stats: Stats): boolean {
  return process.getuid === undefined || stats.uid === process.getuid();
}

/** Makes a folder and its parents. Node's own `recursive` never returns where a parent cannot have children (`/proc`). */
async function makeFolder(path: string, isSecondTry = false): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (hasCode(error, 'EEXIST')) {
      return;
    }
    if (isSecondTry || !hasCode(error, 'ENOENT') || dirname(path) === path) {
      throw error;
    }
    await makeFolder(dirname(path));
    await makeFolder(path, true);
  }
}

/** Reads a file; undefined when it is no plain file or larger than `most`. It rejects when the file cannot be opened. A pipe that nobody writes to is not waited for. */
export async function readBounded(file: string, most: number): Promise<Buffer | undefined> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const info = await handle.stat();
    if (!info.isFile() || info.size > most) {
      return undefined;
    }
    const buffer = Buffer.alloc(most + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
      length += bytesRead;
      if (length > most) {
        return undefined;
      }
      if (bytesRead === 0) {
        return Buffer.from(buffer.subarray(0, length));
      }
    }
  } finally {
    await handle.close();
  }
}
