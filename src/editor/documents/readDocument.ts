import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { DocumentText } from '../../server/seen/ports/documentsPort.ts';
import { pathNotFound } from '../../base/pathNotFound.ts';
import { fromClientPath, toClientPath } from '../shared/clientUris.ts';
import { wasReadWithLoss } from './encodings.ts';
import { readFileText } from './fileText.ts';
import { notebookFileName, notebookLanguage, readNotebookFile } from './notebookFile.ts';
import { notebookText, notebookWithOutputs } from './notebookText.ts';
import type { TextVersions } from './versions.ts';
import { findNotebook, findTextDocument, isOpen } from '../shared/openDocuments.ts';

/** What is open comes from the editor's memory, with unsaved changes; anything else from its file. */
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

/** A guess for files that are not open: the editor itself finds the language only when it opens them. */
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
