import * as vscode from 'vscode';
import { hasCode, messageOf } from '../../../base/errors.ts';
import { pathNotFound } from '../../../platform/paths/clientPath.ts';
import { RealPaths } from '../../../platform/paths/realPath.ts';
import type {
  ChangeGuard,
  EditsProposal,
  EditsReview,
  FileProposal,
  FileReview,
  WantedText,
} from '../../../server/seen/ports/actingPort.ts';
import { wasReadWithLoss } from '../../documents/encodings.ts';
import { decodeFile, readFileBytes, readFileText } from '../../documents/diskFile.ts';
import { notebookText } from '../../documents/readDocument.ts';
import type { TextVersions } from '../../documents/versions.ts';
import { fromClientPath, toClientPath } from '../../shared/clientPlaces.ts';
import { editorError } from '../../shared/editorErrors.ts';
import { withEol } from '../text/textEdits.ts';
import { textWanted } from '../text/wantedEdits.ts';
import type { ChangeReviewer, FileInReview } from './changeReview.ts';
import { type CellChange, type DeletedFile, eolOf, type FileChange, type TextChange } from './fileChange.ts';
import { movedFolder, refuseInsideMoved } from './folderMoves.ts';
import { findDocument, isFree, isNotebook, openDocument, openNotebook, statOf } from './targets.ts';

/** Changes that a client wrote itself: each is worked out on its file as it is now, and all are reviewed together. */
export async function proposeToPerson(
  { reviewer, versions }: { readonly reviewer: ChangeReviewer; readonly versions: TextVersions },
  proposal: EditsProposal,
  signal: AbortSignal,
): Promise<EditsReview> {
  const { files, guard } = proposal;
  refuseNamedTwice(files);
  const changes: FileChange[] = [];
  for (const file of files) {
    changes.push(await namingFile(file, files.length > 1, { versions, guard, signal }));
  }
  refuseInsideMoved(changes);
  const { files: reviewed, reason } = await reviewer.review(changes, proposal, signal);
  const settled: FileReview[] = [];
  for (const [index, change] of changes.entries()) {
    const file = reviewed[index];
    if (file !== undefined) {
      settled.push(await reviewOf(change, file, versions, guard));
    }
  }
  return { files: settled, ...(reason !== undefined && { reason }) };
}

/** Rejects when two changes are about one file, under whatever names: a link counts as the file that it leads to. */
function refuseNamedTwice(files: readonly FileProposal[]): void {
  const realPaths = new RealPaths();
  const placeOf = (path: string): string => {
    const uri = fromClientPath(path);
    return uri.scheme === 'file' ? (realPaths.of(uri.fsPath) ?? uri.fsPath) : uri.toString();
  };
  const named = files.map(({ path, change }) => {
    const paths = change.kind === 'move' ? [path, change.moveTo] : [path];
    return { path, places: paths.map(placeOf) };
  });
  const path = firstNamedTwice(named);
  if (path !== undefined) {
    throw editorError('editor.namedTwice', { path });
  }
}

/** Works out one change; with several files, an error says which one it is about. */
async function namingFile(file: FileProposal, isOneOfMany: boolean, context: ProposalContext): Promise<FileChange> {
  try {
    return await changeOf(file, context);
  } catch (error) {
    const problem = messageOf(error);
    throw isOneOfMany && !problem.includes(`"${file.path}"`)
      ? editorError('editor.inFile', { path: file.path, problem }, { cause: error })
      : error;
  }
}

async function reviewOf(
  change: FileChange,
  { uri, outcome, isSaved }: FileInReview,
  versions: TextVersions,
  guard: ChangeGuard | undefined,
): Promise<FileReview> {
  const path = toClientPath(uri);
  const isGone = change.kind === 'delete' && outcome !== 'rejected';
  const now = isGone ? undefined : await textNow(change, path, versions, guard);
  const isProposed = now === undefined || change.kind === 'delete' || change.kind === 'folder' || now.text === change.after;
  const text = isProposed ? {} : { text: now.text };
  const movedFiles = change.kind === 'folder' && outcome === 'accepted' ? { movedFiles: change.files.length } : {};
  return { path, outcome, ...text, version: now?.version ?? '', isSaved, ...movedFiles };
}

/**
 * The text of the file as it is now. The question may have been open for long: a path that is withheld by now is not read, and
 * looks absent.
 */
async function textNow(
  change: FileChange,
  path: string,
  versions: TextVersions,
  guard: ChangeGuard | undefined,
): Promise<{ readonly text: string; readonly version: string } | undefined> {
  const isSeen = (): boolean => guard?.mayTouch(path) !== false;
  if (!isSeen()) {
    return undefined;
  }
  if (change.kind === 'cell') {
    const { index } = change;
    const notebook = await openNotebook(path, guard).catch(() => undefined);
    return notebook === undefined || index >= notebook.cellCount || !isSeen()
      ? undefined
      : { text: notebook.cellAt(index).document.getText(), version: versions.ofText(notebookText(notebook)) };
  }
  const document = await findDocument(path, guard).catch(() => undefined); // the file is no text
  return document === undefined || !isSeen() ? undefined : { text: document.getText(), version: versions.ofDocument(document) };
}

interface ProposalContext {
  readonly versions: TextVersions;
  readonly guard?: ChangeGuard | undefined;
  readonly signal: AbortSignal;
}

