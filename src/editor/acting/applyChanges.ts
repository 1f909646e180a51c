import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { DisposableStore } from '../../base/lifecycle.ts';
import { toClientPath } from '../shared/clientUris.ts';
import { editorError } from '../shared/editorErrors.ts';
import { isNewFile, targetOf, uriOf } from './changeParts.ts';
import type { FileChange } from './changeReview.ts';
import { backUp, takeBack, type DoneSteps } from './takeBack.ts';
import { smallestReplacement } from './textEdits.ts';

export interface AcceptedChange {
  readonly change: FileChange;
  /** What the person left of it. */
  readonly text: string;
  readonly isToBeSaved: boolean;
}

/** Makes and saves all of it in one step that VS Code can undo; after a failure nothing of it stays. */
export async function applyChanges(accepted: readonly AcceptedChange[]): Promise<void> {
  if (accepted.length === 0) {
    return;
  }
  const backups = await Promise.all(accepted.map(({ change }) => backUp(change)));
  const edit = await toWorkspaceEdit(accepted);
  refuseTyped(accepted);
  const steps = new StepRecorder();
  try {
    // VS Code itself refuses what changes from here on.
    if (!(await vscode.workspace.applyEdit(edit))) {
      throw editorError('editor.notApplied');
    }
    for (const { change } of accepted.filter(({ isToBeSaved }) => isToBeSaved)) {
      await save(targetOf(change), steps);
    }
  } catch (error) {
    const left = await takeBack(backups, steps);
    const reason = messageOf(error);
    throw left.length === 0
      ? editorError('editor.takenBack', { reason }, { cause: error })
      : editorError('editor.notTakenBack', { reason, paths: left.join('", "') }, { cause: error });
  } finally {
    steps.dispose();
  }
  for (const { change } of accepted.filter((each) => isNewFile(each.change))) {
    await vscode.window.showTextDocument(uriOf(change), { preview: false, preserveFocus: true });
  }
}

/** Files first, because that is what a disk can refuse; and what is gone is the hardest to bring back. */
async function toWorkspaceEdit(accepted: readonly AcceptedChange[]): Promise<vscode.WorkspaceEdit> {
  const edit = new vscode.WorkspaceEdit();
  for (const { change } of accepted) {
    if (isNewFile(change)) {
      edit.createFile(uriOf(change), { overwrite: false, ignoreIfExists: false });
    } else if (change.kind === 'text' && change.moveTo !== undefined) {
      edit.renameFile(change.uri, change.moveTo, { overwrite: false, ignoreIfExists: false });
    }
  }
  for (const { change } of accepted) {
    if (change.kind === 'delete') {
      edit.deleteFile(change.uri, { recursive: false, ignoreIfNotExists: false });
    }
  }
  for (const each of accepted) {
    await addText(edit, each);
  }
  return edit;
}

async function addText(edit: vscode.WorkspaceEdit, { change, text }: AcceptedChange): Promise<void> {
  if (change.kind === 'delete') {
    return;
  }
  if (change.kind === 'text' && isNewFile(change)) {
    const lineEnd = change.eol === '\r\n' ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
    edit.set(change.uri, [vscode.TextEdit.insert(new vscode.Position(0, 0), text), vscode.TextEdit.setEndOfLine(lineEnd)]);
  } else if (text !== change.before) {
    const document =
      change.kind === 'cell' ? change.notebook.cellAt(change.index).document : await vscode.workspace.openTextDocument(change.uri);
    const { start, end, newText } = smallestReplacement(change.before, text);
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    edit.replace(change.kind === 'cell' ? document.uri : targetOf(change), range, newText);
  }
}

/** Looking at the files took time in which the person may have typed. */
function refuseTyped(accepted: readonly AcceptedChange[]): void {
  for (const { change } of accepted) {
    const document = change.kind === 'cell' ? change.notebook.cellAt(change.index).document : openDocumentOf(change.uri);
    if (document !== undefined && document.getText() !== change.before) {
      throw editorError('editor.changedWhileApplying', { path: toClientPath(uriOf(change)) });
    }
  }
}

async function save(uri: vscode.Uri, steps: StepRecorder): Promise<void> {
  const document = openDocumentOf(uri) ?? vscode.workspace.notebookDocuments.find((each) => each.uri.toString() === uri.toString());
  if (document?.isDirty === true) {
    if (!(await document.save())) {
      throw editorError('editor.notSaved', { path: toClientPath(uri) });
    }
    steps.saved.add(uri.toString());
  }
}

function openDocumentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

/** VS Code does not say how far it came when it fails, but it tells of every file it touches. */
class StepRecorder implements DoneSteps {
  readonly created = new Set<string>();
  readonly deleted = new Set<string>();
  readonly moved = new Set<string>();
  readonly saved = new Set<string>();
  readonly #lifetime = new DisposableStore();

  constructor() {
    this.#lifetime.add(vscode.workspace.onDidCreateFiles(({ files }) => files.forEach((uri) => this.created.add(uri.toString()))));
    this.#lifetime.add(vscode.workspace.onDidDeleteFiles(({ files }) => files.forEach((uri) => this.deleted.add(uri.toString()))));
    this.#lifetime.add(vscode.workspace.onDidRenameFiles(({ files }) => files.forEach(({ oldUri }) => this.moved.add(oldUri.toString()))));
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}
