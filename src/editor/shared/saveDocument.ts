import { setTimeout as pause } from 'node:timers/promises';
import type * as vscode from 'vscode';

type Savable = Pick<vscode.TextDocument | vscode.NotebookDocument, 'save' | 'isDirty' | 'version'>;

/** As long as a save of VS Code's own, which overtook ours, may take. */
const looks = 3;
const pauseMs = 250;

/**
 * Also where VS Code, which saves by itself, was first: then it has nothing to save, and says no. It says no as well to a save
 * that one of its own overtakes: that one is waited for, and then it is asked once more. Not oftener: where something is wrong
 * it tells the person so each time, and what formats on saving runs again.
 */
export async function isSaved(document: Savable): Promise<boolean> {
  const { version } = document;
  let isDone = await saves(document);
  for (let look = 0; look < looks && !isDone && document.version === version; look += 1) {
    await pause(pauseMs);
    isDone = !document.isDirty;
  }
  // What somebody wrote meanwhile is not what was to be saved.
  return isDone || (document.version === version && saves(document));
}

async function saves(document: Savable): Promise<boolean> {
  return (await document.save()) || !document.isDirty;
}
