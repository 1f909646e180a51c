import { Buffer } from 'node:buffer';
import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { hasCode } from '../../base/errors.ts';
import { pathNotFound } from '../../platform/paths/clientPath.ts';
import type { DocumentText, ImageFile } from '../../server/seen/ports/documentsPort.ts';
import { isReadAsUtf8 } from '../settingsReader.ts';
import { fromClientPath, toClientPath } from '../shared/clientPlaces.ts';
import { editorError } from '../shared/editorErrors.ts';
import { findNotebook, findTextDocument, isOpen } from '../shared/openDocuments.ts';
import { isReadWithLoss, wasReadWithLoss } from './encodings.ts';
import { decodeUtf8, imageType } from './fileBytes.ts';
import { type CellText, cellTexts, notebookFileName, notebookLanguage, type OutputItem, readNotebookFile } from './notebookFile.ts';
import type { TextVersions } from './versions.ts';

/** Reads a document. What is open comes from VS Code's memory, with unsaved changes; anything else from its file. */
export async function readDocument(path: string, versions: TextVersions, signal: AbortSignal): Promise<DocumentText> {
  const uri = fromClientPath(path);
  const name = uri.toString();
  const common = { path: toClientPath(uri), uri: name };
  const notebook = findNotebook(name);
  if (notebook !== undefined) {
    const { notebookType, isDirty } = notebook;
    const version = versions.ofText(notebookText(notebook));
    return { ...common, text: notebookWithOutputs(notebook), languageId: notebookType, version, isDirty };
  }
  const document = findTextDocument(name);
  if (document !== undefined) {
    const { languageId, isDirty } = document;
    const isLossy = await wasReadWithLoss(document);
    return {
      ...common,
      text: document.getText(),
      languageId,
      version: versions.ofDocument(document),
      isDirty,
      ...(isLossy && { isLossy }),
    };
  }
  const file = await readFileText(uri, path, signal);
  const closed = notebookFileName.test(uri.path) ? readNotebookFile(file.text) : undefined;
  if (closed !== undefined) {
    const version = await versions.ofLongText(closed.sources);
    return { ...common, ...file, text: closed.shown, languageId: notebookLanguage, version, isDirty: false };
  }
  return { ...common, ...file, languageId: languageOf(uri), version: await versions.ofLongText(file.text), isDirty: false };
}

export async function checkDocument(path: string): Promise<void> {
  const uri = fromClientPath(path);
  if (!isOpen(uri) && !(await isFile(uri))) {
    throw pathNotFound(path);
  }
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return uri.scheme === 'file'
      ? (await stat(uri.fsPath)).isFile()
      : ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}

/** A guess at the language of a file that is not open: VS Code itself finds it only when it opens the file. */
function languageOf(uri: vscode.Uri): string {
  const known: Readonly<Record<string, string>> = {
    css: 'css',
    htm: 'html',
    html: 'html',
    js: 'javascript',
    json: 'json',
    md: 'markdown',
    ts: 'typescript',
    xml: 'xml',
    yaml: 'yaml',
    yml: 'yaml',
  };
  return known[/\.([^./]+)$/.exec(uri.path)?.[1]?.toLowerCase() ?? ''] ?? 'plaintext';
}

const maxBytes = 20 * 1024 * 1024;

/** A flag with which opening a pipe does not wait for its writer. Windows has neither such pipes nor the flag. */
const withoutWaiting = process.platform === 'win32' ? 0 : constants.O_NONBLOCK;

export interface FileText {
  readonly text: string;
  readonly realPath?: string | undefined;
  /** The file is in another encoding than it was read in, so that some characters could not be read. */
  readonly isLossy?: true;
}

/** Reads the text of a document that is not open, in the encoding VS Code would take. */
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

/** Reads the bytes of a file as they are on disk. */
export function readFileBytes(uri: vscode.Uri, path: string, signal: AbortSignal): Promise<FileBytes> {
  return uri.scheme === 'file' ? readFromDisk(uri, path, signal) : readFromProvider(uri, path);
}

interface FileBytes {
  readonly bytes: Uint8Array;
  readonly realPath?: string | undefined;
}

/** Opens the file first and then asks where that led, so that a link which is moved in between changes nothing. */
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

const maxMebibytes = 4;

export async function readImage(path: string, versions: TextVersions, signal: AbortSignal): Promise<ImageFile | undefined> {
  const uri = fromClientPath(path);
  const { bytes, realPath } = await readFileBytes(uri, path, signal);
  const mimeType = imageType(bytes);
  if (mimeType === undefined) {
    return undefined;
  }
  if (bytes.length > maxMebibytes * 1024 * 1024) {
    throw editorError('editor.imageTooLarge', { path, limit: maxMebibytes });
  }
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return { path: toClientPath(uri), mimeType, size: bytes.length, base64, version: versions.ofBytes(bytes), realPath };
}

/**
 * The text of a notebook, with a marker line before each cell. Versions are made of it, because running a cell is no change of
 * the notebook.
 */
export function notebookText(notebook: vscode.NotebookDocument): string {
  return cellTexts(cellsOf(notebook), 'sources');
}

/** The same text with the outputs of the cells. */
function notebookWithOutputs(notebook: vscode.NotebookDocument): string {
  return cellTexts(cellsOf(notebook), 'outputs');
}

function cellsOf(notebook: vscode.NotebookDocument): CellText[] {
  return notebook.getCells().map(({ kind, document, outputs }) => ({
    kind: kind === vscode.NotebookCellKind.Markup ? 'markdown' : 'code',
    languageId: document.languageId,
    source: document.getText(),
    outputs: outputs.map(({ items }) => items.map(toItem)),
  }));
}

function toItem({ mime, data }: vscode.NotebookCellOutputItem): OutputItem {
  return { mime, size: data.byteLength, readText: () => new TextDecoder().decode(data) };
}
