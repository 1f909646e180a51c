import { setTimeout as pause } from 'node:timers/promises';
import type * as vscode from 'vscode';

type Savable = Pick<vscode.TextDocument | vscode.NotebookDocument, 'save' | 'isDirty' | 'version'>;

/** How often a document is looked at while a save of VS Code's own, which overtook ours, may still be under way. */
const looks = 3;
/** The pause, in ms, before a document is looked at again whose save may still be under way. */
const pauseMs = 250;

/**
 * Saves a document; the answer is whether its text is saved. VS Code says no where it has saved by itself just before, since there
 * is nothing to save then, and also to a save that one of its own overtakes. That one is waited for, and then VS Code is asked once
 * more. It is not asked oftener: where something is wrong it tells the person so each time, and what formats on saving runs again.
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
