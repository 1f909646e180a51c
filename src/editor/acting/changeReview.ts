import * as vscode from 'vscode';
import type { ChangeOrigin, ReviewOutcome } from '../../server/seen/ports/actingPort.ts';
import { pathNotFound } from '../../base/pathNotFound.ts';
import { toClientPath } from '../shared/clientUris.ts';
import { refuseLostCharacters } from '../documents/encodings.ts';
import { editorError } from '../shared/editorErrors.ts';
import type { ProposedFile, ReviewPort } from './actingViews.ts';
import { refuseReadOnly } from './targets.ts';
import { smallestReplacement, withEol } from './textEdits.ts';

/** One file of a proposal, ready to be shown. */
export type FileChange = TextChange | DeletedFile | CellChange;

/** A text that somebody wants to put in place of another, and maybe in another place. */
export interface TextChange {
  readonly kind: 'text';
  readonly uri: vscode.Uri;
  /** None for a file that does not exist yet, and for one that is no text and is only moved. */
  readonly document: vscode.TextDocument | undefined;
  readonly before: string;
  readonly after: string;
  readonly eol: '\n' | '\r\n';
  readonly moveTo?: vscode.Uri | undefined;
}

export interface DeletedFile {
  readonly kind: 'delete';
  readonly uri: vscode.Uri;
  /** Empty when it is no text. */
  readonly before: string;
}

export interface CellChange {
  readonly kind: 'cell';
  readonly notebook: vscode.NotebookDocument;
  readonly index: number;
  readonly before: string;
  readonly after: string;
}

export interface ReviewedFile {
  /** Where it is now: after a move, the new place. */
  readonly uri: vscode.Uri;
  readonly outcome: ReviewOutcome;
  readonly isSaved: boolean;
}

export interface ReviewedChanges {
  /** In the order of the changes; one that changes nothing is accepted. */
  readonly files: readonly ReviewedFile[];
  readonly reason?: string | undefined;
}

/** `save` asks for a review in which the person can accept and save at once. */
export type ReviewOrigin = ChangeOrigin & { readonly save?: boolean | undefined };

/** Shows changes to the person, and makes what they leave of them in one step that can be undone. Nothing is saved. */
export class ChangeReviewer {
  readonly #reviews: ReviewPort;

  constructor(reviews: ReviewPort) {
    this.#reviews = reviews;
  }

  async review(changes: readonly FileChange[], origin: ReviewOrigin, signal: AbortSignal): Promise<ReviewedChanges> {
    const texts = changes.map(demandText);
    const real = texts.filter(isChange);
    if (real.length === 0) {
      return { files: texts.map(({ uri }) => ({ uri, outcome: 'accepted', isSaved: false })) };
    }
    await refuse(real, origin);
    const files = real.map(toProposedFile);
    const { author, description } = origin;
    const answer = await this.#reviews.review({ author, description, files }, signal);
    if (answer.kind === 'rejected') {
      return {
        files: texts.map((change) => ({ uri: change.uri, outcome: isChange(change) ? 'rejected' : 'accepted', isSaved: false })),
        ...(answer.reason !== undefined && { reason: answer.reason }),
      };
    }
    const finals = real.map((change, index) => withEol(answer.texts[index] ?? change.after, change.eol));
    await this.#demandSame(real, origin);
    await applyTexts(real, finals);
    return {
      files: texts.map((change) => {
        const index = real.indexOf(change);
        return { uri: change.uri, outcome: index < 0 || finals[index] === change.after ? 'accepted' : 'partlyAccepted', isSaved: false };
      }),
    };
  }

