import type { Dirent } from 'node:fs';
import { lstat, opendir, realpath, stat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as vscode from 'vscode';
import { hasCode } from '../../base/errors.ts';
import { folderPrefixes, pathNotFound } from '../../platform/paths/clientPath.ts';
import type { DirectoryEntry, DirectoryPage, DirectoryQuery } from '../../server/seen/ports/workspacePort.ts';
import { fromClientPath, toClientPath } from '../shared/clientPlaces.ts';
import { editorError } from '../shared/editorErrors.ts';
import { isIgnored, type Rules, rulesFor, withOwnRules } from './search/folderWalk.ts';
import { hiddenFolders, type SearchRoot } from './search/searchEngine.ts';
import { searchRoots } from './searchRoots.ts';

/** The longest, in ms, that a listing may take; then the answer is what was found so far. */
const maxMs = 5_000;
/** The longest slice of work, in ms, before other work gets a turn: whether an entry is shown is looked up on disk. */
const sliceMs = 20;

/** A folder that is yet to be listed. */
interface OpenFolder {
  readonly uri: vscode.Uri;
  readonly root: SearchRoot;
  /** The path of the folder within the root. */
  readonly relative: string;
  readonly rules: readonly Rules[];
}

/** Lists what is in a folder, level by level, so that a limit cuts off the deepest entries. */
export async function directoryPage(query: DirectoryQuery, signal: AbortSignal): Promise<DirectoryPage> {
  const listing = new Listing(query, signal);
  const [first, ...others] = vscode.workspace.workspaceFolders ?? [];
  const only = others.length === 0 ? first?.uri : undefined;
  const uri = query.path === undefined ? only : fromClientPath(query.path);
  return uri === undefined ? listing.ofWorkspace() : listing.of(uri, query.path ?? '');
}

class Listing {
  readonly #query: DirectoryQuery;
  readonly #isShown: (path: string) => boolean;
  readonly #signal: AbortSignal;
  readonly #deadline = performance.now() + maxMs;
  readonly #entries: DirectoryEntry[] = [];
  readonly #closed: string[] = [];
  readonly #unread: string[] = [];
  #hasMore = false;
  #sliceBegan = performance.now();

  constructor(query: DirectoryQuery, signal: AbortSignal) {
    this.#query = query;
    this.#isShown = query.isShown ?? ((): boolean => true);
    this.#signal = signal;
  }

  async of(uri: vscode.Uri, path: string): Promise<DirectoryPage> {
    const folder = await openFolder(uri);
    const { items, isWhole } = await readFolder(uri, path, this.#isShown);
    this.#hasMore ||= !isWhole;
    await this.#walk(await this.#take(folder, items, 1), 2);
    return this.#page();
  }

  async ofWorkspace(): Promise<DirectoryPage> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const names = folderPrefixes(folders).map((prefix) => prefix.slice(0, -1));
    this.#entries.push(...names.map((path): DirectoryEntry => ({ path, kind: 'directory' })));
    await this.#walk(await Promise.all(this.#query.depth === 1 ? [] : folders.map(({ uri }) => openFolder(uri))), 2);
    return this.#page();
  }

  async #walk(folders: readonly OpenFolder[], depth: number): Promise<void> {
    const next: OpenFolder[] = [];
    for (const folder of folders) {
      if (this.#isOver()) {
        this.#hasMore = true;
        return;
      }
      const rules = folder.relative === '' ? folder.rules : await withOwnRules(folder.root, folder.relative, folder.rules);
      const path = toClientPath(folder.uri);
      // The folder is gone meanwhile, or may not be read: it is listed as unread, so that nobody takes it for empty.
      const read = await readFolder(folder.uri, path, this.#isShown).catch(() => void this.#unread.push(path));
      this.#hasMore ||= read !== undefined && !read.isWhole;
      next.push(...(await this.#take({ ...folder, rules }, read?.items ?? [], depth)));
    }
    if (next.length > 0) {
      await this.#walk(next, depth + 1);
    }
  }

  /** Adds what is in one folder; returns the folders in it that are to be listed, too. */
  async #take(folder: OpenFolder, items: readonly FolderItem[], depth: number): Promise<OpenFolder[]> {
    const inner: OpenFolder[] = [];
    const shown: { readonly entry: DirectoryEntry; readonly uri: vscode.Uri }[] = [];
    for (const { name, kind } of items) {
      await this.#pause();
      const uri = vscode.Uri.joinPath(folder.uri, name);
      const path = toClientPath(uri);
      if (!this.#isShown(path)) {
        continue;
      }
      if (this.#entries.length + shown.length >= this.#query.limit || performance.now() > this.#deadline) {
        this.#hasMore = true;
        break;
      }
      shown.push({ entry: { path, kind }, uri });
      if (kind === 'directory' && depth < this.#query.depth) {
        const relative = folder.relative === '' ? name : `${folder.relative}/${name}`;
        if (hiddenFolders.includes(name) || isIgnored(relative, true, folder.rules)) {
          this.#closed.push(path);
        } else {
          inner.push({ ...folder, uri, relative });
        }
      }
    }
    const measure = async ({ entry, uri }: (typeof shown)[number]): Promise<DirectoryEntry> => {
      const size = entry.kind === 'file' ? await sizeOf(uri) : undefined;
      return size === undefined ? entry : { ...entry, size };
    };
    this.#entries.push(...(await Promise.all(shown.map(measure))));
    return inner;
  }

  #isOver(): boolean {
    this.#signal.throwIfAborted();
    return this.#entries.length >= this.#query.limit || performance.now() > this.#deadline;
  }

  async #pause(): Promise<void> {
    if (performance.now() - this.#sliceBegan > sliceMs) {
      await nextTurn();
      this.#signal.throwIfAborted();
      this.#sliceBegan = performance.now();
    }
  }

  #page(): DirectoryPage {
    return { entries: this.#entries, hasMore: this.#hasMore, closed: this.#closed, unread: this.#unread };
  }
}

