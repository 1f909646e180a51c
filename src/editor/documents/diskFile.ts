import { type BigIntStats, statSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import * as vscode from 'vscode';
import { hasCode } from '../../base/errors.ts';
import { openInPlace } from '../../platform/files/openInPlace.ts';
import { pathNotFound } from '../../platform/paths/clientPath.ts';
import { isReadAsUtf8 } from '../settingsReader.ts';
import { editorError } from '../shared/editorErrors.ts';
import { decode, type EncodingChoice, isReadWithLoss } from './encodings.ts';
import { decodeUtf8 } from './fileBytes.ts';

/** The most bytes of a file that is read; a larger one is refused. */
const maxBytes = 20 * 1024 * 1024;

export interface FileText {
  readonly text: string;
  readonly realPath?: string | undefined;
  /** The file is in another encoding than it was read in, so that some characters could not be read. */
  readonly isLossy?: true;
}

/**
 * Reads the text of a file as it is on disk. Without an encoding, which an open document has, it is read in the one that VS Code
 * would take.
 */
export async function readFileText(uri: vscode.Uri, path: string, signal: AbortSignal, encoding?: string): Promise<FileText> {
  const file = await readFileBytes(uri, path, signal);
  signal.throwIfAborted();
  const choice = encoding === undefined ? { uri } : { encoding };
  const text = await decodeFile(file.bytes, choice, path);
  const isLossy = await isReadWithLoss(choice, file.bytes, text);
  return { text, realPath: file.realPath, ...(isLossy && { isLossy }) };
}

export async function decodeFile(bytes: Uint8Array, choice: EncodingChoice, path: string): Promise<string> {
  const isUtf8 = 'uri' in choice ? isReadAsUtf8(choice.uri) : choice.encoding === 'utf8';
  const plain = isUtf8 ? await decodeUtf8(bytes) : undefined;
  if (plain !== undefined) {
    return plain;
  }
  try {
    return await decode(bytes, choice);
  } catch {
    throw editorError('editor.binary', { path });
  }
}

/** Reads the bytes of a file as they are on disk. */
export function readFileBytes(uri: vscode.Uri, path: string, signal: AbortSignal): Promise<FileBytes> {
  return uri.scheme === 'file' ? readFromDisk(uri, path, signal) : readFromProvider(uri, path);
}

interface FileBytes {
  readonly bytes: Uint8Array;
  readonly realPath?: string | undefined;
}

/** A file of this machine that is open, and where that led. */
export interface OpenedFile {
  readonly handle: FileHandle;
  readonly realPath: string;
  readonly size: number;
  /** A text for the file as it is: another one after every change of it, and for another file. */
  readonly state: string;
}

async function readFromDisk(uri: vscode.Uri, path: string, signal: AbortSignal): Promise<FileBytes> {
  return withOpened(uri, path, async (file) => ({ bytes: await bytesOf(file, path, signal), realPath: file.realPath }));
}

export async function bytesOf({ handle, size }: OpenedFile, path: string, signal: AbortSignal): Promise<Uint8Array> {
  refuseLarge(size, path);
  const bytes = await handle.readFile({ signal });
  refuseLarge(bytes.length, path);
  return bytes;
}

/** Opens the file first and then asks where that led, so that a link which is moved in between changes nothing. */
export async function withOpened<T>({ fsPath }: vscode.Uri, path: string, use: (file: OpenedFile) => Promise<T>): Promise<T> {
  let handle: FileHandle | undefined;
  try {
    const opened = await openInPlace(fsPath);
    if (opened === undefined) {
      throw editorError('editor.behindDisk', { path });
    }
    const { stats, realPath } = opened;
    handle = opened.handle;
    if (stats.isDirectory()) {
      throw editorError('editor.isFolder', { path });
    }
    if (!stats.isFile()) {
      throw pathNotFound(path);
    }
    return await use({ handle, realPath, size: Number(stats.size), state: realPath + stateOf(stats) });
  } catch (error) {
    if (hasCode(error, 'EISDIR')) {
      throw editorError('editor.isFolder', { path });
    }
    throw isMissing(error) ? pathNotFound(path) : error;
  } finally {
    await handle?.close();
  }
}

/** Makes a text that is another one for every file, and after every change of a file. */
function stateOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return ['', dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

/** The state of what is on disk under a name now, as `OpenedFile` has it, but without where that is. */
export function stateOnDisk({ fsPath }: vscode.Uri): string {
  const stats = statSync(fsPath, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? ' gone' : stateOf(stats);
}

async function readFromProvider(uri: vscode.Uri, path: string): Promise<FileBytes> {
  try {
    const { size, type } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0) {
      throw (type & vscode.FileType.Directory) === 0 ? pathNotFound(path) : editorError('editor.isFolder', { path });
    }
    refuseLarge(size, path);
    const bytes = await vscode.workspace.fs.readFile(uri);
    refuseLarge(bytes.length, path);
    return { bytes };
  } catch (error) {
    throw error instanceof vscode.FileSystemError ? pathNotFound(path) : error;
  }
}

function refuseLarge(size: number, path: string): void {
  if (size > maxBytes) {
    throw editorError('editor.tooLarge', { path, limit: maxBytes / 1024 / 1024 });
  }
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM', 'ENXIO', 'ENAMETOOLONG', 'EINVAL'].some((code) => hasCode(error, code));
}
