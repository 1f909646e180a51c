import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Long enough for one answer with thousands of paths, too short for a moved link to matter: reading checks again. */
const keepMs = 1_000;
const maxKept = 2_000;

/** Where paths really lead, links resolved and spelled as the disk spells them. */
export class RealPaths {
  readonly #folders = new Map<string, { readonly real: string | undefined; readonly until: number }>();
  readonly #now: () => number;
  readonly #spellsFreely: boolean;

  constructor(now: () => number = () => performance.now(), platform: NodeJS.Platform = process.platform) {
    this.#now = now;
    this.#spellsFreely = platform === 'win32' || platform === 'darwin';
  }

  /** For what is not there: where it would be. `undefined` when that cannot be told, for example behind a broken link. */
  of(path: string): string | undefined {
    try {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats !== undefined && (stats.isSymbolicLink() || this.#spellsFreely)) {
        return realpathSync.native(path);
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
