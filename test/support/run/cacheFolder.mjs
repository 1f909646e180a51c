import { access, link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

import { isAlive } from './processList.mjs';

const lockMilliseconds = 15 * 60_000;

/**
 * Fills a folder of the cache once, for all clones on this machine. The work happens in a sibling that is renamed at
 * the very end, so an interrupted installation leaves nothing that looks complete.
 *
 * @param {string} name
 * @param {(folder: string) => Promise<void>} install
 * @returns {Promise<string>} the folder
 */
export async function installOnce(name, install) {
  const folder = path.join(cacheFolder(), name);
  if (await exists(folder)) {
    return folder;
  }
  await mkdir(cacheFolder(), { recursive: true });
  const releaseLock = await takeLock(`${folder}.lock`);
  try {
    if (!(await exists(folder))) {
      const unfinished = `${folder}.unfinished`;
      await rm(unfinished, { recursive: true, force: true }); // what an interrupted installation left
      await mkdir(unfinished);
      await install(unfinished);
      await rename(unfinished, folder);
    }
    return folder;
  } finally {
    await releaseLock();
  }
}

/** Outside the repository: a fresh clone finds what an older one installed. */
export function cacheFolder() {
  const chosen = process.env['DUPLEX_TEST_CACHE'];
  if (chosen) {
    return path.resolve(chosen);
  }
  switch (process.platform) {
    case 'darwin':
      return path.join(homedir(), 'Library', 'Caches', 'duplex-tests');
    case 'win32':
      return path.join(process.env['LOCALAPPDATA'] ?? homedir(), 'duplex-tests');
    default:
      return path.join(process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache'), 'duplex-tests');
  }
}

/**
 * @param {string} lockFile
 * @returns {Promise<() => Promise<void>>} releases the lock
 */
async function takeLock(lockFile) {
  const deadline = Date.now() + lockMilliseconds;
  const mine = `${lockFile}-${process.pid}`;
  await writeFile(mine, String(process.pid));
  try {
    for (let announced = false; !(await linked(mine, lockFile)); announced = true) {
      if (Date.now() > deadline) {
        throw new Error(`Another installation holds ${lockFile} for too long; delete that file if none is running.`);
      }
      const owner = Number(await readFile(lockFile, 'utf8').catch(() => '0'));
      if (owner > 0 && !isAlive(owner)) {
        await rm(lockFile, { force: true });
      } else {
        if (!announced) {
          console.log('  Waiting for another installation to finish …');
        }
        await sleep(500);
      }
    }
  } finally {
    await rm(mine, { force: true });
  }
  return () => rm(lockFile, { force: true });
}

/** A link appears at once with its content, so nobody can read a lock without an owner. @param {string} source @param {string} target */
async function linked(source, target) {
  try {
    await link(source, target);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

/** @param {string} file */
async function exists(file) {
  return access(file).then(
    () => true,
    () => false,
  );
}
