import type { Stats } from 'node:fs';
import * as vscode from 'vscode';

/** A file that is not open has no version of its own; its time of change is far above any that a document reaches. */
export function versionOnDisk({ mtime }: Pick<Stats, 'mtime'>): number {
  return mtime.getTime();
}

/** Whether `version` was read off this document, or off its file before it was opened, and nothing changed since. */
export async function isVersionOf(document: vscode.TextDocument, version: number): Promise<boolean> {
  if (version === document.version) {
    return true;
  }
  if (document.isDirty || document.isUntitled) {
    return false;
  }
  try {
    return (await vscode.workspace.fs.stat(document.uri)).mtime === version;
  } catch {
    return false;
  }
}
