import { constants } from 'node:fs';
import { open, realpath, stat, type FileHandle } from 'node:fs/promises';
import * as vscode from 'vscode';
import { hasCode } from '../../base/errors.ts';
import { pathNotFound } from '../../base/pathNotFound.ts';
import { editorError } from '../shared/editorErrors.ts';
import { isReadAsUtf8 } from '../settingsReader.ts';
import { isReadWithLoss } from './encodings.ts';
import { decodeUtf8 } from './utf8.ts';

const maxBytes = 20 * 1024 * 1024;

/** Should it be a pipe, nobody waits for its writer. Windows has neither. */
const withoutWaiting = process.platform === 'win32' ? 0 : constants.O_NONBLOCK;

export interface FileText {
  readonly text: string;
  readonly realPath?: string | undefined;
  /** Set when the file is in another encoding, so that some characters could not be read. */
  readonly isLossy?: true;
}

/** The text of a document that is not open, in the encoding the editor would take. */
export async function readFileText(uri: vscode.Uri, path: string, signal: AbortSignal): Promise<FileText> {
  const file = await readFileBytes(uri, path, signal);
  signal.throwIfAborted();
  const text = await decode(file.bytes, uri, path);
  const isLossy = await isReadWithLoss(uri, file.bytes, text);
  return { text, realPath: file.realPath, ...(isLossy && { isLossy }) };
}

async function decode(bytes: Uint8Array, uri: vscode.Uri, path: string): Promise<string> {
  const plain = isReadAsUtf8(uri) ? await decodeUtf8(bytes) : undefined;
  if (plain !== undefined) {
    return plain;
  }
  try {
    return await vscode.workspace.decode(bytes, { uri });
  } catch {
    throw editorError('editor.binary', { path });
  }
}

/** As they are on disk: nothing else shows an image. */
export function readFileBytes(uri: vscode.Uri, path: string, signal: AbortSignal): Promise<FileBytes> {
  return uri.scheme === 'file' ? readFromDisk(uri, path, signal) : readFromProvider(uri, path);
}

interface FileBytes {
  readonly bytes: Uint8Array;
  readonly realPath?: string | undefined;
}

/** Opens first and asks then where that led: a link that is moved in between changes nothing any more. */
async function readFromDisk(uri: vscode.Uri, path: string, signal: AbortSignal): Promise<FileBytes> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(uri.fsPath, constants.O_RDONLY | withoutWaiting);
    const opened = await handle.stat();
    const realPath = await realpath(uri.fsPath);
    const found = await stat(realPath);
    if (opened.isDirectory() && found.isDirectory()) {
      throw editorError('editor.isFolder', { path });
    }
    if (!opened.isFile() || found.ino !== opened.ino || found.dev !== opened.dev) {
      throw pathNotFound(path);
    }
    refuseLarge(opened.size, path);
    const bytes = await handle.readFile({ signal });
    refuseLarge(bytes.length, path);
    return { bytes, realPath };
  } catch (error) {
    if (hasCode(error, 'EISDIR')) {
      throw editorError('editor.isFolder', { path });
    }
    throw isMissing(error) ? pathNotFound(path) : error;
  } finally {
    await handle?.close();
  }
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
