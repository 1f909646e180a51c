import { realpath } from 'node:fs';
import { chmod, lstat, readFile, readlink, symlink, utimes, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** What is larger is not kept in memory. */
const maxBackupBytes = 64 * 1024 * 1024;

export interface FileBackup {
  /** Rejects when there is something in its place. */
  readonly restore: () => Promise<void>;
}

/** A file of this machine as it is: a link stays a link, and what may be run can be run again. `undefined` when that cannot be kept. */
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
        await chmod(path, mode); // the process may not give everything at once
        await utimes(path, stats.atime, stats.mtime); // who read it before need not read it again
      },
    };
  } catch {
    return undefined;
  }
}

interface EntryDisk {
  readonly lstat: (path: string) => Promise<{ readonly dev: bigint; readonly ino: bigint }>;
  /** Spelled as the disk does. */
  readonly realPath: (path: string) => Promise<string>;
}

const ownDisk: EntryDisk = { lstat: (path) => lstat(path, { bigint: true }), realPath: promisify(realpath.native) };

/** Whether two spellings name one entry of a folder: neither a link to a file nor a second name of it is the file's own. */
export async function isSameEntry(one: string, other: string, disk = ownDisk): Promise<boolean> {
  try {
    const [first, second] = await Promise.all([disk.lstat(one), disk.lstat(other)]);
    const isSameFile = first.dev === second.dev && first.ino === second.ino;
    return isSameFile && (await disk.realPath(one)) === (await disk.realPath(other));
  } catch {
    return false; // one of them is not there
  }
}
