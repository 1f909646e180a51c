import * as vscode from 'vscode';
import type { Event } from '../../base/events.ts';
import type { WorkspaceFolder as DefinitionFolder } from '../../definitions/serverDefinition.ts';
import type { WorkspaceFolder } from '../../server/seen/ports/editorPort.ts';

let listed: { readonly of: readonly vscode.WorkspaceFolder[]; readonly folders: readonly WorkspaceFolder[] } = { of: [], folders: [] };

/** The same list while VS Code has the same folders: it is asked for with every path. */
export function listWorkspaceFolders(): readonly WorkspaceFolder[] {
  const now = vscode.workspace.workspaceFolders ?? [];
  if (now.length !== listed.of.length || now.some((folder, index) => folder !== listed.of[index])) {
    listed = { of: now, folders: now.map(described) };
  }
  return listed.folders;
}

function described({ name, uri, index }: vscode.WorkspaceFolder): WorkspaceFolder {
  return { name, path: uri.scheme === 'file' ? uri.fsPath : uri.toString(), uri: uri.toString(), index };
}

export const onDidChangeFolders: Event<void> = (listener) => vscode.workspace.onDidChangeWorkspaceFolders(() => listener());

/** As the definitions of servers name them. */
export function listDefinitionFolders(): DefinitionFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).map((folder) => ({ name: folder.name, path: folder.uri.fsPath }));
}
