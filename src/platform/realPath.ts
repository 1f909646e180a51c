import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isOnAnotherMachine } from './otherMachine.ts';

/** Long enough for one answer with thousands of paths, too short for a moved link to matter: reading checks again. */
const keepMs = 1_000;
const maxKept = 2_000;
/** As many as systems follow themselves. */
const maxLinks = 40;
/** `ENV~1`: what Windows calls `.env` as well, also on its drives under WSL, where nothing spells it out. */
const shortName = /~\d+(?:\.[^.]{0,3})?$/;

/** Names for the same folder, a folder of no name, or an end of none. */
const roundabout = /[\\/]\.{0,2}(?:[\\/]|$)/;

const ownDisk = { lstatSync, readdirSync, readlinkSync, realpathSync };

/** Where paths really lead, links resolved and spelled as the disk spells them. */
export class RealPaths {
  readonly #folders = new Map<string, { readonly real: string | undefined; readonly until: number }>();
  readonly #now: () => number;
  readonly #spellsFreely: boolean;
  readonly #disk: typeof ownDisk;

  constructor(now: () => number = () => performance.now(), platform: NodeJS.Platform = process.platform, disk = ownDisk) {
    this.#disk = disk;
    this.#now = now;
    this.#spellsFreely = platform === 'win32' || platform === 'darwin';
  }

  /** For what is not there: where it would be. `undefined` when that cannot be told, for example behind a broken link. */
  of(written: string, links = 0): string | undefined {
    const path = roundabout.test(written) ? resolve(written) : written;
    // First the folder: to look at what is in it would follow its links.
    const parent = dirname(path);
    const realParent = parent === path ? path : this.#folder(parent, links);
    if (realParent === undefined) {
      return undefined;
    }
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
    } catch {
      return undefined;
    }
    return realParent === parent || parent === path ? path : join(realParent, basename(path));
  }

  /** A repository may hold a link to another machine, or to a link that leads there: nobody is called for it. */
  #mayFollow(target: string, link: string, links: number): boolean {
    return links < maxLinks && !isOnAnotherMachine(target, [link]) && this.of(target, links + 1) !== undefined;
  }

  #folder(path: string, links: number): string | undefined {
    const known = this.#folders.get(path);
    const now = this.#now();
    if (known !== undefined && known.until > now) {
      return known.real;
    }
    if (this.#folders.size >= maxKept) {
      this.#folders.clear();
    }
    const real = this.of(path, links);
    this.#folders.set(path, { real, until: now + keepMs });
    return real;
  }
}
