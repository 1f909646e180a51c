import { Buffer } from 'node:buffer';
import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { pictureType } from '../../base/pictures.ts';
import { pathNotFound } from '../../platform/paths/clientPath.ts';
import type { DocumentText, ImageFile } from '../../server/seen/ports/documentsPort.ts';
import { fromClientPath, toClientPath } from '../shared/clientPlaces.ts';
import { editorError } from '../shared/editorErrors.ts';
import { findNotebook, findTextDocument, isOpen } from '../shared/openDocuments.ts';
import { readFileBytes, readFileText } from './diskFile.ts';
import { wasReadWithLoss } from './encodings.ts';
import { type CellText, cellTexts, notebookFileName, notebookLanguage, type OutputItem, readNotebookFile } from './notebookFile.ts';
import { diskStateOf } from './savedTexts.ts';
import type { TextVersions } from './versions.ts';

/**
 * Reads a document. Unsaved text comes from VS Code's memory, anything else from the file: what VS Code has in its memory may be
 * older, or of another file, if a folder was a link when VS Code read it.
 */
export async function readDocument(path: string, versions: TextVersions, signal: AbortSignal): Promise<DocumentText> {
  const uri = fromClientPath(path);
  const name = uri.toString();
  const common = { path: toClientPath(uri), uri: name };
  const notebook = findNotebook(name);
  if (notebook !== undefined && !(isSavedFile(notebook) && notebookFileName.test(uri.path))) {
    const { notebookType, isDirty } = notebook;
    const version = versions.ofText(notebookText(notebook));
    return { ...common, text: notebookWithOutputs(notebook), languageId: notebookType, version, isDirty, ...(await behindDisk(notebook)) };
  }
  const document = findTextDocument(name);
  if (document !== undefined && !isSavedFile(document)) {
    const { languageId, isDirty } = document;
    const isLossy = await wasReadWithLoss(document);
    return {
      ...common,
      text: document.getText(),
      languageId,
      version: versions.ofDocument(document),
      isDirty,
      ...(isLossy && { isLossy }),
      ...(await behindDisk(document)),
    };
  }
  const file = await readFileText(uri, path, signal, document?.encoding);
  const cells = notebookFileName.test(uri.path) ? readNotebookFile(file.text) : undefined;
  if (cells !== undefined) {
    const version = await versions.ofLongText(cells.sources);
    return { ...common, ...file, text: cells.shown, languageId: notebook?.notebookType ?? notebookLanguage, version, isDirty: false };
  }
  const languageId = document?.languageId ?? languageOf(uri);
  return { ...common, ...file, languageId, version: await versions.ofLongText(file.text), isDirty: false };
}

/** Says so where the file of an unsaved document is another one on disk by now. */
async function behindDisk(document: vscode.TextDocument | vscode.NotebookDocument): Promise<Pick<DocumentText, 'onDisk'>> {
  const state = document.isDirty ? await diskStateOf(document) : 'same';
  return state === 'changed' || state === 'gone' ? { onDisk: state } : {};
}

/** Whether the disk has all that is known of the document. */
function isSavedFile({ uri, isDirty }: vscode.TextDocument | vscode.NotebookDocument): boolean {
  return uri.scheme === 'file' && !isDirty;
}

export async function checkDocument(path: string): Promise<void> {
  const uri = fromClientPath(path);
  const isHere = uri.scheme === 'file' ? isUnsaved(uri) : isOpen(uri);
  if (!isHere && !(await isFile(uri))) {
    throw pathNotFound(path);
  }
}

function isUnsaved(uri: vscode.Uri): boolean {
  const name = uri.toString();
  return (findTextDocument(name) ?? findNotebook(name))?.isDirty === true;
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

/** The size, in MiB, of the largest picture that is read. */
const maxMebibytes = 4;

export async function readImage(path: string, versions: TextVersions, signal: AbortSignal): Promise<ImageFile | undefined> {
  const uri = fromClientPath(path);
  const { bytes, realPath } = await readFileBytes(uri, path, signal);
  const mimeType = pictureType(bytes);
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

/** The text of a notebook together with the outputs of its cells. */
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
