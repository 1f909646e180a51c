import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '../../base/errors.ts';
import { registryError } from '../registryErrors.ts';
import { type BundleManifest, readManifest } from './bundleManifest.ts';
import { bundleFolderName, isBundleFolderName, stagePrefix, type WantedBundle } from './bundleFolder.ts';
import type { Bundle } from './bundleServer.ts';
import { BundleUses, type WindowSettings } from './bundleUses.ts';
import { fetchBundle, type Fetching } from './fetchBundle.ts';
import { unpackBundle } from './unpackBundle.ts';

/** A bundle that was fetched and looked through, and is not in its place yet. */
export interface StagedBundle extends Bundle {
  /** The size of what was fetched. */
  readonly size: number;
  /** Puts it in its place. It stays there as long as one of these settings files, or another one, names it. */
  keep(files: readonly string[]): Promise<void>;
  /** Removes it, if it was not kept. */
  discard(): Promise<void>;
}

/** How old, in ms, a half-made installation becomes before it is removed: another window may still work on it. */
const maxStageAgeMs = 24 * 60 * 60_000;
/** The most bytes of the manifest of a bundle; a larger one is not read. */
const maxManifestBytes = 1024 * 1024;

/** The bundles on this machine, each in a folder that names its server, its version and its digest. */
export class BundleStore {
  readonly #root: string;
  readonly #uses: BundleUses;

  constructor(root: string, now?: () => number) {
    this.#root = root;
    this.#uses = new BundleUses(root, now);
  }

  /** The folder of a bundle by its name. */
  folderOf(name: string): string {
    return path.join(this.#root, name);
  }

  /** The manifest of a bundle that is here; undefined where it is not, or cannot be read. */
  async manifestOf(name: string): Promise<BundleManifest | undefined> {
    try {
      return isBundleFolderName(name) ? readManifest(await manifestText(path.join(this.folderOf(name), 'manifest.json'))) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Removes what no settings file has named for a day; returns the names of the folders. */
  removeUnused(settings: WindowSettings): Promise<readonly string[]> {
    return this.#uses.removeUnused(settings);
  }

  /** Fetches a bundle and unpacks it beside its place. Nothing of it is left if that fails. */
  async stage(wanted: WantedBundle, fetching: Fetching): Promise<StagedBundle> {
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
    await this.#removeOldStages();
    const stage = path.join(this.#root, `${stagePrefix}${randomBytes(8).toString('hex')}`);
    await mkdir(stage, { mode: 0o700 });
    const discard = (): Promise<void> => rm(stage, { recursive: true, force: true });
    try {
      const archive = path.join(stage, 'bundle.mcpb');
      const unpacked = path.join(stage, 'files');
      const size = await fetchBundle(wanted, archive, fetching);
      await mkdir(unpacked, { mode: 0o700 });
      const files = await unpackBundle(archive, unpacked, fetching.signal);
      await rm(archive);
      const manifest = readManifest(await manifestText(path.join(unpacked, 'manifest.json')));
      const name = bundleFolderName(wanted);
      const folder = this.folderOf(name);
      const keep = async (settings: readonly string[]): Promise<void> => {
        await this.#uses.taking(name, settings, () => moveTo(unpacked, folder));
        await discard();
      };
      return { manifest, folder, files, size, keep, discard };
    } catch (error) {
      await discard();
      throw error;
    }
  }

  /** What windows that ended in between have left behind. */
  async #removeOldStages(): Promise<void> {
    const names = (await readdir(this.#root)).filter((name) => name.startsWith(stagePrefix));
    for (const name of names) {
      const stage = path.join(this.#root, name);
      const age = await stat(stage).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => 0,
      );
      if (age > maxStageAgeMs) {
        await rm(stage, { recursive: true, force: true });
      }
    }
  }
}

async function manifestText(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size <= maxManifestBytes) {
      return await readFile(file, 'utf8');
    }
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) {
      throw error;
    }
  }
  throw registryError('registry.badManifest', { place: 'manifest.json' });
}

/** A folder of the same name was made of the same bytes. */
async function moveTo(unpacked: string, folder: string): Promise<void> {
  try {
    await rename(unpacked, folder);
  } catch (error) {
    const isThere = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isThere) {
      throw error;
    }
  }
}
