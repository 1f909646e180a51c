import { randomBytes } from 'node:crypto';
import { lstat, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { hasCode } from '../../base/errors.ts';
import { once } from '../../base/late.ts';
import { withFileLock } from '../../platform/files/fileLock.ts';
import { readBounded, writeOwnFile } from '../../platform/files/ownFiles.ts';
import { isBundleFolderName, stagePrefix } from './bundleFolder.ts';

/** What the settings of one window say. */
export interface WindowSettings {
  /** Texts that name the folders of bundles which are in use, such as command lines. */
  readonly texts: readonly string[];
  /** The settings files that they may come from, and where the person's are on another machine, who the person is. */
  readonly files: readonly string[];
  /** The person whose settings are on another machine, as when a window of that machine is connected to this one. */
  readonly person?: SettingsElsewhere | undefined;
}

/** Settings that only the windows of one person see; no file of this machine has them. */
export interface SettingsElsewhere {
  /** Stands for the person among settings files. */
  readonly id: `person:${string}`;
  /** What their settings say of servers. */
  readonly text: string;
}

interface Use {
  /** The settings files, and the persons, that have named the bundle, as far as any window has seen. */
  readonly files: readonly string[];
  /** When it was first seen that no settings file names it any more, in ms since 1970. */
  readonly unusedSince?: number | undefined;
}

/** How long, in ms, a bundle that nobody uses stays: a removed server can be put back until then. */
const unusedMs = 24 * 60 * 60_000;
/** How long, in ms, to wait for the lock on the file that says who uses which bundle. */
const lockWaitMs = 5_000;
/** The most bytes of the file that says who uses which bundle; of a larger one nothing is known, and every bundle stays. */
const maxUsesBytes = 1024 * 1024;
/** The most bytes of a settings file that is searched for a bundle's name; a larger one counts as naming it. */
const maxSettingsBytes = 16 * 1024 * 1024;

const uses = once(() => z.record(z.string(), z.object({ files: z.array(z.string()), unusedSince: z.number().optional() })));

/** Remembers which settings files name a bundle, and removes the folders of those that none names any more. */
export class BundleUses {
  readonly #root: string;
  readonly #now: () => number;

  constructor(root: string, now: () => number = Date.now) {
    this.#root = root;
    this.#now = now;
  }

  /** Does `work`, which puts a bundle in its place, while no window removes one; these settings files will name it. */
  async taking(name: string, files: readonly string[], work: () => Promise<void>): Promise<void> {
    await this.#locked(async () => {
      const known = await this.#read();
      await this.#write({ ...known, [name]: { files: union(known[name]?.files ?? [], files) } });
      await work();
    });
  }

  /**
   * Removes the folders of bundles that no settings file has named for a day, and returns their names. A folder of which it is not
   * known who has used it stays, and so does one whose users cannot be read now.
   */
  async removeUnused(settings: WindowSettings): Promise<readonly string[]> {
    const root = await realpath(this.#root).catch(() => undefined);
    if (root === undefined) {
      return [];
    }
    return this.#locked(async () => {
      const known = await this.#read();
      const kept: Record<string, Use> = {};
      const removed: string[] = [];
      for (const name of (await readdir(root)).filter(isBundleFolderName)) {
        const use = await this.#lookAt(name, known[name], settings);
        if (use?.unusedSince !== undefined && this.#now() - use.unusedSince >= unusedMs && (await removeFolder(root, name))) {
          removed.push(name);
        } else if (use !== undefined) {
          kept[name] = use;
        }
      }
      await this.#write(kept);
      return removed;
    });
  }

  async #lookAt(name: string, use: Use | undefined, { texts, files, person }: WindowSettings): Promise<Use | undefined> {
    const isNamedElsewhere = person?.text.includes(name) === true;
    // Only their own windows can say of a person that they do not name it any more.
    const still = (all: readonly string[]): string[] => all.filter((file) => isNamedElsewhere || file !== person?.id);
    const known = still(use?.files ?? []);
    const asked = union(known, still(files));
    if (isNamedElsewhere || texts.some((text) => text.includes(name))) {
      return { files: asked };
    }
    if (use === undefined) {
      return undefined;
    }
    for (const file of asked) {
      if (await mayName(file, name)) {
        return { files: known };
      }
    }
    return { files: known, unusedSince: use.unusedSince ?? this.#now() };
  }

  #locked<T>(work: () => Promise<T>): Promise<T> {
    return withFileLock(path.join(this.#root, '.uses.lock'), lockWaitMs, work);
  }

  async #read(): Promise<Readonly<Record<string, Use>>> {
    try {
      const bytes = await readBounded(this.#file, maxUsesBytes);
      return uses().parse(JSON.parse(bytes?.toString('utf8') ?? '{}'));
    } catch {
      return {}; // then nobody knows who uses what, and everything stays
    }
  }

  async #write(known: Readonly<Record<string, Use>>): Promise<void> {
    await writeOwnFile(this.#file, JSON.stringify(known), 0o600);
  }

  get #file(): string {
    return path.join(this.#root, '.uses.json');
  }
}

function union(one: readonly string[], other: readonly string[]): string[] {
  return [...new Set([...one, ...other])];
}

/** Whether a settings file, or a person, may name a bundle. One that is missing together with its workspace may only be out of reach. */
async function mayName(file: string, name: string): Promise<boolean> {
  if (file.startsWith('person:')) {
    return true;
  }
  try {
    const { size } = await stat(file);
    return size > maxSettingsBytes || (await readFile(file, 'utf8')).includes(name);
  } catch (error) {
    const place = path.basename(path.dirname(file)) === '.vscode' ? path.dirname(path.dirname(file)) : path.dirname(file);
    return (
      !hasCode(error, 'ENOENT') ||
      !(await stat(place).then(
        (found) => found.isDirectory(),
        () => false,
      ))
    );
  }
}

/** Removes a folder of the store, if it is really one: a link leads somewhere else. */
async function removeFolder(root: string, name: string): Promise<boolean> {
  const folder = path.join(root, name);
  const isReal = (await lstat(folder)).isDirectory() && (await realpath(folder)) === folder;
  if (isReal) {
    // Out of the way at once: what is left of it when this is interrupted is removed later, as what was never finished.
    const away = path.join(root, `${stagePrefix}${randomBytes(8).toString('hex')}`);
    await rename(folder, away);
    await rm(away, { recursive: true, force: true });
  }
  return isReal;
}
