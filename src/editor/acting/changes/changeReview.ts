import * as vscode from 'vscode';
import { hasCode } from '../../../base/errors.ts';
import { pathNotFound } from '../../../platform/paths/clientPath.ts';
import type { ChangeOrigin, ReviewOutcome } from '../../../server/seen/ports/actingPort.ts';
import { refuseLostCharacters } from '../../documents/encodings.ts';
import { refuseConflict } from '../../documents/savedTexts.ts';
import { toClientPath } from '../../shared/clientPlaces.ts';
import { editorError } from '../../shared/editorErrors.ts';
import { findNotebook, findTextDocument } from '../../shared/openDocuments.ts';
import type { FileAnswer, ProposedFile, ReviewPort } from '../actingViews.ts';
import { withEol } from '../text/textEdits.ts';
import { type AcceptedChange, applyChanges, madeEdits, type OnEdits } from './applyChanges.ts';
import { cellDocument, type FileChange, isInside, isNewFile, isTextual, mayTouch, openText, targetOf, uriOf } from './fileChange.ts';
import { filesToMove } from './folderMoves.ts';
import { isFree, openNotebook, refuseReadOnly, statOf } from './targets.ts';

export interface FileInReview {
  /** Where the file is now; after a move this is the new place. */
  readonly uri: vscode.Uri;
  readonly outcome: ReviewOutcome;
  /** Whether nothing of the file is unsaved. */
  readonly isSaved: boolean;
}

export interface ReviewedChanges {
  /** One entry for each change, in their order. A change that changes nothing counts as accepted. */
  readonly files: readonly FileInReview[];
  readonly reason?: string | undefined;
}

/** `save` asks for a review in which the person can accept and save at once. */
export type ReviewOrigin = ChangeOrigin & { readonly save?: boolean | undefined };

/** Shows changes to the person, and makes what they leave of them in one step: all of it, or nothing. */
export class ChangeReviewer {
  readonly #reviews: ReviewPort;
  readonly #onEdits: OnEdits;

  constructor(reviews: ReviewPort, onEdits: OnEdits = () => undefined) {
    this.#reviews = reviews;
    this.#onEdits = onEdits;
  }

  async review(changes: readonly FileChange[], origin: ReviewOrigin, signal: AbortSignal): Promise<ReviewedChanges> {
    const real = changes.filter(isChange);
    const answers = real.length === 0 ? [] : await this.#ask(real, origin, signal);
    return {
      files: changes.map((change) => {
        const index = real.indexOf(change);
        const outcome = index < 0 ? 'accepted' : outcomeFor(change, answers[index]);
        const uri = outcome === 'rejected' ? uriOf(change) : targetOf(change);
        return { uri, outcome, isSaved: isSaved(uri) };
      }),
      ...reasonOf(real, answers),
    };
  }

  /** Asks the person; the promise settles when what was accepted is made. */
  async #ask(changes: readonly FileChange[], origin: ReviewOrigin, signal: AbortSignal): Promise<readonly FileAnswer[]> {
    await refuseImpossible(changes, origin);
    const { author, description, save = false } = origin;
    const files = (await Promise.all(changes.map(toProposedFile))).map((file) => ({ ...file, hasUnsaved: !isSaved(file.uri) }));
    const marked = await Promise.all(changes.map(markShown));
    const answers = await this.#reviews.review({ author, description, asksToSave: save, files }, signal);
    const accepted: AcceptedChange[] = [];
    const shown: ShownChange[] = [];
    for (const [index, each] of marked.entries()) {
      const { change } = each;
      const answer = answers[index];
      if (answer?.kind === 'accepted' && outcomeFor(change, answer) !== 'rejected') {
        const isToBeSaved = answer.isToBeSaved && !savesMoreThanShown(change, files[index]);
        accepted.push({ change, text: finalText(change, answer), isToBeSaved });
        shown.push(each);
      }
    }
    await demandSame(shown, origin, (paths) => this.#reviews.tellChanged(author, paths));
    try {
      await applyChanges(accepted);
    } catch (error) {
      this.#reviews.tellNotMade(author, !hasCode(error, 'editor.notTakenBack'));
      throw error;
    }
    this.#onEdits(author, madeEdits(accepted));
    return answers;
  }
}

