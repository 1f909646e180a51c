import type * as vscode from 'vscode';

/** Also where VS Code, which saves by itself, was first: then it has nothing to save, and says no. */
export async function isSaved(document: Pick<vscode.TextDocument | vscode.NotebookDocument, 'save' | 'isDirty'>): Promise<boolean> {
  return (await document.save()) || !document.isDirty;
}
