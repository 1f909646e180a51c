import * as vscode from 'vscode';
import { placeBlock } from '../chat/placeBlock.ts';
import type { LastTextEditor } from '../editor/documents/lastTextEditor.ts';
import { toClientPath } from '../editor/shared/clientUris.ts';
import { referencePlaces } from './fileReferencePaths.ts';
import { viewError } from './sentences/viewErrors.ts';

/** A block of code as a change of the file that it names, or of the one the person worked in last. Nothing is changed here. */
export async function changeByBlock(
  last: LastTextEditor,
  { text, path }: { readonly text: string; readonly path?: string | undefined },
): Promise<{ readonly path: string; readonly newText: string }> {
  const editor = last.editor;
  const uri = path === undefined ? editor?.document.uri : await placeOfFile(path);
  if (uri === undefined) {
    throw viewError('views.noEditor');
  }
  const clientPath = toClientPath(uri);
  const document = (await exists(uri)) || uri.scheme === 'untitled' ? await vscode.workspace.openTextDocument(uri) : undefined;
  const isEdited = document !== undefined && editor?.document === document;
  const selection = isEdited ? offsetsOf(editor) : undefined;
  return { path: clientPath, newText: placeBlock(text, { text: document?.getText(), selection, path: path ?? clientPath }) };
}

/** A file that is there, else where it would be in the first folder. */
async function placeOfFile(path: string): Promise<vscode.Uri> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const places = referencePlaces(
    path,
    folders.map(({ name, uri }) => ({ name, path: uri.fsPath })),
  );
  const uris = (places ?? []).flatMap(({ folder, segments }) => {
    const base = folders[folder]?.uri;
    return base === undefined ? [] : [vscode.Uri.joinPath(base, ...segments)];
  });
  for (const uri of uris) {
    if (await exists(uri)) {
      return uri;
    }
  }
  const [first] = uris;
  if (first === undefined) {
    throw viewError('views.fileRefused', { path });
  }
  return first;
}

function offsetsOf({ document, selection }: vscode.TextEditor): { readonly start: number; readonly end: number } {
  return { start: document.offsetAt(selection.start), end: document.offsetAt(selection.end) };
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
