import * as vscode from 'vscode';
import { atMost } from '../../base/abort.ts';
import type { UnsavedFiles, UnsavedPort } from '../../server/seen/ports/unsavedPort.ts';
import { toClientPath } from '../shared/clientUris.ts';
import { isSaved } from '../shared/saveDocument.ts';

type Document = vscode.TextDocument | vscode.NotebookDocument;

/** What runs at saving (a formatter) may never come back. */
const maxSaveMs = 20_000;

export const unsavedFiles: UnsavedPort = {
  list: () => named(unsavedDocuments()),
  save: async (paths) => {
    const documents = unsavedDocuments().filter(({ uri }) => paths.includes(toClientPath(uri)));
    const saved = await Promise.all(documents.map(saves));
    return named(documents.filter((_, index) => saved[index] !== true));
  },
};

/** A cell of a notebook is part of its notebook, and what has no file yet has no place to be saved to. */
function unsavedDocuments(): readonly Document[] {
  return [...vscode.workspace.textDocuments, ...vscode.workspace.notebookDocuments].filter(
    ({ isDirty, isUntitled, uri }) => isDirty && !isUntitled && vscode.workspace.getWorkspaceFolder(uri) !== undefined,
  );
}

async function saves(document: Document): Promise<boolean> {
  try {
    return (await atMost(isSaved(document), maxSaveMs)) === true;
  } catch {
    return false; // said by VS Code, in the window
  }
}

function named(documents: readonly Document[]): UnsavedFiles {
  return { paths: [...new Set(documents.map(({ uri }) => toClientPath(uri)))].sort(), withheld: [] };
}
