import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';

/** A flag with which opening a pipe does not wait for its writer. Windows has neither such pipes nor the flag. */
const withoutWaiting = process.platform === 'win32' ? 0 : constants.O_NONBLOCK;

/** How often a file is opened that is replaced by another one meanwhile. Programs that save by renaming do that. */
const maxOpenings = 20;

export interface OpenedInPlace {
  /** Whoever opened it has to close it. */
  readonly handle: FileHandle;
  readonly stats: BigIntStats;
  /** Where the path led when the file was opened, all links followed. */
  readonly realPath: string;
}

/**
 * Opens what a path leads to for reading, and asks only then where that was, so that a link which is moved in between changes
 * nothing. Returns `undefined` when something else stood there after each opening. Rejects as the file system does.
 */
export async function openInPlace(path: string): Promise<OpenedInPlace | undefined> {
  for (let openings = 0; openings < maxOpenings; openings += 1) {
    const handle = await open(path, constants.O_RDONLY | withoutWaiting);
    let isKept = false;
    try {
      const stats = await handle.stat({ bigint: true });
      const realPath = await realpath(path);
      const { ino, dev } = await stat(realPath, { bigint: true });
      isKept = ino === stats.ino && dev === stats.dev;
      if (isKept) {
        return { handle, stats, realPath };
      }
    } finally {
      if (!isKept) {
        await handle.close();
      }
    }
  }
  return undefined;
}
