import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { neverAborted } from '../../base/abort.ts';
import { systemClock } from '../../base/clock.ts';
import { hasCode } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { Slices } from '../../base/slices.ts';
import { toClientPath } from '../shared/clientPlaces.ts';
import { editorError } from '../shared/editorErrors.ts';
import { isSaved } from '../shared/saveDocument.ts';
import { decodeFile, readFileBytes } from './diskFile.ts';

type Document = vscode.TextDocument | vscode.NotebookDocument;

/** A longer text is not remembered: to hash it each time it is saved would hold everything up. */
const maxHashedLength = 1_000_000;
/** A larger notebook is not remembered, either. */
const maxNotebookBytes = 5_000_000;

/** How long, in ms, after a change it is not known whether the document is unsaved: VS Code tells of the new text first. */
const settleMs = 100;

/** Hashes of what VS Code last read or wrote of a file, while nothing in its document is unsaved. */
const saved = new WeakMap<Document, string | Promise<string | undefined>>();

/**
 * Follows what VS Code reads and writes, so that it can be told later whether somebody else changed the file of a document with
 * unsaved text: VS Code itself finds that out only when it saves.
 */
export function followSavedTexts(clock = systemClock): Disposable {
  const lifetime = new DisposableStore();
  const { workspace } = vscode;
  // A timer that is left when the window goes finds a document that is closed, or as it was.
  const soon = (remember: () => unknown): void => void clock.schedule(settleMs, remember);
  void rememberAll();
  workspace.notebookDocuments.forEach(rememberNotebook);
  lifetime.add(
    workspace.onDidOpenTextDocument((document) => {
      const { version } = document;
      rememberText(document);
      // Text that was unsaved when the window was closed is there again at once.
      soon(() => document.isDirty && document.version === version && saved.delete(document));
    }),
  );
  lifetime.add(workspace.onDidSaveTextDocument(rememberSaved));
  lifetime.add(workspace.onDidChangeTextDocument(({ document }) => document.isDirty || soon(() => rememberText(document))));
  lifetime.add(workspace.onDidOpenNotebookDocument(rememberNotebook));
  lifetime.add(workspace.onDidSaveNotebookDocument(rememberFile));
  lifetime.add(workspace.onDidChangeNotebookDocument(({ notebook }) => notebook.isDirty || soon(() => rememberNotebook(notebook))));
  return lifetime;
}

/** What became of the file of a document with unsaved text. `unknown`: nothing was remembered of it. */
export type DiskState = 'same' | 'changed' | 'gone' | 'unknown';

/** Compares the file of a document with what VS Code last read or wrote of it. */
export async function diskStateOf(document: Document): Promise<DiskState> {
  const known = await saved.get(document);
  if (known === undefined || document.uri.scheme !== 'file') {
    return 'unknown';
  }
  try {
    return (await hashOnDisk(document)) === known ? 'same' : 'changed';
  } catch (error) {
    return hasCode(error, 'editor.pathNotFound') ? 'gone' : 'unknown';
  }
}

/** Rejects when saving the document would write over what somebody else wrote into its file. */
export async function refuseConflict(document: Document): Promise<void> {
  if (document.isDirty && (await diskStateOf(document)) === 'changed') {
    throw editorError('editor.saveConflict', { path: toClientPath(document.uri) });
  }
}

/** Saves a document, or rejects with the reason. VS Code itself overlooks a change on disk that leaves the size of the file. */
export async function saveChecked(document: Document): Promise<void> {
  await refuseConflict(document);
  if (!(await isSaved(document))) {
    await refuseConflict(document);
    throw editorError('editor.notSaved', { path: toClientPath(document.uri) });
  }
}

/** Notes the text of a document that was saved. Where somebody typed meanwhile, it is not known which text the file has. */
function rememberSaved(document: vscode.TextDocument): void {
  saved.delete(document);
  rememberText(document);
}

async function rememberAll(): Promise<void> {
  const slices = new Slices();
  for (const document of vscode.workspace.textDocuments) {
    rememberText(document);
    await slices.pauseIfUsedUp();
  }
}

function rememberText(document: vscode.TextDocument): void {
  if (document.uri.scheme !== 'file' || document.isDirty || document.isClosed) {
    return;
  }
  const text = document.getText();
  if (text.length > maxHashedLength) {
    saved.delete(document);
  } else {
    saved.set(document, hashOfText(text));
  }
}

function rememberNotebook(notebook: vscode.NotebookDocument): void {
  if (notebook.uri.scheme === 'file' && !notebook.isDirty && !notebook.isClosed) {
    rememberFile(notebook);
  }
}

/** Remembers what is on the disk, where VS Code has just read or written it. */
function rememberFile(notebook: vscode.NotebookDocument): void {
  saved.set(
    notebook,
    hashOnDisk(notebook).catch(() => undefined),
  );
}

async function hashOnDisk(document: Document): Promise<string | undefined> {
  const { uri } = document;
  const path = toClientPath(uri);
  const { bytes } = await readFileBytes(uri, path, neverAborted());
  if (!('getText' in document)) {
    return bytes.length > maxNotebookBytes ? undefined : createHash('sha256').update(bytes).digest('base64');
  }
  return hashOfText(await decodeFile(bytes, { encoding: document.encoding }, path));
}

/** Hashes a text as VS Code has it, which makes all line ends the same and keeps the byte order mark apart. */
function hashOfText(text: string): string {
  return createHash('sha256')
    .update(text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'))
    .digest('base64');
}
