import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { chmod, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '../base/errors.ts';
import { platformError } from './platformErrors.ts';

/** Makes a folder that only this user can look into, or makes sure that it is one. */
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

/** Writes or replaces a file in an own folder; a reader sees the old or the new one, never half of one. */
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

export function isOurs(stats: Stats): boolean {
  return process.getuid === undefined || stats.uid === process.getuid();
}

/** Not `recursive`: Node never comes back from that where a parent cannot have children (`/proc`). */
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
