import * as vscode from 'vscode';
import type { FileReference } from '../contract/fileReference.ts';
import { referencePlaces } from './fileReferencePaths.ts';
import { viewError } from './sentences/viewErrors.ts';

/** Opens a file of this workspace that a text names, at its line; as a click in the Explorer would, and nothing runs. */
export async function openWorkspaceFile({ path, line, character = 1 }: FileReference): Promise<void> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const places = referencePlaces(
    path,
    folders.map(({ name, uri }) => ({ name, path: uri.fsPath })),
  );
  if (places === undefined) {
    throw viewError('views.fileRefused', { path });
  }
  for (const { folder, segments } of places) {
    const base = folders[folder]?.uri;
    const uri = base === undefined ? undefined : vscode.Uri.joinPath(base, ...segments);
    if (uri !== undefined && (await isFile(uri))) {
      const position = line === undefined ? undefined : new vscode.Position(line - 1, character - 1);
      const options = position === undefined ? {} : { selection: new vscode.Range(position, position) };
      await vscode.commands.executeCommand('vscode.open', uri, options);
      return;
    }
  }
  throw viewError('views.fileMissing', { path });
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) === 0;
  } catch {
    return false; // the next folder may have it
  }
}