/** Works out what a client wants of one file, on the file as it is now. */
function changeOf(proposal: FileProposal, context: ProposalContext): Promise<FileChange> {
  const { path, change } = proposal;
  switch (change.kind) {
    case 'text':
      return textChange(proposal, change, context);
    case 'cell':
      return cellChange(proposal, change, context);
    case 'move':
      return moved(proposal, change, context);
    case 'delete':
      return deletedFile(path, proposal.expectedVersion, context);
  }
}

async function textChange({ path, expectedVersion }: FileProposal, wanted: WantedText, context: ProposalContext): Promise<TextChange> {
  refuseNotebook(path);
  const document = await findDocument(path, context.guard);
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
  const notebook = await openNotebook(path, guard);
  if (index >= notebook.cellCount) {
    throw editorError('editor.noCell', { path, cell: index, count: notebook.cellCount });
  }
  const { document } = notebook.cellAt(index);
  const before = document.getText();
  if (expectedVersion !== undefined) {
    const known = await versionsOfNotebook(notebook, path, { versions, signal });
    demandVersion(path, expectedVersion, [...known, versions.ofText(before)]);
  }
  const eol = eolOf(document);
  return { kind: 'cell', notebook, index, before, after: await textAfter(before, wanted, eol, guard), eol };
}

async function moved(
  proposal: FileProposal,
  change: { readonly moveTo: string; readonly text?: WantedText | undefined },
  context: ProposalContext,
): Promise<FileChange> {
  const uri = fromClientPath(proposal.path);
  const isFolder = ((await statOf(uri))?.type ?? 0) & vscode.FileType.Directory;
  return isFolder === 0 ? movedFile(proposal, change, context) : movedFolder(proposal, change, context);
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
    const document = await openDocument(path, context.guard);
    return { ...(await changedText(document, { path, expectedVersion, wanted }, context)), moveTo: to };
  }
  const document = await textDocumentOf(from, path, context.guard);
  await demandKnownVersion({ uri: from, path, document, expectedVersion }, context);
  const before = document?.getText() ?? '';
  return { kind: 'text', uri: from, document, before, after: before, eol: document === undefined ? '\n' : eolOf(document), moveTo: to };
}

async function deletedFile(path: string, expectedVersion: string | undefined, context: ProposalContext): Promise<DeletedFile> {
  const uri = await demandFile(path);
  const document = await textDocumentOf(uri, path, context.guard);
  await demandKnownVersion({ uri, path, document, expectedVersion }, context);
  return { kind: 'delete', uri, before: document?.getText() ?? '', encoding: document?.encoding };
}

/** A file that is moved or deleted as a whole. */
interface WholeFile {
  readonly uri: vscode.Uri;
  readonly path: string;
  readonly document: vscode.TextDocument | undefined;
  readonly expectedVersion: string | undefined;
}

/** Rejects when the file has another version than the client expects. What is no text has one, too: of its cells or its bytes. */
async function demandKnownVersion({ uri, path, document, expectedVersion }: WholeFile, context: ProposalContext): Promise<void> {
  if (expectedVersion === undefined) {
    return;
  }
  const { versions, guard, signal } = context;
  if (document !== undefined) {
    demandVersion(path, expectedVersion, [versions.ofDocument(document)]);
    return;
  }
  const notebook = isNotebook(uri) ? await openNotebook(path, guard).catch(() => undefined) : undefined;
  if (notebook !== undefined) {
    demandVersion(path, expectedVersion, await versionsOfNotebook(notebook, path, context));
    return;
  }
  const { bytes, realPath } = await readFileBytes(uri, path, signal);
  if (realPath !== undefined && guard?.mayTouch(realPath) === false) {
    throw pathNotFound(path);
  }
  // A notebook that VS Code cannot open is read as text.
  const version = isNotebook(uri) ? versions.ofText(await decodeFile(bytes, { uri }, path)) : versions.ofBytes(bytes);
  demandVersion(path, expectedVersion, [version]);
}

/** The versions of whichever text a client may have read: of all cells, or of the file while it was closed. */
async function versionsOfNotebook(
  notebook: vscode.NotebookDocument,
  path: string,
  { versions, signal }: Pick<ProposalContext, 'versions' | 'signal'>,
): Promise<string[]> {
  const file = notebook.isDirty ? undefined : await readFileText(notebook.uri, path, signal).catch(() => undefined);
  return [notebookText(notebook), ...(file === undefined ? [] : [file.text])].map((text) => versions.ofText(text));
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

/** The URI of a file that can be moved or deleted. It must exist, and be no folder. */
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

/** The document of a file; `undefined` for a file that is no text. */
async function textDocumentOf(uri: vscode.Uri, path: string, guard: ChangeGuard | undefined): Promise<vscode.TextDocument | undefined> {
  if (isNotebook(uri)) {
    return undefined;
  }
  try {
    return await findDocument(path, guard);
  } catch (error) {
    if (hasCode(error, 'editor.notText') || hasCode(error, 'editor.binary') || hasCode(error, 'editor.tooLarge')) {
      return undefined;
    }
    throw error;
  }
}

/** The places that one change is about: where its file is, and where the file goes. */
export interface NamedPlaces {
  readonly path: string;
  readonly places: readonly string[];
}

/** The path of the first change that is about a place of an earlier change: neither would know what the other makes of it. */
export function firstNamedTwice(changes: readonly NamedPlaces[]): string | undefined {
  const taken = new Set<string>();
  for (const { path, places } of changes) {
    if (places.some((place) => taken.has(place))) {
      return path;
    }
    places.forEach((place) => taken.add(place));
  }
  return undefined;
}
