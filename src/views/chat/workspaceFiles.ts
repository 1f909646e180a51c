import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json.ts';
import { placeBlock, toldOfBlock } from '../../chat/turn/placeBlock.ts';
import type { MadeEdit } from '../../contract/chat/answerParts.ts';
import type { FileReference } from '../../contract/chat/chatMessages.ts';
import type { LastTextEditor } from '../../editor/documents/lastTextEditor.ts';
import { fromClientPath, toClientPath } from '../../editor/shared/clientPlaces.ts';
import { nativeText } from '../nativeText.ts';
import type { ReadOnlyDocuments } from '../native/readOnlyDocuments.ts';
import { viewError } from '../sentences/viewErrors.ts';
import { referencePlaces } from './fileReferencePaths.ts';

/** Opens a file of this workspace that a text names, at its line, as a click in the Explorer would. Nothing is run. */
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
    return false; // the next place may have it
  }
}

/** The largest file that code is applied to, in bytes: comparing a larger one takes longer than anybody waits. */
const maxFileBytes = 5_000_000;

/** Works out how a block of code changes the file that it names, or the one the person worked in last. Nothing is changed here. */
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

/** Where the named file is; where there is none, where it would be in the first folder. */
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

/** The size of a file in bytes; `undefined` where there is none. */
async function sizeOf(uri: vscode.Uri): Promise<number | undefined> {
  try {
    return (await vscode.workspace.fs.stat(uri)).size;
  } catch {
    return undefined;
  }
}

/** Replaces the selection in the editor that the person used last, as typing would; it takes one step to undo. */
export async function insertIntoLastEditor(last: LastTextEditor, text: string): Promise<void> {
  const known = last.editor;
  if (known === undefined) {
    throw viewError('views.noEditor');
  }
  const editor = await vscode.window.showTextDocument(known.document, { viewColumn: known.viewColumn ?? vscode.ViewColumn.Active });
  const isDone = await editor.edit((edit) => {
    for (const selection of editor.selections) {
      edit.replace(selection, text);
    }
  });
  if (!isDone) {
    throw viewError('views.notInserted'); // it cannot be written, or was changed meanwhile
  }
}

/** Shows a file as it was before an answer changed it, beside the file as it is now. */
export async function showEdit(documents: ReadOnlyDocuments, { path, from, before, after }: MadeEdit): Promise<void> {
  const old = documents.add(`before/${from ?? path}`, before ?? '');
  const now = after === undefined ? documents.add(`deleted/${path}`, '') : fromClientPath(path);
  const title = vscode.l10n.t('{0} (before this answer ↔ now)', nativeText(path));
  await vscode.commands.executeCommand('vscode.diff', old, now, title);
}
