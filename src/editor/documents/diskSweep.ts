import { type Dirent, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import * as path from 'node:path';
import { Slices } from '../../base/slices.ts';

/** How long, in ms, a change of the disk is recent. By then VS Code has seen it, or never will. */
export const recentMs = 10_000;

/** The longest, in ms, that one look may take. What it did not come to by then is left to VS Code's watchers. */
const maxMs = 60;
/** The longest, in ms, that the first look may take, which has to read every folder. */
const maxFirstMs = 400;

/** The most folders of one look. */
const maxFolders = 5_000;

/** The most names that are remembered to have come or gone: of a folder that went with more in it, VS Code tells as one. */
const maxMoved = 10_000;

/** A folder whose time is this near, in ms, to when it was read may have changed again without another time. */
const unsureMs = 100;

/** Times that lie further ahead than this, in ms, come from another clock and say nothing. */
const aheadMs = 1_000;

/** Folders that are not looked into. VS Code does not follow most of what is in them either. */
const skipped = /^(?:node_modules$|\.)/;

/** What language services read. Logs and the like may change all the time, and mean nothing to them. */
const source =
  /\.(?:[cm]?[jt]sx?|json|vue|svelte|css|scss|less|html?|py|go|rs|java|kt|cs|c|cc|cpp|h|hpp|php|rb|swift|ini|ya?ml|xml|md|sh|sql)$/i;

export function isSource(name: string): boolean {
  return source.test(name);
}

/** A file or a folder that was changed, made or removed lately. */
export interface DiskChange {
  readonly path: string;
  readonly kind: 'changed' | 'gone';
  readonly isFolder: boolean;
  /** A time, in ms since 1970, at which it had not happened yet or just had: whatever is told of the file later tells of this. */
  readonly at: number;
}

interface Listing {
  readonly mtimeMs: number;
  readonly readAt: number;
  /** When the names were last known to be these. */
  seenAt: number;
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

/**
 * Looks at the files of the workspace for what changed on the disk within the last seconds: VS Code hears of it only a while
 * later. A look costs a `stat` for each file with source text and each folder; no file is read, and a folder only when it changed.
 */
export class DiskSweep {
  readonly #listings = new Map<string, Listing>();
  /** The names that came or went, which no time of a file tells of. */
  readonly #moved = new Map<string, DiskChange & { readonly noticedAt: number }>();

  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** The recent changes below these folders. Looks in `near` first, because there may be more than one look can see. */
  async look(roots: readonly string[], near?: string): Promise<readonly DiskChange[]> {
    const slices = new Slices();
    const until = performance.now() + (this.#listings.size === 0 ? maxFirstMs : maxMs);
    const found: DiskChange[] = [];
    const visited = new Set<string>();
    const present = new Set<string>();
    const waiting = [...(near !== undefined && roots.some((root) => isWithin(near, root)) ? [near] : []), ...roots];
    while (waiting.length > 0 && visited.size < maxFolders && performance.now() < until) {
      const folder = waiting.shift() ?? '';
      if (!visited.has(folder)) {
        visited.add(folder);
        const listing = await this.#list(folder);
        if (listing !== undefined) {
          present.add(folder);
        }
        for (const name of listing?.files ?? []) {
          found.push(...recentChangeOf(path.join(folder, name), this.#now()));
          await slices.pauseIfUsedUp();
        }
        waiting.push(...[...(listing?.folders ?? [])].map((name) => path.join(folder, name)));
      }
    }
    if (waiting.length === 0) {
      [...this.#listings.keys()].filter((folder) => !present.has(folder)).forEach((folder) => this.#listings.delete(folder));
    }
    return [...found, ...this.#movedLately()];
  }

  async #list(folder: string): Promise<Listing | undefined> {
    const now = this.#now();
    const known = this.#listings.get(folder);
    const mtimeMs = statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
    if (known !== undefined && known.mtimeMs === mtimeMs && known.readAt - mtimeMs > unsureMs) {
      known.seenAt = now;
      return known;
    }
    const entries = mtimeMs === undefined ? undefined : await readdir(folder, { withFileTypes: true }).catch(() => undefined);
    if (mtimeMs === undefined || entries === undefined) {
      return undefined; // the names that were in it stay known until the folder above was looked at
    }
    const listing = { mtimeMs, readAt: now, seenAt: now, ...sourcesIn(entries) };
    this.#listings.set(folder, listing);
    if (known !== undefined) {
      this.#compare(folder, known, listing);
    }
    return listing;
  }

  #compare(folder: string, before: Listing, after: Listing): void {
    const isFolderGone = [...before.folders].some((name) => !after.folders.has(name));
    const withSources = isFolderGone ? this.#foldersWithSources() : undefined;
    const notice = (place: string, kind: DiskChange['kind'], isFolder: boolean, at = before.seenAt): void => {
      if (!isFolder || kind === 'changed' || withSources?.has(place)) {
        this.#moved.set(place, { path: place, kind, isFolder, at, noticedAt: after.readAt });
      }
    };
    const without = (names: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> =>
      new Set([...names].filter((name) => !others.has(name)));
    const [gone, come] = [without(before.folders, after.folders), without(after.folders, before.folders)];
    without(before.files, after.files).forEach((name) => notice(path.join(folder, name), 'gone', false));
    for (const place of placesIn(gone, folder, this.#listings)) {
      const listing = this.#listings.get(place);
      listing?.files.forEach((name) => notice(path.join(place, name), 'gone', false, listing.seenAt));
    }
    gone.forEach((name) => notice(path.join(folder, name), 'gone', true));
    placesIn(come, folder, this.#moved).forEach((place) => this.#moved.delete(place));
    without(after.files, before.files).forEach((name) => notice(path.join(folder, name), 'changed', false));
    come.forEach((name) => notice(path.join(folder, name), 'changed', true));
  }

  #movedLately(): DiskChange[] {
    const since = this.#now() - recentMs;
    for (const [place, { noticedAt }] of this.#moved) {
      if (noticedAt < since || this.#moved.size > maxMoved) {
        this.#moved.delete(place);
      }
    }
    const moved = [...this.#moved.values()];
    const withSources = moved.some(({ isFolder }) => isFolder) ? this.#foldersWithSources() : undefined;
    return moved
      .filter(({ path: place, kind, isFolder }) => !isFolder || kind === 'gone' || withSources?.has(place))
      .map(({ path: place, kind, isFolder, at }) => ({ path: place, kind, isFolder, at }));
  }

  /** The folders with sources in them or below. Programs make and remove others all the time, which mean nothing to services. */
  #foldersWithSources(): ReadonlySet<string> {
    const folders = new Set<string>();
    for (const [place, { files }] of this.#listings) {
      for (let each = place; files.size > 0 && !folders.has(each); each = path.dirname(each)) {
        folders.add(each);
      }
    }
    return folders;
  }
}

function sourcesIn(entries: readonly Dirent[]): Pick<Listing, 'files' | 'folders'> {
  const isFolder = (entry: Dirent): boolean => entry.isDirectory() && !skipped.test(entry.name);
  const isFile = (entry: Dirent): boolean => (entry.isFile() || entry.isSymbolicLink()) && isSource(entry.name);
  return {
    files: new Set(entries.filter(isFile).map(({ name }) => name)),
    folders: new Set(entries.filter(isFolder).map(({ name }) => name)),
  };
}

/** The change of a file, if it is recent. The time of its text can be set to anything, that of its state cannot. */
export function recentChangeOf(file: string, now = Date.now()): DiskChange[] {
  const at = statSync(file, { throwIfNoEntry: false })?.ctimeMs;
  return at !== undefined && at > now - recentMs && at < now + aheadMs ? [{ path: file, kind: 'changed', isFolder: false, at }] : [];
}

/** Those places that are at or below one of these entries of a folder; thousands of entries may come or go at once. */
function placesIn(names: ReadonlySet<string>, folder: string, places: ReadonlyMap<string, unknown>): string[] {
  const entryOf = (place: string): string => path.relative(folder, place).split(path.sep, 1)[0] ?? '';
  return names.size === 0 ? [] : [...places.keys()].filter((place) => isWithin(place, folder) && names.has(entryOf(place)));
}

function isWithin(place: string, folder: string): boolean {
  return place === folder || place.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}
