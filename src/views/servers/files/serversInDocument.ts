import { hostname } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { DefinitionSource } from '../../../definitions/serverDefinition.ts';
import { idOf, readServerName } from '../../../definitions/serverNames.ts';
import { workspaceKey } from '../../../editor/settingsReader.ts';

type DocumentSource = Omit<DefinitionSource, 'value' | 'location'>;

/** The id that a server has whose definition stands in this document; undefined when Duplex reads no servers from it. */
export function serverIdIn(uri: vscode.Uri, name: string, userDataPath: string): string | undefined {
  const source = documentSourceOf(uri, userDataPath);
  const read = readServerName(name);
  return source === undefined || read.kind !== 'name' ? undefined : idOf({ ...source, value: undefined, location: '' }, read.name);
}

/** Where the definitions of a document belong, as the reader of definitions sees it. */
export function documentSourceOf(uri: vscode.Uri, userDataPath: string): DocumentSource | undefined {
  const name = path.posix.basename(uri.path);
  if (name === 'settings.json') {
    return settingsSource(uri, userDataPath);
  }
  if (name.endsWith('.code-workspace')) {
    return vscode.workspace.workspaceFile?.toString() === uri.toString() ? { scope: 'workspace', workspace: workspaceKey() } : undefined;
  }
  return uri.scheme === 'file' ? { scope: 'discovered', file: { path: uri.fsPath, name: '' } } : undefined;
}

/** Settings count only where VS Code reads them: a repository may have a file of this name anywhere. */
function settingsSource(uri: vscode.Uri, userDataPath: string): DocumentSource | undefined {
  const folder = vscode.workspace.workspaceFolders?.find((each) => {
    return vscode.Uri.joinPath(each.uri, '.vscode', 'settings.json').toString() === uri.toString();
  });
  if (folder !== undefined) {
    return vscode.workspace.workspaceFile === undefined
      ? { scope: 'workspace', workspace: workspaceKey() }
      : { scope: 'folder', folder: { name: folder.name, path: folder.uri.fsPath } };
  }
  if (uri.scheme === 'vscode-userdata') {
    return { scope: 'user' };
  }
  const inside = uri.scheme === 'file' ? path.relative(userDataPath, uri.fsPath).split(path.sep).join('/') : '';
  if (/^User\/(?:profiles\/[^/]+\/)?settings\.json$/.test(inside)) {
    return { scope: 'user' };
  }
  return inside === 'Machine/settings.json' ? { scope: 'remote', machine: hostname() } : undefined;
}
