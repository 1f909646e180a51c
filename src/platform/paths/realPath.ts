import { lstatSync, readdirSync, readlinkSync, realpathSync, statfsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isOnAnotherMachine } from './pathReach.ts';

/** How many folders the real path is kept of. */
const maxKept = 2_000;
/** How many paths are remembered that are no links. */
const maxPlain = 50_000;
/** Longer paths are not remembered: nobody but an attacker writes them, and what is remembered stays for long. */
const maxPlainPath = 1_000;
/** How many links are followed for one path, those that links lead to counted: as many as systems follow themselves. */
const maxLinks = 40;
/** How many folders deep a path may lead: deeper than any project. It is looked at each of them while everybody waits. */
const maxDepth = 250;
/** A short name such as `ENV~1`: Windows calls `.env` so as well, also on its drives under WSL, where no function gives the long name. */
const shortName = /~\d+(?:\.[^.]{0,3})?$/;

/** Parts of a path that lead nowhere new: `.`, `..`, an empty name, or a slash at the end. */
const roundabout = /[\\/]\.{0,2}(?:[\\/]|$)/;

const ownDisk = { lstatSync, readdirSync, readlinkSync, realpathSync, statfsSync };

/** What is known of a folder: where it really is, and the state of the folder above it when that was seen. */
interface KnownFolder {
  readonly real: string | undefined;
  readonly above: string | undefined;
  /**
   * The state of the folder when it was looked at; undefined where a change would not show, which is so for a link and for a
   * folder that changed just now.
   */
  readonly state: object | undefined;
  readonly until: number;
}

/** How many links may still be followed for one path. */
interface LinksLeft {
  left: number;
}

function isTooDeep(path: string): boolean {
  return path.length > maxDepth && path.split(/[\\/]/, maxDepth + 1).length > maxDepth;
}

/** RealPaths tells where paths really lead: with links resolved, and spelled as on the disk. */
export class RealPaths {
  readonly #folders = new Map<string, KnownFolder>();
  readonly #now: () => number;
  readonly #spellsFreely: boolean;
  readonly #disk: typeof ownDisk;
  readonly #states: FolderStates;
  /** Paths that are no links, with the state of their folder when that was seen: for thousands of files in a folder only the folder is looked at. */
  readonly #plain = new Map<string, { readonly parent: string; readonly state: object }>();

  constructor(now: () => number = () => performance.now(), platform: NodeJS.Platform = process.platform, disk = ownDisk) {
    this.#disk = disk;
    this.#now = now;
    this.#states = new FolderStates(now, undefined, disk);
    this.#spellsFreely = platform === 'win32' || platform === 'darwin';
  }

  /** Returns the real path of a file, or where it would be if it is not there. `undefined` when that cannot be told, for example behind a broken link. */
  of(written: string): string | undefined {
    return this.#of(written, { left: maxLinks });
  }

