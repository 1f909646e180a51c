import * as vscode from 'vscode';
import type { EditProposal, EditReview } from '../../server/seen/ports/actingPort.ts';
import { pathNotFound } from '../../base/pathNotFound.ts';
import { fromClientPath } from '../shared/clientUris.ts';
import { editorError } from '../shared/editorErrors.ts';
import type { TextVersions } from '../documents/versions.ts';
import { eolOf, outcomeOf, type ChangeReviewer, type TextChange } from './changeReview.ts';
import { findDocument } from './targets.ts';
import { applyRangeEdits, withEol } from './textEdits.ts';

/** Edits that a client wrote itself. */
export async function proposeEdit(
  { reviewer, versions }: { readonly reviewer: ChangeReviewer; readonly versions: TextVersions },
  proposal: EditProposal,
  signal: AbortSignal,
): Promise<EditReview> {
  const change = await changeOf(proposal, versions);
  const reviewed = await reviewer.review([change], proposal, signal);
  // The question may have been open for long: a path that is withheld by now is not read, and looks absent.
  const isSeen = (): boolean => proposal.guard?.mayTouch(proposal.path) !== false;
  const read = isSeen() ? await findDocument(proposal.path) : undefined;
  const after = isSeen() ? read : undefined;
  return {
    outcome: outcomeOf(reviewed),
    ...(reviewed.reason !== undefined && { reason: reviewed.reason }),
    text: after?.getText() ?? '',
    version: after === undefined ? '' : versions.ofDocument(after),
  };
}

async function changeOf({ path, change, expectedVersion }: EditProposal, versions: TextVersions): Promise<TextChange> {
  const document = await findDocument(path);
  if (document === undefined) {
    if (!('newText' in change) || expectedVersion !== undefined) {
      throw pathNotFound(path);
    }
    return newFile(path, change.newText);
  }
  const version = versions.ofDocument(document);
  if (expectedVersion !== undefined && expectedVersion !== version) {
    throw editorError('editor.changedSinceVersion', { path, expected: expectedVersion, version });
  }
  const eol = eolOf(document);
  const before = document.getText();
  const after = 'newText' in change ? withEol(change.newText, eol) : applyRangeEdits(before, change.edits, eol);
  return { kind: 'text', uri: document.uri, document, before, after, eol };
}

function newFile(path: string, newText: string): TextChange {
  const uri = fromClientPath(path);
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) {
    throw editorError('editor.folderReadOnly', { path });
  }
  const eol = newText.includes('\r\n') ? '\r\n' : '\n';
  return { kind: 'text', uri, document: undefined, before: '', after: withEol(newText, eol), eol };
}
