import * as vscode from 'vscode';
import type { FoundPaths, PathQuery } from '../../server/seen/ports/documentsPort.ts';
import { folderPrefixes } from '../../platform/clientPath.ts';
import { toClientPath } from '../shared/clientUris.ts';

const maxFolders = 500;
const maxMs = 1_500;

/** Nobody means what is in there, unless they name it. */
const skipped: ReadonlySet<string> = new Set(['node_modules', '.git', '.hg', '.svn']);

/** Workspace files whose client path begins with `prefix`: the nearest ones, folder by folder, until there are enough. */
export async function findPaths({ prefix, limit, isShown = () => true }: PathQuery, signal: AbortSignal): Promise<FoundPaths> {
  const deadline = performance.now() + maxMs;
  const found: string[] = [];
  let folders = beginnings(prefix);
  let visited = 0;
  let areAllVisited = true;
  while (folders.length > 0 && found.length <= limit && visited < maxFolders && performance.now() < deadline) {
    signal.throwIfAborted();
    const level = folders.slice(0, maxFolders - visited);
    visited += level.length;
    areAllVisited &&= level.length === folders.length;
    const listings = await Promise.all(level.map((folder) => list(folder)));
    const entries = listings.flat().filter(({ path, isFolder }) => (isFolder && prefix.startsWith(`${path}/`)) || path.startsWith(prefix));
    found.push(...entries.filter(({ path, isFolder }) => !isFolder && isShown(path)).map(({ path }) => path));
    folders = entries
      .filter(({ path, name, isFolder }) => isFolder && (!skipped.has(name) || prefix.startsWith(path)))
      .map(({ uri }) => uri);
  }
  const paths = found.sort((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1)).slice(0, limit);
  return { paths, isComplete: areAllVisited && folders.length === 0 && found.length <= limit };
}

/** The folders that the prefix names or may mean; from there on everything counts. */
function beginnings(prefix: string): vscode.Uri[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folderPrefixes(folders).flatMap((folderPrefix, index) => {
    const folder = folders[index];
    const isMeant = folderPrefix.startsWith(prefix) || prefix.startsWith(folderPrefix);
    return folder === undefined || !isMeant ? [] : [folder.uri];
  });
}

interface Entry {
  readonly uri: vscode.Uri;
  readonly name: string;
  readonly path: string;
  readonly isFolder: boolean;
}

/** Folders behind links are left out: they may lead in a circle. */
async function list(folder: vscode.Uri): Promise<Entry[]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(folder);
    return entries
      .filter(([, type]) => type === vscode.FileType.Directory || (type & vscode.FileType.File) !== 0)
      .map(([name, type]) => {
        const uri = vscode.Uri.joinPath(folder, name);
        return { uri, name, path: toClientPath(uri), isFolder: type === vscode.FileType.Directory };
      });
  } catch {
    return []; // gone, or not ours to read
  }
}

function depthOf(path: string): number {
  return path.split('/').length;
}
