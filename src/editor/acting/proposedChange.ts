import * as vscode from 'vscode';
import { pathNotFound } from '../../base/pathNotFound.ts';
import type { ChangeGuard, FileProposal, WantedText } from '../../server/seen/ports/actingPort.ts';
import { wasReadWithLoss } from '../documents/encodings.ts';
import { readFileText } from '../documents/fileText.ts';
import { notebookText } from '../documents/notebookText.ts';
import type { TextVersions } from '../documents/versions.ts';
import { fromClientPath } from '../shared/clientUris.ts';
import { editorError } from '../shared/editorErrors.ts';
import { eolOf, type CellChange, type DeletedFile, type FileChange, type TextChange } from './changeReview.ts';
import { findDocument, isFree, isNotebook, openDocument, openNotebook, statOf } from './targets.ts';
import { withEol } from './textEdits.ts';
import { textWanted } from './wantedEdits.ts';

export interface ProposalContext {
  readonly versions: TextVersions;
  readonly guard?: ChangeGuard | undefined;
  readonly signal: AbortSignal;
}

/** What a client wants of one file, worked out on the file as it is now. */
export function changeOf(proposal: FileProposal, context: ProposalContext): Promise<FileChange> {
  const { path, change } = proposal;
  switch (change.kind) {
    case 'text':
      return textChange(proposal, change, context);
    case 'cell':
      return cellChange(proposal, change, context);
    case 'move':
      return movedFile(proposal, change, context);
    case 'delete':
      return deletedFile(path, proposal.expectedVersion, context);
  }
}

async function textChange({ path, expectedVersion }: FileProposal, wanted: WantedText, context: ProposalContext): Promise<TextChange> {
  refuseNotebook(path);
  const document = await findDocument(path);
  if (document !== undefined) {
    return changedText(document, { path, expectedVersion, wanted }, context);
  }
  if (!('newText' in wanted) || expectedVersion !== undefined) {
    throw pathNotFound(path);
  }
  return newFile(path, wanted.newText);
}

interface TextProposal {
  readonly path: string;
  readonly expectedVersion: string | undefined;
  readonly wanted: WantedText;
}

async function changedText(
  document: vscode.TextDocument,
  { path, expectedVersion, wanted }: TextProposal,
  { versions, guard }: ProposalContext,
): Promise<TextChange> {
  demandVersion(path, expectedVersion, [versions.ofDocument(document)]);
  if (await wasReadWithLoss(document)) {
    throw editorError('editor.readWithLoss', { path, encoding: document.encoding });
  }
  const eol = eolOf(document);
  const before = document.getText();
  return { kind: 'text', uri: document.uri, document, before, after: await textAfter(before, wanted, eol, guard), eol };
}

async function textAfter(before: string, wanted: WantedText, eol: '\n' | '\r\n', guard: ChangeGuard | undefined): Promise<string> {
  return textWanted(before, wanted, eol, await guard?.hideWithheld(before));
}

function newFile(path: string, newText: string): TextChange {
  const uri = fromClientPath(path);
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) {
    throw editorError('editor.folderReadOnly', { path });
  }
  const eol = newText.includes('\r\n') ? '\r\n' : '\n';
  return { kind: 'text', uri, document: undefined, before: '', after: withEol(newText, eol), eol };
}

async function cellChange(
  { path, expectedVersion }: FileProposal,
  { cell: index, ...wanted }: { readonly cell: number } & WantedText,
  { versions, guard, signal }: ProposalContext,
): Promise<CellChange> {
  const notebook = await openNotebook(path);
  if (index >= notebook.cellCount) {
    throw editorError('editor.noCell', { path, cell: index, count: notebook.cellCount });
  }
  const { document } = notebook.cellAt(index);
  const before = document.getText();
  if (expectedVersion !== undefined) {
    // Whichever text the client read: the cells, this cell, or the file while it was closed.
    const file = notebook.isDirty ? undefined : await readFileText(notebook.uri, path, signal).catch(() => undefined);
    const texts = [notebookText(notebook), before, ...(file === undefined ? [] : [file.text])];
    const known = texts.map((text) => versions.ofText(text));
    demandVersion(path, expectedVersion, known);
  }
  const eol = eolOf(document);
  return { kind: 'cell', notebook, index, before, after: await textAfter(before, wanted, eol, guard), eol };
}

async function movedFile(
  { path, expectedVersion }: FileProposal,
  { moveTo, text: wanted }: { readonly moveTo: string; readonly text?: WantedText | undefined },
  context: ProposalContext,
): Promise<TextChange> {
  const from = await demandFile(path);
  const to = fromClientPath(moveTo);
  if (to.scheme !== from.scheme) {
    throw editorError('editor.otherFileSystem', { path: moveTo });
  }
  if (!(await isFree(to, from))) {
    throw editorError('editor.exists', { path: moveTo });
  }
  if (wanted !== undefined) {
    refuseNotebook(path);
    const document = await openDocument(path);
    return { ...(await changedText(document, { path, expectedVersion, wanted }, context)), moveTo: to };
  }
  const document = await textDocumentOf(from, path);
  demandVersion(path, expectedVersion, document === undefined ? [] : [context.versions.ofDocument(document)]);
  const before = document?.getText() ?? '';
  return { kind: 'text', uri: from, document, before, after: before, eol: document === undefined ? '\n' : eolOf(document), moveTo: to };
}

async function deletedFile(path: string, expectedVersion: string | undefined, { versions }: ProposalContext): Promise<DeletedFile> {
  const uri = await demandFile(path);
  const document = await textDocumentOf(uri, path);
  demandVersion(path, expectedVersion, document === undefined ? [] : [versions.ofDocument(document)]);
  return { kind: 'delete', uri, before: document?.getText() ?? '' };
}

function demandVersion(path: string, expected: string | undefined, known: readonly string[]): void {
  if (expected !== undefined && !known.includes(expected)) {
    throw editorError('editor.changedSinceVersion', { path, expected, version: known[0] ?? '' });
  }
}

function refuseNotebook(path: string): void {
  if (isNotebook(fromClientPath(path))) {
    throw editorError('editor.notebookCells', { path });
  }
}

/** Only a file on its disk can be moved or deleted; folders hold what nobody was shown. */
async function demandFile(path: string): Promise<vscode.Uri> {
  const uri = fromClientPath(path);
  const stat = uri.scheme === 'untitled' ? undefined : await statOf(uri);
  if (stat === undefined) {
    throw pathNotFound(path);
  }
  if ((stat.type & vscode.FileType.Directory) !== 0) {
    throw editorError('editor.isFolder', { path });
  }
  return uri;
}

/** `undefined` for what is no text. */
async function textDocumentOf(uri: vscode.Uri, path: string): Promise<vscode.TextDocument | undefined> {
  if (isNotebook(uri)) {
    return undefined;
  }
  try {
    return await findDocument(path);
  } catch {
    return undefined;
  }
}
