import * as vscode from 'vscode';
import { bytesAt } from '../../documents/encodings.ts';
import { atMost } from '../../../base/abort.ts';
import { messageOf } from '../../../base/errors.ts';
import { DisposableStore } from '../../../base/lifecycle.ts';
import type { MadeEdit } from '../../../contract/chat/answerParts.ts';
import type { Author } from '../../../server/seen/ports/actingPort.ts';
import { saveChecked } from '../../documents/savedTexts.ts';
import { toClientPath } from '../../shared/clientPlaces.ts';
import { editorError } from '../../shared/editorErrors.ts';
import { findNotebook, findTextDocument } from '../../shared/openDocuments.ts';
import { smallestReplacement } from '../text/textEdits.ts';
import { cellDocument, cellOf, demandApplied, type FileChange, isNewFile, isTextual, targetOf, uriOf } from './fileChange.ts';
import { KeptCells } from './keptCells.ts';
import { backUp, type DoneSteps, takeBack } from './takeBack.ts';

/** How long a new file that does not open may hold up the answer. */
const showingMs = 3_000;

export interface AcceptedChange {
  readonly change: FileChange;
  /** The text that the person left of the proposal. */
  readonly text: string;
  readonly isToBeSaved: boolean;
}

/** Makes and saves all accepted changes. After a failure nothing of them stays, except where the person has typed since. */
export async function applyChanges(accepted: readonly AcceptedChange[]): Promise<void> {
  if (accepted.length === 0) {
    return;
  }
  const deletions = accepted.filter(({ change }) => change.kind === 'delete');
  const others = accepted.filter(({ change }) => change.kind !== 'delete');
  // A single deletion is the last of all steps and needs no backup: where it fails, it did nothing.
  const backups = await Promise.all(accepted.map((each) => backUp(each, { isDeletedWithOthers: deletions.length > 1 })));
  const cells = changedCells(others);
  const edit = await toWorkspaceEdit(others, cells);
  refuseTyped(accepted);
  const steps = new StepRecorder();
  try {
    if (others.length > 0) {
      // VS Code itself refuses what changes from here on.
      await demandApplied(edit);
      await cells.putBack();
      others.forEach(({ change, text }) => steps.written.set(targetOf(change).toString(), text));
    }
    for (const { change } of others.filter(({ isToBeSaved }) => isToBeSaved)) {
      await save(change, steps);
    }
    await saveKept(others, cells, steps);
    if (deletions.length > 0) {
      refuseTyped(deletions);
      await demandApplied(toDeletions(deletions));
    }
  } catch (error) {
    await cells.putBack().catch(() => undefined);
    const left = await takeBack(backups, steps);
    const reason = messageOf(error);
    throw left.length === 0
      ? editorError('editor.takenBack', { reason }, { cause: error })
      : editorError('editor.notTakenBack', { reason, paths: left.join('", "') }, { cause: error });
  } finally {
    steps.dispose();
  }
  await showFirstNew(others);
}

function changedCells(accepted: readonly AcceptedChange[]): KeptCells {
  return new KeptCells(accepted.flatMap(({ change, text }) => (change.kind === 'cell' && text !== change.before ? [cellOf(change)] : [])));
}

/** Saves notebooks again whose cells lost something while they were saved, as when they were formatted then. */
async function saveKept(accepted: readonly AcceptedChange[], cells: KeptCells, steps: StepRecorder): Promise<void> {
  const saved = accepted.filter(({ change, isToBeSaved }) => isToBeSaved && change.kind === 'cell');
  if (saved.length > 0 && !cells.isKept()) {
    await cells.putBack();
    for (const { change } of saved) {
      await save(change, steps);
    }
  }
}

/** Shows the first new file. One tab is enough, and a file that cannot be shown is made nevertheless. */
async function showFirstNew(accepted: readonly AcceptedChange[]): Promise<void> {
  const first = accepted.find(({ change }) => isNewFile(change));
  if (first !== undefined) {
    const shown = vscode.window.showTextDocument(uriOf(first.change), { preview: false, preserveFocus: true });
    await atMost(shown, showingMs).catch(() => undefined);
  }
}