  #of(written: string, links: LinksLeft): string | undefined {
    if (isTooDeep(written)) {
      return undefined;
    }
    return this.#isStillPlain(written, links) ? written : this.#lookUp(written, links);
  }

  #isStillPlain(path: string, links: LinksLeft): boolean {
    const known = this.#plain.get(path);
    return known !== undefined && this.#folder(known.parent, links) === known.parent && this.#states.of(known.parent) === known.state;
  }

  #lookUp(written: string, links: LinksLeft): string | undefined {
    const path = roundabout.test(written) ? resolve(written) : written;
    // The folder comes first: looking at what is in it would follow its links.
    const parent = dirname(path);
    return this.#lookIn(parent === path ? path : this.#folder(parent, links), path, links);
  }

  /** Looks at a path whose folder was found. To look for that once more would cost twice as much with every folder above it. */
  #lookIn(realParent: string | undefined, path: string, links: LinksLeft): string | undefined {
    if (realParent === undefined) {
      return undefined;
    }
    const parent = dirname(path);
    // Asked before looking at what is in it, so that a change in between is noticed.
    const state = this.#spellsFreely || realParent !== parent || parent === path ? undefined : this.#states.of(parent);
    try {
      const stats = this.#disk.lstatSync(path, { throwIfNoEntry: false });
      if (stats?.isSymbolicLink() === true && !this.#mayFollow(resolve(realParent, this.#disk.readlinkSync(path)), path, links)) {
        return undefined;
      }
      if (stats !== undefined && (stats.isSymbolicLink() || this.#spellsFreely)) {
        return this.#disk.realpathSync.native(path);
      }
      if (stats !== undefined && shortName.test(path) && !this.#disk.readdirSync(dirname(path)).includes(basename(path))) {
        return undefined; // a second name of another file
      }
      if (stats !== undefined && state !== undefined && path.length <= maxPlainPath) {
        this.#keepPlain(path, parent, state);
      }
    } catch {
      return undefined;
    }
    return realParent === parent || parent === path ? path : join(realParent, basename(path));
  }

  #keepPlain(path: string, parent: string, state: object): void {
    if (this.#plain.size >= maxPlain) {
      this.#plain.clear();
    }
    this.#plain.set(path, { parent, state });
  }

  /** Whether a link may be followed. A repository may have a link to another machine, or to a link that leads there; that machine is not called. */
  #mayFollow(target: string, link: string, links: LinksLeft): boolean {
    links.left -= 1;
    return links.left >= 0 && !isOnAnotherMachine(target, [link]) && this.#of(target, links) !== undefined;
  }

  /** The real path of a folder. What is known of it holds as long as the folders above it are what they were, not for a time. */
  #folder(path: string, links: LinksLeft): string | undefined {
    const known = this.#folders.get(path);
    const now = this.#now();
    if (known !== undefined && known.until > now) {
      return known.real;
    }
    const until = now + keepStateMs;
    const parent = dirname(path);
    const above = parent === path ? path : this.#folder(parent, links);
    // Asked before looking at what is in it, so that a change in between is noticed.
    const state = above === undefined ? undefined : this.#states.of(above);
    if (known?.state !== undefined && known.state === state && known.above === above) {
      this.#folders.set(path, { ...known, until });
      return known.real;
    }
    if (this.#folders.size >= maxKept) {
      this.#folders.clear();
    }
    const real = this.#lookIn(above, path, links);
    const isPlain = above !== undefined && real === join(above, basename(path)) && !this.#spellsFreely;
    this.#folders.set(path, { real, above, state: isPlain ? state : undefined, until });
    return real;
  }
}

/**
 * File systems (ext2 to ext4, XFS, Btrfs, tmpfs, F2FS, overlayfs, ZFS) on which a folder's time of change tells of every entry that
 * comes, goes or is replaced, and cannot be set by anybody. About others that is not known.
 */
const honestKinds: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0xf2f52010, 0x794c7630, 0x2fc12fc1]);

/** Systems count this time in steps of at most two seconds; a second change within one step would not show. */
const maxStepMs = 3_000;

/** How long, in ms, the state of a folder is not looked up again. Within one answer it is asked for with each file; this is shorter than it takes to use what was found. */
const keepStateMs = 5;
/** How many folders the state is kept of. */
const maxStates = 2_000;

const ownFileSystem = { lstatSync, statfsSync };

interface Known {
  readonly ino: number;
  readonly dev: number;
  readonly changedAt: number;
  readonly state: object;
  /** Whether its file system is one of `honestKinds`. */
  readonly isHonest: boolean;
  /** Whether a change of the folder would show now. */
  readonly isTold: boolean;
  readonly until: number;
}

/** FolderStates tells whether what is in a folder is still the same, without looking at each entry. */
class FolderStates {
  readonly #known = new Map<string, Known>();
  readonly #now: () => number;
  readonly #wallTime: () => number;
  readonly #disk: typeof ownFileSystem;

  constructor(now: () => number, wallTime: () => number = Date.now, disk = ownFileSystem) {
    this.#now = now;
    this.#wallTime = wallTime;
    this.#disk = disk;
  }

  /**
   * Returns the same object as long as no entry of the folder came, went or was replaced: what is found in the folder after this
   * call holds until another object is returned. `undefined` where that cannot be told. `folder` is a real path, not a link.
   */
  of(folder: string): object | undefined {
    const known = this.#known.get(folder);
    const now = this.#now();
    if (known !== undefined && known.until > now) {
      return known.isTold ? known.state : undefined;
    }
    const seen = this.#look(folder, known, now + keepStateMs);
    if (seen === undefined) {
      this.#known.delete(folder);
      return undefined;
    }
    if (known === undefined && this.#known.size >= maxStates) {
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
      // The file system is asked for only when the folder is another one: its kind does not change while the folder stays the same.
      const isHonest = isSame ? known.isHonest : honestKinds.has(this.#disk.statfsSync(folder).type);
      const isTold = isHonest && this.#wallTime() - changedAt > maxStepMs;
      return { ino, dev, changedAt, state: isSame ? known.state : {}, isHonest, isTold, until };
    } catch {
      return undefined;
    }
  }
}
