import * as vscode from 'vscode';
import type { Event } from '../../base/events.ts';
import type { WorkspaceFolder as DefinitionFolder } from '../../definitions/serverDefinition.ts';
import type { WorkspaceFolder } from '../../server/seen/ports/editorPort.ts';

export function listWorkspaceFolders(): WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).map((folder) => ({
    name: folder.name,
    path: folder.uri.scheme === 'file' ? folder.uri.fsPath : folder.uri.toString(),
    uri: folder.uri.toString(),
    index: folder.index,
  }));
}

export const onDidChangeFolders: Event<void> = (listener) => vscode.workspace.onDidChangeWorkspaceFolders(() => listener());

/** As the definitions of servers name them. */
export function listDefinitionFolders(): DefinitionFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).map((folder) => ({ name: folder.name, path: folder.uri.fsPath }));
}
