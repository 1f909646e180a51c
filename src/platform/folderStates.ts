import { lstatSync, statfsSync } from 'node:fs';

/**
 * ext2 to ext4, XFS, Btrfs, tmpfs, F2FS, overlayfs and ZFS: there a folder's time of change tells of every entry that comes, goes or
 * is replaced, and nobody can set it. Of others that is not known.
 */
const honestKinds: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0xf2f52010, 0x794c7630, 0x2fc12fc1]);

/** Systems tell times in steps, of two seconds at most: within one a second change would not show. */
const maxStepMs = 3_000;

/** Within one answer a folder is asked for with each of its files. Shorter than it takes to use what was found. */
const keepMs = 5;
const maxKept = 2_000;

const ownDisk = { lstatSync, statfsSync };

interface Known {
  readonly ino: number;
  readonly dev: number;
  readonly changedAt: number;
  readonly state: object;
  /** Whether its file system is one of those that tell. */
  readonly isHonest: boolean;
  /** Whether a change would show. */
  readonly isTold: boolean;
  readonly until: number;
}

/** What is in folders, without a look at each of it. */
export class FolderStates {
  readonly #known = new Map<string, Known>();
  readonly #now: () => number;
  readonly #wallTime: () => number;
  readonly #disk: typeof ownDisk;

  constructor(now: () => number, wallTime: () => number = Date.now, disk = ownDisk) {
    this.#now = now;
    this.#wallTime = wallTime;
    this.#disk = disk;
  }

  /**
   * The same object as long as no entry of the folder came, went or was replaced: what is found in it after this was asked holds
   * until it is another one. `undefined` where that cannot be told. `folder` is a real path: a link is no folder here.
   */
  of(folder: string): object | undefined {
    const known = this.#known.get(folder);
    const now = this.#now();
    if (known !== undefined && known.until > now) {
      return known.isTold ? known.state : undefined;
    }
    const seen = this.#look(folder, known, now + keepMs);
    if (seen === undefined) {
      this.#known.delete(folder);
      return undefined;
    }
    if (known === undefined && this.#known.size >= maxKept) {
      this.#known.clear();
    }
    this.#known.set(folder, seen);
    return seen.isTold ? seen.state : undefined;
  }

  #look(folder: string, known: Known | undefined, until: number): Known | undefined {
    try {
      const stats = this.#disk.lstatSync(folder);
      if (!stats.isDirectory()) {
        return undefined;
      }
      const { ino, dev, ctimeMs: changedAt } = stats;
      const isSame = known?.ino === ino && known.dev === dev && known.changedAt === changedAt;
      // A system's number may be given to another one, but not while its folder stays the same.
      const isHonest = isSame ? known.isHonest : honestKinds.has(this.#disk.statfsSync(folder).type);
      const isTold = isHonest && this.#wallTime() - changedAt > maxStepMs;
      return { ino, dev, changedAt, state: isSame ? known.state : {}, isHonest, isTold, until };
    } catch {
      return undefined;
    }
  }
}