/** The edit creates and moves files first, because that is what a disk can refuse. */
async function toWorkspaceEdit(accepted: readonly AcceptedChange[], cells: KeptCells): Promise<vscode.WorkspaceEdit> {
  const edit = new vscode.WorkspaceEdit();
  for (const { change } of accepted) {
    if (isNewFile(change)) {
      edit.createFile(uriOf(change), { overwrite: false, ignoreIfExists: false });
    } else if ((change.kind === 'text' || change.kind === 'folder') && change.moveTo !== undefined) {
      edit.renameFile(change.uri, change.moveTo, { overwrite: false, ignoreIfExists: false });
    }
  }
  await cells.around(edit, async () => {
    for (const each of accepted) {
      await addText(edit, each);
    }
  });
  return edit;
}

/** Deletions are an edit of their own, after everything that can fail: what is gone is the hardest to bring back. */
function toDeletions(deletions: readonly AcceptedChange[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const { change } of deletions) {
    edit.deleteFile(uriOf(change), { recursive: false, ignoreIfNotExists: false });
  }
  return edit;
}

async function addText(edit: vscode.WorkspaceEdit, { change, text }: AcceptedChange): Promise<void> {
  if (change.kind === 'delete' || change.kind === 'folder') {
    return;
  }
  if (change.kind === 'text' && isNewFile(change)) {
    const lineEnd = change.eol === '\r\n' ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
    edit.set(change.uri, [vscode.TextEdit.insert(new vscode.Position(0, 0), text), vscode.TextEdit.setEndOfLine(lineEnd)]);
  } else if (text !== change.before) {
    const document = change.kind === 'cell' ? cellDocument(change) : await vscode.workspace.openTextDocument(change.uri);
    const { start, end, newText } = smallestReplacement(change.before, text);
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    edit.replace(change.kind === 'cell' ? document.uri : targetOf(change), range, newText);
  }
}

/** Rejects when the person typed in one of the files while they were looked at. */
function refuseTyped(accepted: readonly AcceptedChange[]): void {
  for (const { change } of accepted) {
    if (change.kind === 'folder' || !isTextual(change)) {
      continue;
    }
    const document = change.kind === 'cell' ? cellDocument(change) : findTextDocument(change.uri.toString());
    if (document !== undefined && document.getText() !== change.before) {
      throw editorError('editor.changedWhileApplying', { path: toClientPath(uriOf(change)) });
    }
  }
}

async function save(change: FileChange, steps: StepRecorder): Promise<void> {
  const uri = targetOf(change);
  const key = uri.toString();
  const document = findTextDocument(key) ?? findNotebook(key);
  if (document?.isDirty === true) {
    await saveChecked(document);
    steps.saved.set(key, await bytesAt(uri));
    // What runs on saving may have changed the text further; if it is unsaved again, the person has typed.
    if (!isUnsaved(document)) {
      const text = change.kind === 'cell' ? cellDocument(change) : findTextDocument(key);
      steps.written.set(key, text?.getText() ?? '');
    }
  }
}

function isUnsaved({ isDirty }: { readonly isDirty: boolean }): boolean {
  return isDirty;
}

/** Records what was done so far: VS Code does not say how far it came when it fails, but it tells of the files it made. */
class StepRecorder implements DoneSteps {
  readonly created = new Set<string>();
  readonly written = new Map<string, string>();
  readonly saved = new Map<string, Uint8Array | undefined>();
  readonly #lifetime = new DisposableStore();

  constructor() {
    this.#lifetime.add(vscode.workspace.onDidCreateFiles(({ files }) => files.forEach((uri) => this.created.add(uri.toString()))));
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}

/** A listener that is told of every change that was made for somebody, after it was made. */
export type OnEdits = (author: Author, edits: readonly MadeEdit[]) => void;

/** Describes the changes by the files as they are now: what runs on saving may have changed them further. */
export function madeEdits(accepted: readonly AcceptedChange[]): readonly MadeEdit[] {
  return accepted.map(({ change, text }) => {
    const target = targetOf(change);
    const path = toClientPath(target);
    if (change.kind === 'cell' || change.kind === 'folder' || !isTextual(change)) {
      const from = toClientPath(uriOf(change));
      return { path, ...(from !== path && { from }), isText: false };
    }
    if (change.kind === 'delete') {
      const { before, encoding } = change;
      return { path, before, ...(encoding !== undefined && { encoding }), isText: true };
    }
    return {
      path,
      ...(change.moveTo !== undefined && { from: toClientPath(change.uri) }),
      ...(!isNewFile(change) && { before: change.before }),
      after: findTextDocument(target.toString())?.getText() ?? text,
      isText: true,
    };
  });
}
