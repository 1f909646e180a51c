import { statSync } from 'node:fs';
import * as vscode from 'vscode';
import { findTextDocument, openTabs } from '../shared/openDocuments.ts';

/** The languages of documents that were retired, by URI. */
const retired = new Map<string, string>();

export function isRetired(uri: vscode.Uri): boolean {
  return retired.has(uri.toString());
}

/**
 * The unmodified documents whose files are gone. VS Code keeps a document without a tab for minutes after it was asked for, and
 * language services take the file for present meanwhile.
 */
export function documentsWithoutFile(): vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(
    ({ uri, isDirty, isClosed }) =>
      uri.scheme === 'file' &&
      !isDirty &&
      !isClosed &&
      !retired.has(uri.toString()) &&
      vscode.workspace.getWorkspaceFolder(uri) !== undefined &&
      statSync(uri.fsPath, { throwIfNoEntry: false }) === undefined,
  );
}

/**
 * Takes such a document from its language service, by making it plain text: nothing else lets a service know that the file is
 * gone. Returns false for a document that somebody sees, which is left alone.
 */
export async function retire(document: vscode.TextDocument): Promise<boolean> {
  const { uri, languageId } = document;
  const name = uri.toString();
  if (openTabs().some((tab) => tab.uri.toString() === name)) {
    return false;
  }
  retired.set(name, languageId);
  await changeLanguage(document, 'plaintext');
  return true;
}

/** Gives the document of a file that is back to its language service again, if VS Code still has it. */
export async function bringBack(uri: vscode.Uri): Promise<void> {
  const name = uri.toString();
  await changing.get(name);
  const languageId = retired.get(name);
  if (languageId === undefined || statSync(uri.fsPath, { throwIfNoEntry: false }) === undefined) {
    return;
  }
  retired.delete(name);
  const document = findTextDocument(name);
  if (document !== undefined) {
    await changeLanguage(document, languageId);
  }
}

/** The changes of a language that are under way, by URI: until then nobody may ask about the document. */
const changing = new Map<string, Promise<unknown>>();

async function changeLanguage(document: vscode.TextDocument, languageId: string): Promise<void> {
  const name = document.uri.toString();
  const change = Promise.resolve(vscode.languages.setTextDocumentLanguage(document, languageId)).catch(() => undefined); // closed meanwhile
  changing.set(name, change);
  await change;
  if (changing.get(name) === change) {
    changing.delete(name);
  }
}

/** Forgets a document that VS Code has closed. A change of its language closes it, too, and opens it again. */
export function forgetRetired({ uri }: vscode.TextDocument): void {
  if (findTextDocument(uri.toString()) === undefined) {
    retired.delete(uri.toString());
  }
}
