import { setTimeout as pause } from 'node:timers/promises';
import type * as vscode from 'vscode';

/** VS Code drops a save that another one of its own overtakes, and says no although nothing is wrong: those are tried again. */
const attempts = 4;
const pauseMs = 250;

/** Also where VS Code, which saves by itself, was first: then it has nothing to save, and says no. */
export async function isSaved(
  document: Pick<vscode.TextDocument | vscode.NotebookDocument, 'save' | 'isDirty' | 'version'>,
): Promise<boolean> {
  const { version } = document;
  for (let attempt = 1; ; attempt += 1) {
    if ((await document.save()) || !document.isDirty) {
      return true;
    }
    if (attempt < attempts && document.version === version) {
      await pause(pauseMs);
    }
    // What somebody wrote meanwhile is not what was to be saved.
    if (attempt === attempts || document.version !== version) {
      return false;
    }
  }
}
