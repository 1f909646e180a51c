import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/lifecycle.ts';
import type { HostEnvironment } from '../host/approval/approval.ts';
import { listDefinitionFolders } from './shared/workspaceFolders.ts';

/** What the host knows of this window and this machine. */
export function createHostEnvironment(
  ports: Pick<HostEnvironment, 'loginShellPath' | 'hasApprovedAny' | 'installationKey'>,
): HostEnvironment {
  const { env, platform } = process;
  return { ...ports, folders: listDefinitionFolders, userHome: os.homedir(), env, platform, isTrusted: () => vscode.workspace.isTrusted };
}

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

/**
 * The folder where VS Code keeps its own settings, storage and secrets. An extension is only told its own part,
 * `User/globalStorage/ID` in there.
 */
export function userDataFolder({ globalStorageUri }: Pick<vscode.ExtensionContext, 'globalStorageUri'>): string {
  return path.resolve(globalStorageUri.fsPath, '../../..');
}
