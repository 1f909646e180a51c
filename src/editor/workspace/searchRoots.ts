import * as vscode from 'vscode';
import { toClientPath } from '../shared/clientPlaces.ts';
import { decodeText, diskReader, type FolderEntry, type FolderReader, type SearchRoot } from './search/searchEngine.ts';

/** The folders of the workspace, as the search sees them. */
export function searchRoots(): SearchRoot[] {
  const uris = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  return uris.map((uri) => {
    const path = uri.scheme === 'file' ? uri.fsPath : undefined;
    const reader = path === undefined ? virtualReader(uri) : diskReader(path);
    return { prefix: prefixOf(uri), path, reader, without: foldersInside(uri, uris) };
  });
}

function foldersInside(outer: vscode.Uri, all: readonly vscode.Uri[]): string[] {
  const start = outer.path.endsWith('/') ? outer.path : `${outer.path}/`;
  return all
    .filter((uri) => uri.scheme === outer.scheme && uri.authority === outer.authority && uri.path.startsWith(start))
    .map((uri) => `${uri.path.slice(start.length)}/`)
    .filter((folder) => folder !== '/');
}

/** What client paths in this folder begin with. */
export function prefixOf(folder: vscode.Uri): string {
  const probe = toClientPath(vscode.Uri.joinPath(folder, 'x'));
  return probe.slice(0, -1);
}

function virtualReader(folder: vscode.Uri): FolderReader {
  const at = (relative: string): vscode.Uri => (relative === '' ? folder : vscode.Uri.joinPath(folder, relative));
  return {
    readFolder: async (relative) => {
      const entries = await vscode.workspace.fs.readDirectory(at(relative));
      return entries.flatMap(([name, type]): FolderEntry[] => {
        if (type === vscode.FileType.Directory) {
          return [{ name, kind: 'folder' }];
        }
        if (type === vscode.FileType.File) {
          return [{ name, kind: 'file' }];
        }
        const isLinkedFile = (type & vscode.FileType.SymbolicLink) !== 0 && (type & vscode.FileType.File) !== 0;
        return isLinkedFile ? [{ name, kind: 'link' }] : [];
      });
    },
    readText: async (relative, maxBytes) => {
      const { size } = await vscode.workspace.fs.stat(at(relative));
      return size > maxBytes ? undefined : decodeText(await vscode.workspace.fs.readFile(at(relative)));
    },
  };
}
