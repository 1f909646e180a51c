import { posix } from 'node:path';
import * as vscode from 'vscode';
import { bytesAt } from '../../documents/encodings.ts';
import { toClientPath } from '../../shared/clientPlaces.ts';
import { editorError } from '../../shared/editorErrors.ts';
import {
  cellDocument,
  cellOf,
  type DeletedFile,
  demandApplied,
  type FileChange,
  isNewFile,
  isTextual,
  targetOf,
  uriOf,
} from './fileChange.ts';
import { backUpFile, type FileBackup } from './diskEntries.ts';
import { KeptCells } from './keptCells.ts';
import { statOf } from './targets.ts';
import { smallestReplacement } from '../text/textEdits.ts';

/** Which steps of a change were done, by URI, as far as the disk does not show it. */
export interface DoneSteps {
  readonly created: ReadonlySet<string>;
  /** The texts as the change left them, by where the file is then. Empty until VS Code has made the change. */
  readonly written: ReadonlyMap<string, string>;
  /** What was on disk after saving. */
  readonly saved: ReadonlyMap<string, Uint8Array | undefined>;
}

/** A file as it was before it was changed. */
interface Backup {
  readonly change: FileChange;
  /** What was on disk; `undefined` where there was nothing. */
  readonly bytes: Uint8Array | undefined;
  /** The backup of a file that is deleted together with others. */
  readonly deleted: FileBackup | undefined;
  readonly wasUnsaved: boolean;
  /** The folders that a new file would create, the innermost first. */
  readonly missingFolders: readonly vscode.Uri[];
}

/** Backs up a file before it is changed. Rejects when something could be lost that cannot be kept. */
export async function backUp({ change }: { readonly change: FileChange }, { isDeletedWithOthers = false }): Promise<Backup> {
  const uri = uriOf(change);
  const isDeletion = change.kind === 'delete';
  const deleted = isDeletion && isDeletedWithOthers ? await backUpDeleted(uri) : undefined;
  return {
    change,
    bytes: isDeletion ? undefined : await bytesAt(uri),
    deleted,
    wasUnsaved: documentsOf(uri).some(({ isDirty }) => isDirty),
    missingFolders: await missingFoldersOf(targetOf(change)),
  };
}

/** Takes the changes back; returns the paths of those that could not be. */
export async function takeBack(backups: readonly Backup[], steps: DoneSteps): Promise<readonly string[]> {
  const left: string[] = [];
  for (const backup of [...backups].reverse()) {
    try {
      await restore(backup, steps);
    } catch {
      left.push(toClientPath(uriOf(backup.change)));
    }
  }
  return left;
}

async function restore(backup: Backup, steps: DoneSteps): Promise<void> {
  const { change, missingFolders } = backup;
  const uri = uriOf(change);
  const target = targetOf(change);
  if (isNewFile(change)) {
    // VS Code does not tell of a file that it made before another one failed, but it makes files empty first.
    if (steps.created.has(uri.toString()) || (await statOf(uri))?.size === 0) {
      const text = documentOf(uri)?.getText() ?? '';
      if (text !== '' && text !== steps.written.get(uri.toString())) {
        throw editorError('editor.notApplied'); // the person is writing in it
      }
      await demandDone((edit) => edit.deleteFile(uri));
    }
    await removeEmpty(missingFolders);
    return;
  }
  const isGone = (await statOf(uri)) === undefined;
  if (change.kind === 'delete') {
    await restoreDeleted(change, backup, isGone);
    return;
  }
  if (isGone && target.toString() !== uri.toString() && (await statOf(target)) !== undefined) {
    await demandDone((edit) => edit.renameFile(target, uri));
    await removeEmpty(missingFolders);
  }
  // VS Code makes all texts together: when none is written, what is in a document is the person's.
  if (steps.written.size > 0) {
    await restoreText(backup, steps);
  }
}

async function restoreDeleted(change: DeletedFile, { deleted, wasUnsaved }: Backup, isGone: boolean): Promise<void> {
  if (isGone) {
    if (deleted === undefined) {
      throw editorError('editor.notApplied');
    }
    await deleted.restore();
  }
  if (wasUnsaved && isTextual(change)) {
    const document = await vscode.workspace.openTextDocument(uriOf(change));
    // VS Code takes unsaved text for saved before it deletes a file, and reads the file anew later, so all of the text is written again.
    if (!document.isDirty) {
      const whole = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
      await demandDone((edit) => edit.replace(document.uri, whole, change.before));
    }
  }
}