async function openFolder(uri: vscode.Uri): Promise<OpenFolder> {
  const path = toClientPath(uri).replace(/\/$/, '');
  const roots = searchRoots();
  const root = roots.find(({ prefix }) => prefix === '' || `${path}/`.startsWith(prefix)) ?? roots[0];
  if (root === undefined) {
    throw pathNotFound(path);
  }
  const relative = `${path}/`.slice(root.prefix.length).replace(/\/$/, '');
  return { uri, root, relative, rules: await rulesFor(root, relative) };
}

/** The most entries of a folder; of one with more, these are the first ones as the disk gives them. */
const maxItems = 20_000;

interface FolderItem {
  readonly name: string;
  readonly kind: DirectoryEntry['kind'];
}

export interface FolderItems {
  /** The entries, sorted by name. */
  readonly items: readonly FolderItem[];
  readonly isWhole: boolean;
}

/** Reads what is in one folder. `path` is how a client called it. */
async function readFolder(uri: vscode.Uri, path: string, isShown: (path: string) => boolean): Promise<FolderItems> {
  const { items, isWhole } = uri.scheme === 'file' ? await readFromDisk(uri, path, isShown) : await readFromProvider(uri, path);
  return { items: items.sort((a, b) => (a.name < b.name ? -1 : 1)), isWhole };
}

interface ReadItems {
  readonly items: FolderItem[];
  readonly isWhole: boolean;
}

/**
 * Reads a folder on disk. Whether it may be shown is decided by where it really is, before and after reading: a link may be moved
 * meanwhile.
 */
async function readFromDisk(uri: vscode.Uri, path: string, isShown: (path: string) => boolean): Promise<ReadItems> {
  try {
    const real = await realpath(uri.fsPath);
    const found = await stat(real);
    if (found.isFile()) {
      throw editorError('editor.isFile', { path });
    }
    if (!found.isDirectory() || !isShown(real)) {
      throw pathNotFound(path);
    }
    const read = await readEntries(real);
    if ((await realpath(uri.fsPath)) !== real) {
      throw pathNotFound(path);
    }
    return read;
  } catch (error) {
    throw ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM', 'ENAMETOOLONG', 'EINVAL'].some((code) => hasCode(error, code))
      ? pathNotFound(path)
      : error;
  }
}

async function readEntries(folder: string): Promise<ReadItems> {
  const items: FolderItem[] = [];
  for await (const entry of await opendir(folder, { bufferSize: 256 })) {
    const kind = kindOf(entry);
    if (items.length === maxItems) {
      return { items, isWhole: false };
    }
    if (kind !== undefined) {
      items.push({ name: entry.name, kind });
    }
  }
  return { items, isWhole: true };
}

function kindOf(entry: Dirent): FolderItem['kind'] | undefined {
  return entry.isDirectory() ? 'directory' : entry.isFile() ? 'file' : entry.isSymbolicLink() ? 'symlink' : undefined;
}

async function readFromProvider(uri: vscode.Uri, path: string): Promise<ReadItems> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.Directory) === 0) {
      throw editorError('editor.isFile', { path });
    }
    const entries = await vscode.workspace.fs.readDirectory(uri);
    const items = entries.slice(0, maxItems).map(([name, kind]): FolderItem => ({ name, kind: providerKind(kind) }));
    return { items, isWhole: entries.length <= maxItems };
  } catch (error) {
    throw error instanceof vscode.FileSystemError ? pathNotFound(path) : error;
  }
}

function providerKind(type: vscode.FileType): FolderItem['kind'] {
  if ((type & vscode.FileType.SymbolicLink) !== 0) {
    return 'symlink';
  }
  return (type & vscode.FileType.Directory) === 0 ? 'file' : 'directory';
}

/** The size of a file; `undefined` for one that is gone by now. */
async function sizeOf(uri: vscode.Uri): Promise<number | undefined> {
  try {
    return (uri.scheme === 'file' ? await lstat(uri.fsPath) : await vscode.workspace.fs.stat(uri)).size;
  } catch {
    return undefined;
  }
}
