import { posix } from 'node:path';
import * as vscode from 'vscode';
import { toClientPath } from '../shared/clientUris.ts';
import { editorError } from '../shared/editorErrors.ts';
import { isNewFile, isTextual, targetOf, uriOf } from './changeParts.ts';
import type { FileChange } from './changeReview.ts';
import { statOf } from './targets.ts';
import { smallestReplacement } from './textEdits.ts';

/** What of a change was done, by URI, where the disk does not show it. */
export interface DoneSteps {
  readonly created: ReadonlySet<string>;
  readonly saved: ReadonlySet<string>;
}

/** A file as it was before it was changed. */
interface Backup {
  readonly change: FileChange;
  /** On disk; none where nothing was. */
  readonly bytes: Uint8Array | undefined;
  readonly wasUnsaved: boolean;
  /** That a new file would create, the innermost first. */
  readonly missingFolders: readonly vscode.Uri[];
}

export async function backUp(change: FileChange): Promise<Backup> {
  const uri = uriOf(change);
  return {
    change,
    bytes: await bytesOf(uri),
    wasUnsaved: documentsOf(uri).some(({ isDirty }) => isDirty),
    missingFolders: await missingFoldersOf(targetOf(change)),
  };
}

/** Returns the paths of what could not be taken back. */
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
  const { change, bytes, missingFolders } = backup;
  const uri = uriOf(change);
  const target = targetOf(change);
  if (isNewFile(change)) {
    // VS Code does not tell of a file that it made before another one failed; it makes them empty.
    if (steps.created.has(uri.toString()) || (await statOf(uri))?.size === 0) {
      await demandApplied((edit) => edit.deleteFile(uri));
    }
    await removeEmpty(missingFolders);
    return;
  }
  const isGone = (await statOf(uri)) === undefined;
  if (isGone && target.toString() !== uri.toString() && (await statOf(target)) !== undefined) {
    await demandApplied((edit) => edit.renameFile(target, uri));
    await removeEmpty(missingFolders);
  }
  if (change.kind === 'delete' && isGone && bytes !== undefined) {
    await vscode.workspace.fs.writeFile(uri, bytes);
  }
  await restoreText(backup, steps.saved.has(target.toString()));
}

/** A text that was saved goes back to the disk too. */
async function restoreText({ change, bytes, wasUnsaved }: Backup, isSaved: boolean): Promise<void> {
  const uri = uriOf(change);
  const document = change.kind === 'cell' ? change.notebook.cellAt(change.index).document : documentOf(uri);
  if (document !== undefined && isTextual(change) && document.getText() !== change.before) {
    const { start, end, newText } = smallestReplacement(document.getText(), change.before);
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    await demandApplied((edit) => edit.replace(document.uri, range, newText));
  }
  if (bytes === undefined) {
    return;
  }
  const isOnDisk = sameBytes(await bytesOf(uri), bytes);
  if (!wasUnsaved && (isOnDisk || isSaved)) {
    // Not to write it, but to have nothing unsaved.
    await Promise.all(documentsOf(uri).map((each) => (each.isDirty ? each.save() : Promise.resolve(true))));
  }
  if (isSaved && !sameBytes(await bytesOf(uri), bytes)) {
    await vscode.workspace.fs.writeFile(uri, bytes);
  }
}

async function demandApplied(fill: (edit: vscode.WorkspaceEdit) => void): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  fill(edit);
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw editorError('editor.notApplied');
  }
}

async function bytesOf(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  try {
    return await vscode.workspace.fs.readFile(uri);
  } catch {
    return undefined;
  }
}

function sameBytes(one: Uint8Array | undefined, other: Uint8Array): boolean {
  return one !== undefined && Buffer.compare(one, other) === 0;
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

/** Somebody else may use them by now. */
async function removeEmpty(folders: readonly vscode.Uri[]): Promise<void> {
  for (const folder of folders) {
    try {
      if ((await vscode.workspace.fs.readDirectory(folder)).length === 0) {
        await vscode.workspace.fs.delete(folder, { recursive: true });
      }
    } catch {
      return; // never made
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
