import * as vscode from 'vscode';
import type { Event } from '../../base/events.ts';
import type { WorkspaceFolder as DefinitionFolder } from '../../definitions/serverDefinition.ts';
import type { SeenFolder } from '../../server/seen/ports/editorPort.ts';

let listed: readonly { readonly of: vscode.WorkspaceFolder; readonly folder: SeenFolder }[] = [];
let folders: readonly SeenFolder[] = [];

/**
 * The folders of the workspace. The list is the same object while VS Code has the same folders, because it is asked for with
 * every path.
 */
export function foldersOfWorkspace(): readonly SeenFolder[] {
  const now = vscode.workspace.workspaceFolders ?? [];
  if (now.length !== listed.length || !now.every(isListed)) {
    listed = now.map((of) => ({ of, folder: described(of) }));
    folders = listed.map(({ folder }) => folder);
  }
  return folders;
}

/** Whether the list has this folder as it is now: VS Code renames and moves a folder in the object that was there before. */
function isListed(now: vscode.WorkspaceFolder, index: number): boolean {
  const known = listed[index];
  return known?.of === now && known.folder.name === now.name && known.folder.index === now.index;
}

function described({ name, uri, index }: vscode.WorkspaceFolder): SeenFolder {
  return { name, path: uri.scheme === 'file' ? uri.fsPath : uri.toString(), uri: uri.toString(), index };
}

export const onDidChangeFolders: Event<void> = (listener) => vscode.workspace.onDidChangeWorkspaceFolders(() => listener());

/** The folders of the workspace, as the definitions of servers name them. */
export function listDefinitionFolders(): DefinitionFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).map((folder) => ({ name: folder.name, path: folder.uri.fsPath }));
}