  /** The person answered about the text they saw; another one is another question, and another file under its name too. */
  async #demandSame(changes: readonly TextChange[], origin: ChangeOrigin): Promise<void> {
    const stale: string[] = [];
    for (const { uri, document, before } of changes) {
      // A file that is withheld by now is not read; nor is what was read used, if it was while reading.
      const text = mayTouch(uri, origin) ? await currentText(uri) : undefined;
      if (!mayTouch(uri, origin) || text !== (document === undefined ? undefined : before)) {
        stale.push(toClientPath(uri));
      }
    }
    if (stale.length > 0) {
      this.#reviews.tellChanged(origin.author, stale);
      const gone = changes.find(({ uri }) => !mayTouch(uri, origin));
      throw gone === undefined
        ? editorError('editor.changedDuringReview', { path: stale.join('", "') })
        : pathNotFound(toClientPath(gone.uri));
    }
  }
}

/** Of a review as a whole. */
export function outcomeOf({ files }: ReviewedChanges): ReviewOutcome {
  const [first] = files;
  return first === undefined || files.every(({ outcome }) => outcome === first.outcome) ? (first?.outcome ?? 'accepted') : 'partlyAccepted';
}

export function eolOf(document: vscode.TextDocument): '\n' | '\r\n' {
  return document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
}

export function mayTouch(uri: vscode.Uri, { guard }: ChangeOrigin): boolean {
  return guard?.mayTouch(toClientPath(uri)) !== false;
}

function demandText(change: FileChange): TextChange {
  if (change.kind !== 'text' || change.moveTo !== undefined) {
    throw editorError('editor.noPreview');
  }
  return change;
}

function isChange({ document, before, after }: TextChange): boolean {
  return document === undefined || before !== after;
}

async function refuse(changes: readonly TextChange[], origin: ChangeOrigin): Promise<void> {
  const { guard } = origin;
  for (const { uri, document, before, after } of changes) {
    // A formatter or a language service may have taken its time since this was looked at.
    if (!mayTouch(uri, origin)) {
      throw pathNotFound(toClientPath(uri));
    }
    if ((await guard?.losesWithheld(before, after)) === true) {
      throw editorError('editor.withheldText');
    }
    await refuseLostCharacters(uri, document, after);
    if (document !== undefined) {
      await refuseReadOnly(document, toClientPath(uri));
    }
  }
}

function toProposedFile({ uri, document, before, after }: TextChange): ProposedFile {
  const path = toClientPath(uri);
  return { uri, path, isNew: document === undefined, before, after, languageId: document?.languageId };
}

/** `undefined` when there is no such file. */
async function currentText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return (await vscode.workspace.openTextDocument(uri)).getText();
  } catch {
    return undefined;
  }
}

async function applyTexts(changes: readonly TextChange[], finals: readonly string[]): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const touched: vscode.Uri[] = [];
  const expected: { readonly document: vscode.TextDocument; readonly text: string }[] = [];
  for (const [index, { uri, document, before, eol }] of changes.entries()) {
    const final = finals[index] ?? before;
    if (document === undefined) {
      const lineEnd = eol === '\r\n' ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
      edit.createFile(uri, { overwrite: false, ignoreIfExists: false });
      edit.set(uri, [vscode.TextEdit.insert(new vscode.Position(0, 0), final), vscode.TextEdit.setEndOfLine(lineEnd)]);
      touched.push(uri);
    } else if (final !== before) {
      const now = await vscode.workspace.openTextDocument(uri);
      expected.push({ document: now, text: before });
      const { start, end, newText } = smallestReplacement(before, final);
      edit.replace(uri, new vscode.Range(now.positionAt(start), now.positionAt(end)), newText);
      touched.push(uri);
    }
  }
  // Opening took time in which the person may have typed; VS Code itself refuses what changes from here on.
  const stale = expected.find(({ document, text }) => document.getText() !== text);
  if (stale !== undefined) {
    throw editorError('editor.changedWhileApplying', { path: toClientPath(stale.document.uri) });
  }
  if (touched.length > 0 && !(await vscode.workspace.applyEdit(edit))) {
    throw editorError('editor.notApplied');
  }
  for (const { uri } of changes.filter(({ document }) => document === undefined)) {
    await vscode.window.showTextDocument(uri, { preview: false, preserveFocus: true });
  }
}
