import * as path from 'node:path';
import type * as vscode from 'vscode';

/** Where VS Code keeps its own settings, storage and secrets. An extension is told its own part: `User/globalStorage/ID` in there. */
export function userDataFolder({ globalStorageUri }: Pick<vscode.ExtensionContext, 'globalStorageUri'>): string {
  return path.resolve(globalStorageUri.fsPath, '../../..');
}
