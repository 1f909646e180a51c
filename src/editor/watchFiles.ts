import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';

/** Tells of every file below `folder` that is made, changed or removed and fits one of the patterns. */
export function watchFiles(folder: string, patterns: readonly string[], onChange: () => void): Disposable {
  const watching = new DisposableStore();
  for (const pattern of patterns) {
    const watcher = watching.add(vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(folder), pattern)));
    watching.add(watcher.onDidCreate(onChange));
    watching.add(watcher.onDidChange(onChange));
    watching.add(watcher.onDidDelete(onChange));
  }
  return watching;
}
