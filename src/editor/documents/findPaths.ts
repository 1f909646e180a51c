import * as vscode from 'vscode';
import type { FoundPaths, PathQuery } from '../../server/seen/ports/documentsPort.ts';
import { folderPrefixes } from '../../platform/clientPath.ts';
import { toClientPath } from '../shared/clientUris.ts';
import { walkPaths, type PathTree } from './walkPaths.ts';

/** Workspace files whose client path begins with a prefix. */
export function findPaths(query: PathQuery, signal: AbortSignal): Promise<FoundPaths> {
  return walkPaths(workspaceTree, query, signal);
}

const workspaceTree: PathTree<vscode.Uri> = {
  beginnings: (prefix) => {
    const folders = vscode.workspace.workspaceFolders ?? [];
    return folderPrefixes(folders).flatMap((folderPrefix, index) => {
      const folder = folders[index];
      const isMeant = folderPrefix.startsWith(prefix) || prefix.startsWith(folderPrefix);
      return folder === undefined || !isMeant ? [] : [folder.uri];
    });
  },
  list: async (folder) => {
    try {
      const entries = await vscode.workspace.fs.readDirectory(folder);
      return entries
        .filter(([, type]) => type === vscode.FileType.Directory || (type & vscode.FileType.File) !== 0)
        .map(([name, type]) => ({ name, isFolder: type === vscode.FileType.Directory }));
    } catch {
      return []; // gone, or not ours to read
    }
  },
  child: (folder, name) => {
    const place = vscode.Uri.joinPath(folder, name);
    return { place, path: toClientPath(place) };
  },
};
