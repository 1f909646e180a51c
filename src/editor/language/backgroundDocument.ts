import * as vscode from 'vscode';
import { AppError } from '../../base/errors.ts';
import type { Place } from '../../server/seen/ports/languagePort.ts';
import { pathNotFound } from '../../base/pathNotFound.ts';
import { fromClientPath } from '../shared/clientUris.ts';
import { within } from '../../base/abort.ts';

const openMs = 8_000;

/** The document behind a client path; opened in the background, without a tab, if it is not open. */
export async function openInBackground(path: string, signal: AbortSignal): Promise<vscode.TextDocument> {
  const uri = fromClientPath(path);
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined) {
    return open;
  }
  const slow = (): AppError => new AppError('editor.tooSlow', `"${path}" takes too long to open.`, { args: { path } });
  try {
    return await within(vscode.workspace.openTextDocument(uri), openMs, signal, slow);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) {
      throw error;
    }
    throw pathNotFound(path); // missing, a folder, or binary: nothing a language service could speak of
  }
}

export function positionIn(document: vscode.TextDocument, { path, line, character }: Place): vscode.Position {
  checkLine(document, path, line);
  return document.validatePosition(new vscode.Position(line - 1, character - 1));
}

export function checkLine(document: vscode.TextDocument, path: string, line: number): void {
  if (line > document.lineCount) {
    const message = `"${path}" has ${document.lineCount} lines; there is no line ${line}.`;
    throw new AppError('editor.noSuchLine', message, { args: { path, line, lineCount: document.lineCount } });
  }
}
