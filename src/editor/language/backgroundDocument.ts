import * as vscode from 'vscode';
import { isAppError } from '../../base/errors.ts';
import type { Place } from '../../server/seen/ports/languagePort.ts';
import { pathNotFound } from '../../base/pathNotFound.ts';
import { fromClientPath } from '../shared/clientUris.ts';
import { within } from '../../base/abort.ts';
import { editorError } from '../shared/editorErrors.ts';
import { refuseFolder } from '../shared/folders.ts';

const openMs = 8_000;

/** The document behind a client path; opened in the background, without a tab, if it is not open. */
export async function openInBackground(path: string, signal: AbortSignal): Promise<vscode.TextDocument> {
  const uri = fromClientPath(path);
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined) {
    return open;
  }
  try {
    return await within(vscode.workspace.openTextDocument(uri), openMs, signal, () => editorError('editor.tooSlow', { path }));
  } catch (error) {
    signal.throwIfAborted();
    if (isAppError(error)) {
      throw error;
    }
    await refuseFolder(uri, path);
    throw pathNotFound(path); // missing or binary: nothing a language service could speak of
  }
}

export function positionIn(document: vscode.TextDocument, { path, line, character }: Place): vscode.Position {
  checkLine(document, path, line);
  const { length } = document.lineAt(line - 1).text;
  if (character > length + 1) {
    throw editorError('editor.noSuchCharacter', { path, line, character, length });
  }
  return new vscode.Position(line - 1, character - 1);
}

export function checkLine(document: vscode.TextDocument, path: string, line: number): void {
  if (line > document.lineCount) {
    throw editorError('editor.noSuchLine', { path, line, lineCount: document.lineCount });
  }
}
