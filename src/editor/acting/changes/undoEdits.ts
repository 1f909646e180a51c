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
  /** Where the file was before the edit. */
  readonly place: vscode.Uri;
  /** Whether some file is at that place now, although this one was moved away from it. */
  readonly isPlaceTaken: boolean;
  readonly document: vscode.TextDocument | undefined;
  readonly wasSaved: boolean;
}

/** Takes back every edit whose file is still as the edit left it. What anybody changed since is theirs, and stays. */
export async function undoEdits(edits: readonly MadeEdit[]): Promise<readonly UndoOutcome[]> {
  const found: (Step | UndoOutcome)[] = [];
  for (const edit of edits) {
    found.push(edit.isText ? await stepFor(edit) : 'notKept');
  }
  const { made, failed } = await makeInRounds(found.filter((step) => typeof step !== 'string'));
  return found.map((step) => {
    if (typeof step === 'string') {
      return step;
    }
    return made.has(step) ? 'undone' : failed.includes(step) ? 'failed' : 'changedSince';
  });
}

async function stepFor(edit: MadeEdit): Promise<Step | UndoOutcome> {
  let uri: vscode.Uri;
  let place: vscode.Uri;
  try {
    uri = fromClientPath(edit.path);
    place = edit.from === undefined ? uri : fromClientPath(edit.from);
  } catch {
    return 'failed'; // the path is no longer one of this workspace
  }
  const isPlaceTaken = edit.from !== undefined && (await statOf(place)) !== undefined;
  const document = await openText(uri);
  if (document?.getText() !== edit.after || (document === undefined && (await statOf(uri)) !== undefined)) {
    return 'changedSince';
  }
  return { edit, uri, place, isPlaceTaken, document, wasSaved: document?.isDirty !== true };
}

/** The steps but those whose file would go back to where something else is now, which no other of these steps takes away. */
function withPlaces(steps: readonly Step[]): readonly Step[] {
  const leaving = new Set(steps.filter(leavesPath).map(({ uri }) => uri.toString()));
  const left = steps.filter(({ isPlaceTaken, place }) => !isPlaceTaken || leaving.has(place.toString()));
  return left.length === steps.length ? left : withPlaces(left);
}

/** Whether nothing is at the path of the edit any more once it is undone. */
function leavesPath({ edit }: Step): boolean {
  return edit.before === undefined || edit.from !== undefined;
}

/**
 * Makes the steps, all at once if possible: a file that goes back to where another was moved to waits until that one has gone back,
 * because VS Code looks at all places of moves beforehand. What became impossible before its round is in neither list.
 */
async function makeInRounds(steps: readonly Step[]): Promise<{ readonly made: ReadonlySet<Step>; readonly failed: readonly Step[] }> {
  const made = new Set<Step>();
  let left = stillPossible(steps, made);
  while (left.length > 0) {
    const inTheWay = new Set(left.filter(({ edit }) => edit.from !== undefined).map(({ uri }) => uri.toString()));
    const ready = left.filter(({ isPlaceTaken, place }) => !isPlaceTaken || !inTheWay.has(place.toString()));
    if (ready.length === 0 || !(await isMade(ready))) {
      break;
    }
    ready.forEach((step) => made.add(step));
    left = stillPossible(left, made);
  }
  return { made, failed: left };
}

/** The steps beside those that were made whose text is still as the edit left it, and whose place is free or becomes so. */
function stillPossible(steps: readonly Step[], made: ReadonlySet<Step>): readonly Step[] {
  const unchanged = steps.filter(({ document, edit }) => document === undefined || document.getText() === edit.after);
  return withPlaces([...new Set([...made, ...unchanged])]).filter((step) => !made.has(step));
}

async function isMade(steps: readonly Step[]): Promise<boolean> {
  const change = new vscode.WorkspaceEdit();
  const isDeletion = ({ edit }: Step): boolean => edit.before === undefined;
  // What was created is gone before another file comes back to its place.
  for (const step of [...steps.filter(isDeletion), ...steps.filter((each) => !isDeletion(each))]) {
    await addTo(change, step);
  }
  if (!(await vscode.workspace.applyEdit(change))) {
    return false;
  }
  // What was on disk is on disk again; what the person had not saved stays unsaved.
  for (const { edit, place, wasSaved } of steps) {
    if (wasSaved && edit.before !== undefined) {
      await vscode.workspace.textDocuments.find((each) => each.uri.toString() === place.toString())?.save();
    }
  }
  return true;
}

async function addTo(change: vscode.WorkspaceEdit, { edit, uri, place, isPlaceTaken, document }: Step): Promise<void> {
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
  const { start, end, newText } = smallestReplacement(document.getText(), edit.before);
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  const isReplaced = start !== end || newText !== '';
  if (isReplaced && isPlaceTaken) {
    change.replace(uri, range, newText); // VS Code still knows another document at the place, with a version of its own
  }
  if (edit.from !== undefined) {
    change.renameFile(uri, place, { overwrite: false });
  }
  if (isReplaced && !isPlaceTaken) {
    change.replace(place, range, newText);
  }
}
