import { createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { isAppError, messageOf } from '../../base/errors.ts';
import { registryError } from '../registryErrors.ts';
import { ArchiveNames } from './archiveNames.ts';

/** How much an archive may hold: entries, bytes, and bytes for each byte of the archive itself. */
export interface UnpackLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
  readonly maxRatio: number;
  /** Up to here the ratio does not count: a small archive of plain text may shrink much. */
  readonly maxFreeBytes: number;
}

const megabyte = 1024 * 1024;
const unpackLimits: UnpackLimits = { maxEntries: 50_000, maxBytes: 1024 * megabyte, maxRatio: 40, maxFreeBytes: 32 * megabyte };

const kindBits = 0o170_000;
const plainFile = 0o100_000;
const folderKind = 0o040_000;

/**
 * Unpacks a bundle into an empty folder, which the caller removes if this throws. All entries are looked at before the first byte is
 * written, and the bytes are counted as they come. Returns the paths of the files within the bundle, with slashes.
 */
export async function unpackBundle(
  archive: string,
  folder: string,
  signal: AbortSignal,
  limits: UnpackLimits = unpackLimits,
): Promise<ReadonlySet<string>> {
  const { size } = await stat(archive);
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(archive, { autoClose: false, lazyEntries: true, strictFileNames: true, validateEntrySizes: true });
    const entries = await checkedEntries(zip, size, limits);
    const made = new Set<string>();
    for (const { entry, segments } of entries) {
      signal.throwIfAborted();
      await unpackEntry(zip, entry, path.join(folder, ...segments), made, signal);
    }
    return new Set(entries.filter(({ isFolder }) => !isFolder).map(({ segments }) => segments.join('/')));
  } catch (error) {
    if (signal.aborted || isAppError(error)) {
      throw error;
    }
    throw registryError('registry.brokenBundle', { reason: messageOf(error) }, { cause: error });
  } finally {
    zip?.close();
  }
}

interface CheckedEntry {
  readonly entry: Entry;
  readonly segments: readonly string[];
  readonly isFolder: boolean;
}

async function checkedEntries(zip: ZipFile, size: number, limits: UnpackLimits): Promise<readonly CheckedEntry[]> {
  const { maxEntries, maxBytes, maxRatio, maxFreeBytes } = limits;
  const names = new ArchiveNames();
  const entries: CheckedEntry[] = [];
  const most = Math.min(maxBytes, Math.max(maxFreeBytes, size * maxRatio));
  let total = 0;
  if (zip.entryCount > maxEntries) {
    throw registryError('registry.bundleBomb');
  }
  for await (const entry of zip.eachEntry()) {
    const segments = names.take(entry.fileName);
    const isFolder = entry.fileName.endsWith('/');
    checkKind(entry, isFolder);
    total += entry.uncompressedSize;
    // What an entry says of its size is held to while it is unpacked.
    if (total > most || entries.length >= maxEntries) {
      throw registryError('registry.bundleBomb');
    }
    entries.push({ entry, segments, isFolder });
  }
  return entries;
}

function modeOf({ externalFileAttributes }: Entry): number {
  return externalFileAttributes >>> 16;
}

function checkKind(entry: Entry, isFolder: boolean): void {
  const kind = modeOf(entry) & kindBits;
  const name = entry.fileName.slice(0, 200);
  if (kind !== 0 && kind !== (isFolder ? folderKind : plainFile)) {
    throw registryError('registry.bundleLink', { name });
  }
  if (entry.isEncrypted() || ![0, 8].includes(entry.compressionMethod) || (isFolder && entry.uncompressedSize !== 0)) {
    throw registryError('registry.brokenBundle', { reason: name });
  }
}

async function unpackEntry(zip: ZipFile, entry: Entry, target: string, made: Set<string>, signal: AbortSignal): Promise<void> {
  const isFolder = entry.fileName.endsWith('/');
  const parent = isFolder ? target : path.dirname(target);
  if (!made.has(parent)) {
    await mkdir(parent, { recursive: true, mode: 0o700 });
    made.add(parent);
  }
  if (!isFolder) {
    // Nobody else's rights, and none that the archive invents; whether it is a program is all that counts.
    const mode = (modeOf(entry) & 0o111) === 0 ? 0o600 : 0o700;
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target, { flags: 'wx', mode }), { signal });
  }
}
