import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isOnAnotherMachine } from '../../../platform/otherMachine.ts';

/** Long enough for one answer with thousands of paths, too short for a moved link to matter: reading checks again. */
const keepMs = 1_000;
const maxKept = 2_000;
/** `ENV~1`: what Windows calls `.env` as well, also on its drives under WSL, where nothing spells it out. */
const shortName = /~\d+(?:\.[^.]{0,3})?$/;

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
  of(path: string): string | undefined {
    try {
      const stats = this.#disk.lstatSync(path, { throwIfNoEntry: false });
      if (stats?.isSymbolicLink() === true && isOnAnotherMachine(resolve(dirname(path), this.#disk.readlinkSync(path)), [path])) {
        return undefined; // a repository may hold such a link: nobody is called for it
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
    const parent = dirname(path);
    const realParent = parent === path ? path : this.#folder(parent);
    return realParent === undefined ? undefined : join(realParent, basename(path));
  }

  #folder(path: string): string | undefined {
    const known = this.#folders.get(path);
    const now = this.#now();
    if (known !== undefined && known.until > now) {
      return known.real;
    }
    if (this.#folders.size >= maxKept) {
      this.#folders.clear();
    }
    const real = this.of(path);
    this.#folders.set(path, { real, until: now + keepMs });
    return real;
  }
}