/** The outcome of a review as a whole. */
export function outcomeOf({ files }: ReviewedChanges): ReviewOutcome {
  const [first] = files;
  return first === undefined || files.every(({ outcome }) => outcome === first.outcome) ? (first?.outcome ?? 'accepted') : 'partlyAccepted';
}

function isChange(change: FileChange): boolean {
  if (change.kind === 'delete' || change.kind === 'folder') {
    return true;
  }
  return change.before !== change.after || (change.kind === 'text' && (change.document === undefined || change.moveTo !== undefined));
}

function finalText(change: FileChange, answer: FileAnswer & { readonly kind: 'accepted' }): string {
  return change.kind === 'delete' || change.kind === 'folder' ? '' : withEol(answer.text, change.eol);
}

/** The outcome for one file. A person who takes every block back rejects the change, whichever button they press then. */
function outcomeFor(change: FileChange, answer: FileAnswer | undefined): ReviewOutcome {
  if (answer?.kind !== 'accepted') {
    return 'rejected';
  }
  if (change.kind === 'delete' || change.kind === 'folder') {
    return 'accepted';
  }
  const final = finalText(change, answer);
  const isEdit = change.kind === 'cell' || (change.document !== undefined && change.moveTo === undefined);
  return final === change.after ? 'accepted' : isEdit && final === change.before ? 'rejected' : 'partlyAccepted';
}

/** The person's reasons for rejecting, each with its file unless all files have the same one. */
function reasonOf(changes: readonly FileChange[], answers: readonly FileAnswer[]): { readonly reason?: string } {
  const given = answers.flatMap((answer, index) => {
    const change = changes[index];
    const reason = answer.kind === 'rejected' ? answer.reason : undefined;
    return change === undefined || reason === undefined ? [] : [{ path: toClientPath(uriOf(change)), reason }];
  });
  const [first] = given;
  if (first === undefined) {
    return {};
  }
  const isCommon = given.every(({ reason }) => reason === first.reason);
  return { reason: isCommon ? first.reason : given.map(({ path, reason }) => `${path}: ${reason}`).join('\n') };
}

async function toProposedFile(change: FileChange): Promise<ProposedFile> {
  const uri = uriOf(change);
  const path = toClientPath(uri);
  switch (change.kind) {
    case 'cell': {
      const { languageId } = cellDocument(change);
      return { kind: 'cell', uri, path, cell: change.index, isText: true, before: change.before, after: change.after, languageId };
    }
    case 'delete': {
      const isText = isTextual(change) || (await statOf(uri))?.size === 0;
      return { kind: 'delete', uri, path, isText, before: change.before, after: '' };
    }
    case 'folder': {
      const newPath = toClientPath(change.moveTo);
      const list = (folder: string): string => [`${folder}/`, ...change.files.map((file) => `${folder}/${file}`), ''].join('\n');
      return { kind: 'move', uri, path, newPath, isText: false, before: list(path), after: list(newPath) };
    }
    case 'text': {
      const { document, moveTo, before, after } = change;
      if (moveTo !== undefined) {
        // No language is told here: it is that of the new name.
        return { kind: 'move', uri, path, newPath: toClientPath(moveTo), isText: document !== undefined, before, after };
      }
      const kind = document === undefined ? 'create' : 'change';
      return { kind, uri, path, isText: true, before, after, languageId: document?.languageId };
    }
  }
}

/**
 * Whether saving this cell would save more than the person was told of: a cell is saved with its whole notebook, and they may
 * have typed in that since.
 */
function savesMoreThanShown(change: FileChange, shown: ProposedFile | undefined): boolean {
  return change.kind === 'cell' && shown?.hasUnsaved !== true && !isSaved(uriOf(change));
}

/** Whether nothing is unsaved of a file, or of what is in a folder. */
function isSaved(uri: vscode.Uri): boolean {
  const documents = [...vscode.workspace.textDocuments, ...vscode.workspace.notebookDocuments];
  return !documents.some((document) => document.isDirty && (document.uri.toString() === uri.toString() || isInside(document.uri, uri)));
}

/** A change as it was shown. `mark` tells whether the file is still the same one, for files whose text does not tell it. */
interface ShownChange {
  readonly change: FileChange;
  readonly mark: string | undefined;
}

async function markShown(change: FileChange): Promise<ShownChange> {
  return { change, mark: change.kind === 'cell' ? undefined : await fileMark(change.uri) };
}

