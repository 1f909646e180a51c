import * as vscode from 'vscode';
import type { MadeEdit, UndoOutcome } from '../../../contract/chat/answerParts.ts';
import { encode } from '../../documents/encodings.ts';
import { fromClientPath } from '../../shared/clientPlaces.ts';
import { openText } from './fileChange.ts';
import { statOf } from './targets.ts';
import { smallestReplacement } from '../text/textEdits.ts';

interface Step {
  readonly edit: MadeEdit;
  readonly uri: vscode.Uri;
  readonly document: vscode.TextDocument | undefined;
  readonly wasSaved: boolean;
}

/** Takes back, in one step, every edit whose file is still as the edit left it. What anybody changed since is theirs, and stays. */
export async function undoEdits(edits: readonly MadeEdit[]): Promise<readonly UndoOutcome[]> {
  const outcomes: UndoOutcome[] = [];
  const steps: Step[] = [];
  for (const edit of edits) {
    const step = edit.isText ? await stepFor(edit) : 'notKept';
    outcomes.push(typeof step === 'string' ? step : 'undone');
    if (typeof step !== 'string') {
      steps.push(step);
    }
  }
  if (steps.length > 0 && !(await isMade(steps))) {
    return outcomes.map((outcome) => (outcome === 'undone' ? 'failed' : outcome));
  }
  return outcomes;
}

async function stepFor(edit: MadeEdit): Promise<Step | UndoOutcome> {
  let uri: vscode.Uri;
  try {
    uri = fromClientPath(edit.path);
    if (edit.from !== undefined && (await statOf(fromClientPath(edit.from))) !== undefined) {
      return 'changedSince'; // something else is now where the file was
    }
  } catch {
    return 'failed'; // the path is no longer one of this workspace
  }
  const document = await openText(uri);
  if (document?.getText() !== edit.after || (document === undefined && (await statOf(uri)) !== undefined)) {
    return 'changedSince';
  }
  return { edit, uri, document, wasSaved: document?.isDirty !== true };
}

async function isMade(steps: readonly Step[]): Promise<boolean> {
  const change = new vscode.WorkspaceEdit();
  for (const step of steps) {
    await addTo(change, step);
  }
  if (!(await vscode.workspace.applyEdit(change))) {
    return false;
  }
  // What was on disk is on disk again; what the person had not saved stays unsaved.
  for (const { edit, uri, wasSaved } of steps) {
    if (wasSaved && edit.before !== undefined) {
      const place = edit.from === undefined ? uri : fromClientPath(edit.from);
      await vscode.workspace.textDocuments.find((each) => each.uri.toString() === place.toString())?.save();
    }
  }
  return true;
}

async function addTo(change: vscode.WorkspaceEdit, { edit, uri, document }: Step): Promise<void> {
  if (edit.before === undefined) {
    change.deleteFile(uri, { ignoreIfNotExists: true });
    return;
  }
  if (document === undefined) {
    const { before, encoding } = edit;
    const contents = await encode(before, encoding === undefined ? { uri } : { encoding });
    change.createFile(uri, { overwrite: false, contents });
    return;
  }
  const place = edit.from === undefined ? uri : fromClientPath(edit.from);
  if (edit.from !== undefined) {
    change.renameFile(uri, place, { overwrite: false });
  }
  const { start, end, newText } = smallestReplacement(document.getText(), edit.before);
  if (start !== end || newText !== '') {
    change.replace(place, new vscode.Range(document.positionAt(start), document.positionAt(end)), newText);
  }
}
