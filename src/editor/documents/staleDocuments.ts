import { realpath } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { isHeldAsOnDisk, isKnownAsOnDisk } from './checkedDocument.ts';
import { stateOnDisk } from './diskFile.ts';
import { reread } from './rereadDocument.ts';

/**
 * Finds those of these unmodified documents that are in the workspace and not what their files have. A change may be older than a
 * sweep can see. Those behind a link are left out: VS Code does not follow these, and whoever asks about one has it checked.
 */
export async function staleAmong(documents: readonly vscode.TextDocument[]): Promise<vscode.TextDocument[]> {
  const stale: vscode.TextDocument[] = [];
  for (const document of documents) {
    const { uri } = document;
    const isOurs = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
    if (!isOurs || isKnownAsOnDisk(document) || asRead.get(document) === lookOf(document) || (await isHeldAsOnDisk(document))) {
      continue;
    }
    if ((await realpath(uri.fsPath).catch(() => '')) === (await placeOf(uri))) {
      stale.push(document);
    }
  }
  return stale;
}

/** Where a file of the workspace is if there are no links below the folder of the workspace. */
async function placeOf(uri: vscode.Uri): Promise<string> {
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? '';
  return path.join(await realpath(folder).catch(() => folder), path.relative(folder, uri.fsPath));
}

/** The looks of documents when VS Code had just read them anew: what it makes of a file is its text, whatever others make of it. */
const asRead = new WeakMap<vscode.TextDocument, string>();

/** Makes a text that is another one after every change of the document or of its file. */
function lookOf({ uri, version }: vscode.TextDocument): string {
  return `${version}${stateOnDisk(uri)}`;
}

/** Lets VS Code read such a document anew, unless it is behind a link by now. Never rejects. */
export async function rereadInPlace(document: vscode.TextDocument): Promise<void> {
  const { uri } = document;
  const place = await placeOf(uri);
  try {
    if (await reread(document, uri.fsPath, (realPath) => realPath === place)) {
      asRead.set(document, lookOf(document));
    }
  } catch {
    // gone meanwhile, or behind a link by now
  }
}
