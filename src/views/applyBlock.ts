import * as vscode from 'vscode';
import type { JsonObject } from '../base/json.ts';
import { placeBlock, toldOfBlock } from '../chat/placeBlock.ts';
import type { LastTextEditor } from '../editor/documents/lastTextEditor.ts';
import { toClientPath } from '../editor/shared/clientUris.ts';
import { referencePlaces } from './fileReferencePaths.ts';
import { viewError } from './sentences/viewErrors.ts';

/** A larger file takes longer to compare than anybody waits. */
const maxFileBytes = 5_000_000;

/** A block of code as a change of the file that it names, or of the one the person worked in last. Nothing is changed here. */
export async function changeByBlock(
  last: LastTextEditor,
  { text, path }: { readonly text: string; readonly path?: string | undefined },
): Promise<{ readonly args: JsonObject; readonly told: (args: JsonObject) => JsonObject }> {
  const editor = last.editor;
  const uri = path === undefined ? editor?.document.uri : await placeOfFile(path);
  if (uri === undefined) {
    throw viewError('views.noEditor');
  }
  const clientPath = toClientPath(uri);
  const size = await sizeOf(uri);
  if ((size ?? 0) > maxFileBytes) {
    throw viewError('views.fileTooLarge', { path: clientPath });
  }
  const document = size !== undefined || uri.scheme === 'untitled' ? await vscode.workspace.openTextDocument(uri) : undefined;
  const isEdited = document !== undefined && editor?.document === document;
  const selection = isEdited ? offsetsOf(editor) : undefined;
  const newText = placeBlock(text, { text: document?.getText(), selection, path: path ?? clientPath });
  return { args: { path: clientPath, newText }, told: toldOfBlock(text, newText) };
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
    if ((await sizeOf(uri)) !== undefined) {
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

/** `undefined` where there is nothing. */
async function sizeOf(uri: vscode.Uri): Promise<number | undefined> {
  try {
    return (await vscode.workspace.fs.stat(uri)).size;
  } catch {
    return undefined;
  }
}
