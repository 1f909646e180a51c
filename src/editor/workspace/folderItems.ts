import type { Dirent } from 'node:fs';
import { lstat, opendir, realpath, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { hasCode } from '../../base/errors.ts';
import { pathNotFound } from '../../base/pathNotFound.ts';
import type { DirectoryEntry } from '../../server/seen/ports/workspacePort.ts';
import { editorError } from '../shared/editorErrors.ts';

/** Of a folder with more, the first ones as the disk gives them. */
const maxItems = 20_000;

export interface FolderItem {
  readonly name: string;
  readonly kind: DirectoryEntry['kind'];
}

export interface FolderItems {
  /** Sorted by name. */
  readonly items: readonly FolderItem[];
  readonly isWhole: boolean;
}

/** What is in one folder. `path`: how a client called it. */
export async function readFolder(uri: vscode.Uri, path: string, isShown: (path: string) => boolean): Promise<FolderItems> {
  const { items, isWhole } = uri.scheme === 'file' ? await readFromDisk(uri, path, isShown) : await readFromProvider(uri, path);
  return { items: items.sort((a, b) => (a.name < b.name ? -1 : 1)), isWhole };
}

interface ReadItems {
  readonly items: FolderItem[];
  readonly isWhole: boolean;
}

/** Judged by where it really is, before and after: a link may be moved meanwhile. */
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

/** `undefined` for what is gone by now. */
export async function sizeOf(uri: vscode.Uri): Promise<number | undefined> {
  try {
    return (uri.scheme === 'file' ? await lstat(uri.fsPath) : await vscode.workspace.fs.stat(uri)).size;
  } catch {
    return undefined;
  }
}
