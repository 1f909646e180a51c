import { Buffer, isAscii } from 'node:buffer';
import * as vscode from 'vscode';
import { decodeFile } from '../documents/diskFile.ts';
import { isReadAsUtf8 } from '../settingsReader.ts';
import { toClientPath } from '../shared/clientPlaces.ts';
import { decodeText, type DecodeFile, diskReader, type FolderEntry, type FolderReader, type SearchRoot } from './search/searchEngine.ts';

/** The folders of the workspace, as the search sees them. */
export function searchRoots(): SearchRoot[] {
  const uris = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  return uris.map((uri) => {
    const path = uri.scheme === 'file' ? uri.fsPath : undefined;
    const needsReader = !isReadAsUtf8(uri);
    const decode: DecodeFile = needsReader ? decoderIn(uri) : (_relative, bytes) => decodeText(bytes);
    const reader = path === undefined ? virtualReader(uri, decode) : diskReader(path, decode);
    return { prefix: prefixOf(uri), path, reader, needsReader, without: foldersInside(uri, uris) };
  });
}

/** Decodes as VS Code would: by its settings, which may differ between languages, or by what it makes of the bytes. */
function decoderIn(folder: vscode.Uri): DecodeFile {
  const decode = (relative: string, bytes: Uint8Array): Promise<string | undefined> =>
    decodeFile(bytes, { uri: vscode.Uri.joinPath(folder, relative) }, relative).catch(() => undefined); // binary
  const sample = 'ab';
  let keepsAscii: Promise<boolean> | undefined;
  return async (relative, bytes) => {
    // Nearly all encodings write ASCII as it is. VS Code, which takes its time, is not asked about files of nothing else.
    if (!isAscii(bytes) || bytes.includes(0)) {
      return decode(relative, bytes);
    }
    keepsAscii ??= decode('x', Buffer.from(sample)).then((text) => text === sample);
    return (await keepsAscii) ? decodeText(bytes) : decode(relative, bytes);
  };
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

function virtualReader(folder: vscode.Uri, decode: DecodeFile): FolderReader {
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
      return size > maxBytes ? undefined : decode(relative, await vscode.workspace.fs.readFile(at(relative)));
    },
  };
}