/** Rejects changes that cannot be made, so that nobody has to be asked about them. */
async function refuseImpossible(changes: readonly FileChange[], origin: ReviewOrigin): Promise<void> {
  for (const change of changes) {
    // A formatter or a language service may have taken its time since this was looked at.
    for (const uri of [uriOf(change), targetOf(change)]) {
      if (!mayTouch(uri, origin)) {
        throw pathNotFound(toClientPath(uri));
      }
    }
    if (change.kind !== 'delete' && change.kind !== 'folder' && (await origin.guard?.losesWithheld(change.before, change.after)) === true) {
      throw editorError('editor.withheldText');
    }
    await refuseUnwritable(change);
    await (origin.save === true ? refuseUnsavable(change) : undefined);
    if (change.kind === 'text' && (isNewFile(change) || change.before !== change.after)) {
      await refuseLostCharacters(change.uri, change.document, change.after);
    }
  }
}

/** Rejects when a file is no longer what the person saw: they answered about that text, and about no other file under its name. */
async function demandSame(shown: readonly ShownChange[], origin: ChangeOrigin, tell: (paths: readonly string[]) => void): Promise<void> {
  const isHidden = ({ change }: ShownChange): boolean => ![uriOf(change), targetOf(change)].every((uri) => mayTouch(uri, origin));
  const stale: string[] = [];
  for (const each of shown) {
    // A file that is withheld by now is not read, and what was read is not used if the file became withheld while reading.
    if (isHidden(each) || !(await isSame(each, origin)) || isHidden(each)) {
      stale.push(toClientPath(uriOf(each.change)));
    }
  }
  if (stale.length > 0) {
    tell(stale);
    const hidden = shown.find(isHidden);
    throw hidden === undefined
      ? editorError('editor.changedDuringReview', { path: stale.join('", "') })
      : pathNotFound(toClientPath(uriOf(hidden.change)));
  }
}

async function refuseUnwritable(change: FileChange): Promise<void> {
  const uri = uriOf(change);
  const path = toClientPath(uri);
  if (change.kind === 'text' && change.document !== undefined && change.before !== change.after) {
    await refuseReadOnly(change.document, path);
  } else if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) {
    throw editorError('editor.readOnly', { path });
  }
}

/** Rejects when the file cannot be saved because somebody else changed it on disk. */
async function refuseUnsavable(change: FileChange): Promise<void> {
  const key = uriOf(change).toString();
  const document = findNotebook(key) ?? findTextDocument(key);
  await (document === undefined || change.kind === 'delete' ? undefined : refuseConflict(document));
}

async function isSame({ change, mark }: ShownChange, origin: ChangeOrigin): Promise<boolean> {
  if (change.kind === 'cell') {
    // VS Code may have closed the notebook since: what counts is the cell at the same index now.
    const notebook = await openNotebook(toClientPath(change.notebook.uri), undefined).catch(() => undefined);
    return notebook !== undefined && change.index < notebook.cellCount && cellDocument(change).getText() === change.before;
  }
  if (change.kind === 'folder') {
    const files = await filesToMove(change.uri, change.moveTo, origin);
    return files?.join('\n') === change.files.join('\n') && (await isFree(change.moveTo, change.uri));
  }
  if (isNewFile(change)) {
    return (await statOf(change.uri)) === undefined && !isUnsaved(change.uri);
  }
  const isUntouched = isTextual(change)
    ? (await openText(change.uri))?.getText() === change.before
    : mark !== undefined && (await fileMark(change.uri)) === mark;
  return isUntouched && (change.kind === 'delete' || change.moveTo === undefined || (await isFree(change.moveTo, change.uri)));
}

function isUnsaved(uri: vscode.Uri): boolean {
  return findTextDocument(uri.toString())?.isDirty === true;
}

/** A mark of a file that is no text: its time and size, and the versions of what is unsaved in it. */
async function fileMark(uri: vscode.Uri): Promise<string | undefined> {
  const stat = await statOf(uri);
  const open = [...vscode.workspace.textDocuments, ...vscode.workspace.notebookDocuments];
  const unsaved = open.filter((document) => document.isDirty && document.uri.toString() === uri.toString());
  return stat === undefined ? undefined : [stat.mtime, stat.size, ...unsaved.map(({ version }) => version)].join(' ');
}