/** Puts the text back, on disk too where it was saved. Rejects when anybody wrote in the file since: that text is theirs. */
async function restoreText({ change, bytes, wasUnsaved }: Backup, steps: DoneSteps): Promise<void> {
  const uri = uriOf(change);
  const key = targetOf(change).toString();
  const isSaved = steps.saved.has(key);
  if (change.kind === 'folder') {
    return; // what is in it was not changed
  }
  const document = change.kind === 'cell' ? cellDocument(change) : documentOf(uri);
  const text = document?.getText();
  const isOurs = text === undefined || text === change.before || text === steps.written.get(key);
  if ((isTextual(change) && !isOurs) || (isSaved && !sameBytes(await bytesAt(uri), steps.saved.get(key)))) {
    throw editorError('editor.notApplied');
  }
  if (document !== undefined && isTextual(change)) {
    await putBack(document, change.before, new KeptCells(change.kind === 'cell' ? [cellOf(change)] : []));
  }
  if (bytes === undefined) {
    if (isSaved) {
      throw editorError('editor.notApplied');
    }
    return;
  }
  const isOnDisk = sameBytes(await bytesAt(uri), bytes);
  if (!wasUnsaved && (isOnDisk || isSaved)) {
    // Saved so that nothing is unsaved; the bytes are the same.
    await Promise.all(documentsOf(uri).map((each) => (each.isDirty ? each.save() : Promise.resolve(true))));
  }
  if (isSaved && !sameBytes(await bytesAt(uri), bytes)) {
    await vscode.workspace.fs.writeFile(uri, bytes);
  }
}

async function putBack(document: vscode.TextDocument, before: string, cells: KeptCells): Promise<void> {
  if (document.getText() !== before) {
    const { start, end, newText } = smallestReplacement(document.getText(), before);
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    const edit = new vscode.WorkspaceEdit();
    await cells.around(edit, () => edit.replace(document.uri, range, newText));
    await demandApplied(edit);
    await cells.putBack();
  }
}

async function backUpDeleted(uri: vscode.Uri): Promise<FileBackup> {
  const bytes = uri.scheme === 'file' ? undefined : await bytesAt(uri);
  const kept = uri.scheme === 'file' ? await backUpFile(uri.fsPath) : undefined;
  if (kept === undefined && bytes === undefined) {
    throw editorError('editor.noBackup', { path: toClientPath(uri) });
  }
  return kept ?? { restore: async () => vscode.workspace.fs.writeFile(uri, bytes ?? new Uint8Array()) };
}

async function demandDone(fill: (edit: vscode.WorkspaceEdit) => void): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  fill(edit);
  await demandApplied(edit);
}

function sameBytes(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one !== undefined && other !== undefined && Buffer.compare(one, other) === 0;
}

function folderOf(uri: vscode.Uri): vscode.Uri {
  return uri.with({ path: posix.dirname(uri.path) });
}

async function missingFoldersOf(uri: vscode.Uri): Promise<readonly vscode.Uri[]> {
  const missing: vscode.Uri[] = [];
  for (let folder = folderOf(uri); folder.path.length > 1; folder = folderOf(folder)) {
    if ((await statOf(folder)) !== undefined) {
      break;
    }
    missing.push(folder);
  }
  return missing;
}

/** Removes folders that are empty: somebody else may use them by now. */
async function removeEmpty(folders: readonly vscode.Uri[]): Promise<void> {
  for (const folder of folders) {
    try {
      if ((await vscode.workspace.fs.readDirectory(folder)).length === 0) {
        await vscode.workspace.fs.delete(folder, { recursive: true });
      }
    } catch {
      return; // the folder was never made
    }
  }
}

function documentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

function documentsOf(uri: vscode.Uri): readonly (vscode.TextDocument | vscode.NotebookDocument)[] {
  const documents = [...vscode.workspace.textDocuments, ...vscode.workspace.notebookDocuments];
  return documents.filter((document) => document.uri.toString() === uri.toString());
}
