import * as vscode from 'vscode';
import { Slices } from '../../../base/slices.ts';
import type { ChangeGuard, ChangeOrigin, FileProposal } from '../../../server/seen/ports/actingPort.ts';
import { fromClientPath, toClientPath } from '../../shared/clientPlaces.ts';
import { editorError } from '../../shared/editorErrors.ts';
import { type FileChange, isInside, mayTouch, type MovedFolder, targetOf, uriOf } from './fileChange.ts';
import { isFree, statOf } from './targets.ts';

/** The most files and folders in a folder that moves: the person has to look through all of them. */
const maxEntries = 500;

/** Characters that would make one line of a list look like two, or like another one. */
const misleading = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;

/** Works out the move of a folder. It moves whole or not at all, so that nothing in it is changed by the way. */
export async function movedFolder(
  { path, expectedVersion }: FileProposal,
  { moveTo, text }: { readonly moveTo: string; readonly text?: unknown },
  { guard }: { readonly guard?: ChangeGuard | undefined },
): Promise<MovedFolder> {
  const from = fromClientPath(path);
  const to = fromClientPath(moveTo);
  if (text !== undefined || expectedVersion !== undefined) {
    throw editorError('editor.folderOnlyMoves', { path });
  }
  if ((vscode.workspace.workspaceFolders ?? []).some(({ uri }) => uri.toString() === from.toString() || isInside(uri, from))) {
    throw editorError('editor.workspaceFolder', { path });
  }
  if (to.scheme !== from.scheme) {
    throw editorError('editor.otherFileSystem', { path: moveTo });
  }
  if (isInside(to, from)) {
    throw editorError('editor.intoItself', { path, moveTo });
  }
  if (!(await isFree(to, from))) {
    throw editorError('editor.exists', { path: moveTo });
  }
  // A link to a folder would move alone, and nothing that is in the folder.
  const isLink = (await statOf(from))?.type !== vscode.FileType.Directory;
  const files = isLink ? undefined : await filesToMove(from, to, { guard });
  if (files === undefined) {
    throw editorError('editor.folderNotWhole', { path, limit: maxEntries });
  }
  return { kind: 'folder', uri: from, moveTo: to, files };
}

/**
 * The files that move with a folder, by their paths within it. `undefined` where it cannot move as a whole: it has too many
 * entries, or one that the client may not touch, or one that is neither file nor folder. Which of these it is must not be told,
 * because what is withheld looks absent.
 */
export async function filesToMove(
  from: vscode.Uri,
  to: vscode.Uri,
  origin: Pick<ChangeOrigin, 'guard'>,
): Promise<readonly string[] | undefined> {
  const files: string[] = [];
  const folders = [''];
  const slices = new Slices();
  let left = maxEntries;
  for (let inner = folders.pop(); inner !== undefined; inner = folders.pop()) {
    const entries = await listOf(vscode.Uri.joinPath(from, inner));
    left -= entries?.length ?? 0;
    if (entries === undefined || left < 0) {
      return undefined;
    }
    for (const [name, type] of entries) {
      const path = inner === '' ? name : `${inner}/${name}`;
      const isTouched = [from, to].every((folder) => mayTouch(vscode.Uri.joinPath(folder, path), origin));
      if (!isTouched || misleading.test(name) || (type !== vscode.FileType.File && type !== vscode.FileType.Directory)) {
        return undefined;
      }
      (type === vscode.FileType.File ? files : folders).push(path);
      await slices.pauseIfUsedUp();
    }
  }
  return files.sort();
}

async function listOf(folder: vscode.Uri): Promise<[string, vscode.FileType][] | undefined> {
  try {
    return await vscode.workspace.fs.readDirectory(folder);
  } catch {
    return undefined;
  }
}

/** Rejects when another change is about something in a folder that moves: it would be elsewhere by then. */
export function refuseInsideMoved(changes: readonly FileChange[]): void {
  for (const folder of changes.filter(({ kind }) => kind === 'folder')) {
    const places = [uriOf(folder), targetOf(folder)];
    const inner = changes.find(
      (change) => change !== folder && [uriOf(change), targetOf(change)].some((uri) => places.some((place) => isInside(uri, place))),
    );
    if (inner !== undefined) {
      throw editorError('editor.insideMovedFolder', { path: toClientPath(uriOf(inner)), folder: toClientPath(uriOf(folder)) });
    }
  }
}
