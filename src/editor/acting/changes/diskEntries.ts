import { realpath } from 'node:fs';
import { chmod, lstat, readFile, readlink, symlink, utimes, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** A larger file is not kept in memory, and so cannot be backed up. */
const maxBackupBytes = 64 * 1024 * 1024;

export interface FileBackup {
  /** Puts the file back; rejects when there is something else in its place. */
  readonly restore: () => Promise<void>;
}

/**
 * Backs up a file of this machine so that it can be put back as it was: a link as a link, a program as a program. The result is
 * `undefined` when the file cannot be kept.
 */
export async function backUpFile(path: string): Promise<FileBackup | undefined> {
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) {
      const target = await readlink(path);
      return { restore: () => symlink(target, path) };
    }
    if (!stats.isFile() || stats.size > maxBackupBytes) {
      return undefined;
    }
    const bytes = await readFile(path);
    const mode = stats.mode & 0o7777;
    return {
      restore: async () => {
        await writeFile(path, bytes, { flag: 'wx' });
        await chmod(path, mode); // the umask may have taken some rights away
        await utimes(path, stats.atime, stats.mtime); // tools that compare times need not read it again
      },
    };
  } catch {
    return undefined;
  }
}

interface EntryDisk {
  readonly lstat: (path: string) => Promise<{ readonly dev: bigint; readonly ino: bigint }>;
  /** The real path, spelled as the disk does. */
  readonly realPath: (path: string) => Promise<string>;
}

const ownDisk: EntryDisk = { lstat: (path) => lstat(path, { bigint: true }), realPath: promisify(realpath.native) };

/**
 * Whether two paths are spellings of the same entry of a folder. A link to a file and a second (hard-linked) name of it are other
 * entries.
 */
export async function isSameEntry(one: string, other: string, disk = ownDisk): Promise<boolean> {
  try {
    const [first, second] = await Promise.all([disk.lstat(one), disk.lstat(other)]);
    const isSameFile = first.dev === second.dev && first.ino === second.ino;
    return isSameFile && (await disk.realPath(one)) === (await disk.realPath(other));
  } catch {
    return false; // one of them is not there
  }
}
