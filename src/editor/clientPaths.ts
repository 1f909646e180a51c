import * as path from 'node:path';
import * as vscode from 'vscode';
import { AppError } from '../base/errors.ts';

/** How a folder is called in client paths: nothing in a single-folder workspace, its name (made unique) in a multi-root one. */
function folderPrefixes(folders: readonly vscode.WorkspaceFolder[]): ReadonlyMap<vscode.WorkspaceFolder, string> {
  const seen = new Map<string, number>();
  return new Map(
    folders.map((folder) => {
      const count = (seen.get(folder.name) ?? 0) + 1;
      seen.set(folder.name, count);
      const unique = count === 1 ? folder.name : `${folder.name}~${count}`;
      return [folder, folders.length === 1 ? '' : `${unique}/`] as const;
    }),
  );
}

/** Relative to the workspace with forward slashes; untitled, virtual and outside documents keep their whole URI. */
export function toClientPath(uri: vscode.Uri): string {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) {
    return uri.toString();
  }
  const prefix = folderPrefixes(vscode.workspace.workspaceFolders ?? []).get(folder) ?? '';
  return `${prefix}${path.posix.relative(folder.uri.path, uri.path)}`;
}

/** Accepts what `toClientPath` gives, an absolute path inside the workspace, or a URI. Does not say whether the file exists. */
export function fromClientPath(clientPath: string): vscode.Uri {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const uri = toUri(clientPath, folders);
  const isInside = uri !== undefined && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  const isOpen = uri !== undefined && vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
  if (uri === undefined || !(isInside || (isOpen && uri.scheme === 'untitled'))) {
    throw new AppError('editor.pathNotFound', `There is no "${clientPath}" in this workspace.`, { args: { path: clientPath } });
  }
  return uri;
}

function toUri(clientPath: string, folders: readonly vscode.WorkspaceFolder[]): vscode.Uri | undefined {
  if (/^[a-z][a-z0-9+.-]+:/i.test(clientPath) && !/^[a-z]:[\\/]/i.test(clientPath)) {
    return vscode.Uri.parse(clientPath, true);
  }
  if (path.isAbsolute(clientPath)) {
    return vscode.Uri.file(path.normalize(clientPath));
  }
  for (const [folder, prefix] of folderPrefixes(folders)) {
    if (clientPath.startsWith(prefix)) {
      // joinPath resolves `..`; the caller then checks that the result is still inside the workspace.
      return vscode.Uri.joinPath(folder.uri, clientPath.slice(prefix.length));
    }
  }
  return undefined;
}
