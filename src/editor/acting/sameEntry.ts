import { realpath } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { promisify } from 'node:util';

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
