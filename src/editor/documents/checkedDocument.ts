import * as vscode from 'vscode';
import { neverAborted, untilAborted } from '../../base/abort.ts';
import type { IsShown } from '../../server/seen/ports/documentsPort.ts';
import { pathNotFound } from '../../platform/paths/clientPath.ts';
import { editorError } from '../shared/editorErrors.ts';
import { findNotebook, findTextDocument } from '../shared/openDocuments.ts';
import { bytesOf, decodeFile, stateOnDisk, withOpened } from './diskFile.ts';
import { notebookFileName, sourcesIn } from './notebookFile.ts';
import { missedMs, reread } from './rereadDocument.ts';
import { bringBack } from './retiredDocuments.ts';

export interface CheckedLook {
  /** The path as the client wrote it, for errors. */
  readonly path: string;
  readonly isShown?: IsShown | undefined;
  readonly signal: AbortSignal;
  /** How long, in ms, to wait for VS Code at the least. */
  readonly waitMs?: number | undefined;
}

/** How long, in ms, VS Code may take to see what changed on the disk. */
export const catchUpMs = 2_000;
/** How long, in ms, to wait before the next look, unless VS Code tells of a change before. */
const lookMs = 100;

/**
 * Opens a document without showing it, if it is not open, and returns it once what VS Code has in its memory is what the disk has
 * in a place that may be shown. VS Code opens by name, and keeps for minutes what it read: a folder that was a link to somewhere
 * else for a moment leaves a foreign text under this name. Unsaved text is the person's own. Rejects with `editor.pathNotFound`,
 * with `editor.behindDisk`, or as VS Code does for what it cannot open.
 */
export async function checkedDocument(uri: vscode.Uri, look: CheckedLook): Promise<vscode.TextDocument> {
  const began = performance.now();
  const until = began + Math.max(catchUpMs, look.waitMs ?? 0);
  let rereadAt = began + missedMs;
  await bringBack(uri);
  for (;;) {
    const document = findTextDocument(uri.toString()) ?? (await untilAborted(vscode.workspace.openTextDocument(uri), look.signal));
    if (document.uri.scheme !== 'file' || document.isDirty) {
      return document;
    }
    const { version } = document;
    foreign.set(document, version);
    if ((await isAsOnDisk(document, look)) && document.version === version) {
      foreign.delete(document);
      return document;
    }
    if (performance.now() > until) {
      throw editorError('editor.behindDisk', { path: look.path });
    }
    if (performance.now() > rereadAt) {
      rereadAt = performance.now() + missedMs;
      await reread(document, look.path, look.isShown);
    } else {
      await changeOf(document, look.signal);
    }
  }
}

/**
 * Waits until a notebook has what its file has, by comparing the cells. Only the extension of another kind of notebook can read its
 * file: that one is looked at no further than where it is.
 */
export async function checkedNotebook(uri: vscode.Uri, look: CheckedLook): Promise<vscode.NotebookDocument> {
  const until = performance.now() + catchUpMs;
  for (;;) {
    const notebook = findNotebook(uri.toString()) ?? (await untilAborted(vscode.workspace.openNotebookDocument(uri), look.signal));
    if (notebook.uri.scheme !== 'file' || notebook.isDirty) {
      return notebook;
    }
    const { version } = notebook;
    if ((await hasCellsOfDisk(notebook, look)) && notebook.version === version) {
      return notebook;
    }
    if (performance.now() > until) {
      throw editorError('editor.behindDisk', { path: look.path });
    }
    await untilAborted(new Promise((resolve) => setTimeout(resolve, lookMs)), look.signal);
  }
}

function hasCellsOfDisk(notebook: vscode.NotebookDocument, { path, isShown, signal }: CheckedLook): Promise<boolean> {
  return withOpened(notebook.uri, path, async (file) => {
    if (isShown?.(file.realPath) === false) {
      throw pathNotFound(path);
    }
    if (!notebookFileName.test(notebook.uri.path)) {
      return true;
    }
    const onDisk = await sourcesIn(await decodeFile(await bytesOf(file, path, signal), { encoding: 'utf8' }, path));
    const held = notebook.getCells().map(({ document }) => withPlainEnds(document.getText()));
    return JSON.stringify(onDisk) === JSON.stringify(held);
  });
}

/** How often a document is asked about whose text VS Code reads anew meanwhile. */
const maxTries = 3;

/**
 * Asks about a checked document. VS Code may read another text under the same name while a service is at work, so what it has is
 * looked at after the answer, too.
 */
export async function askChecked<Document extends vscode.TextDocument | undefined, T>(
  path: string,
  load: () => Promise<Document>,
  ask: (document: Document) => Promise<T>,
): Promise<T> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const document = await load();
    const version = document?.version;
    const answer = await ask(document);
    const now = await load();
    if (now?.isDirty === true || (now === document && now?.version === version)) {
      return answer;
    }
  }
  throw editorError('editor.behindDisk', { path });
}

/** The versions of documents that were not what the disk had, as far as is known: a service may still speak of their text. */
const foreign = new WeakMap<vscode.TextDocument, number>();

/** The names under which VS Code holds a text of which it is not known where it comes from. */
export function foreignNames(): ReadonlySet<string> {
  const documents = vscode.workspace.textDocuments.filter((document) => !document.isDirty && foreign.get(document) === document.version);
  return new Set(documents.map(({ uri }) => uri.toString()));
}

/** What the disk had when a document was last compared with it. */
const compared = new WeakMap<vscode.TextDocument, { readonly version: number; readonly state: string; readonly isSame: boolean }>();

function isAsOnDisk(document: vscode.TextDocument, { path, isShown, signal }: CheckedLook): Promise<boolean> {
  const { uri, version, encoding } = document;
  return withOpened(uri, path, async (file) => {
    if (isShown?.(file.realPath) === false) {
      throw pathNotFound(path);
    }
    const { state } = file;
    const known = compared.get(document);
    if (known?.version === version && known.state === state) {
      return known.isSame;
    }
    const text = await decodeFile(await bytesOf(file, path, signal), { encoding }, path);
    const isSame = document.version === version && isSameText(text, document.getText());
    compared.set(document, { version, state, isSame });
    return isSame;
  });
}

/** Whether the file of a document is the very one that it was last compared with, and had its text. Asks nobody but the file system. */
export function isKnownAsOnDisk(document: vscode.TextDocument): boolean {
  const known = compared.get(document);
  return known?.isSame === true && known.version === document.version && known.state.endsWith(stateOnDisk(document.uri));
}

/** Whether the text of an unmodified document is what its file has now. */
export async function isHeldAsOnDisk(document: vscode.TextDocument): Promise<boolean> {
  try {
    return await isAsOnDisk(document, { path: document.uri.fsPath, signal: neverAborted() });
  } catch {
    return true; // gone, or no text any more: then nobody can speak of it
  }
}

function isSameText(text: string, held: string): boolean {
  return text === held || (text.includes('\r') && withPlainEnds(text) === withPlainEnds(held));
}

/** The text with the same end for all lines: VS Code changes them when it reads a file. */
function withPlainEnds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** Resolves when VS Code has changed or closed the document, or after a while. */
function changeOf(document: vscode.TextDocument, signal: AbortSignal): Promise<void> {
  return untilAborted(
    new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        watching.forEach((each) => void each.dispose());
        resolve();
      };
      const timer = setTimeout(end, lookMs);
      const watching = [
        vscode.workspace.onDidChangeTextDocument((change) => change.document === document && end()),
        vscode.workspace.onDidCloseTextDocument((closed) => closed === document && end()),
      ];
    }),
    signal,
  );
}
