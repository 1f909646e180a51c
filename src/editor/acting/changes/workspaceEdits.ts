import * as vscode from 'vscode';
import { editorError } from '../../shared/editorErrors.ts';
import type { ChangeGuard, ChangeOrigin, ChangeReview, RangeEdit } from '../../../server/seen/ports/actingPort.ts';
import { refuseLostCharacters } from '../../documents/encodings.ts';
import { toClientPath } from '../../shared/clientPlaces.ts';
import type { NoticePort } from '../actingViews.ts';
import { outcomeOf, type ChangeReviewer, type ReviewOrigin } from './changeReview.ts';
import { eolOf, mayTouch, type TextChange } from './fileChange.ts';
import { checkedText, statOf } from './targets.ts';
import { applyRangeEdits } from '../text/textEdits.ts';

/** More diffs than this would bury the person in tabs: VS Code's own preview of changes lists files in one place. */
const maxDiffs = 12;

type Entry =
  | { readonly kind: 'text'; readonly uri: vscode.Uri; readonly edit: vscode.TextEdit }
  | { readonly kind: 'file'; readonly from: vscode.Uri | undefined; readonly to: vscode.Uri | undefined; readonly options: FileOptions };

interface FileOptions {
  readonly overwrite?: boolean;
  readonly ignoreIfExists?: boolean;
  readonly ignoreIfNotExists?: boolean;
  readonly recursive?: boolean;
}

/**
 * Has the person review changes that a language service proposed, like a client's own: as diffs, or by VS Code itself where files
 * move.
 */
export async function reviewWorkspaceEdit(
  edit: vscode.WorkspaceEdit,
  { reviewer, notices, origin, signal }: { reviewer: ChangeReviewer; notices: NoticePort; origin: ReviewOrigin; signal: AbortSignal },
): Promise<ChangeReview> {
  const entries = entriesOf(edit).filter((entry) => urisOf(entry).every((uri) => isForClient(uri, origin)));
  const texts = groupByFile(entries);
  if (entries.some(({ kind }) => kind === 'file') || texts.length > maxDiffs) {
    await refuseLost(texts, origin.guard, signal);
    return confirmInVsCode(entries, notices.changeLabel(origin.author), signal);
  }
  const changes = await Promise.all(texts.map(([uri, edits]) => textChange(uri, edits, origin.guard)));
  return reviewTexts(changes, { reviewer, origin, signal });
}

/**
 * Rejects when saving would lose characters, which VS Code's own preview does not tell. A file that is yet to be made has none to
 * lose.
 */
async function refuseLost(
  texts: readonly [vscode.Uri, vscode.TextEdit[]][],
  guard: ChangeGuard | undefined,
  signal: AbortSignal,
): Promise<void> {
  for (const [uri, edits] of texts) {
    signal.throwIfAborted();
    if ((await statOf(uri)) !== undefined) {
      const { document, after } = await textChange(uri, edits, guard);
      await refuseLostCharacters(uri, document, after);
    }
  }
}

export async function reviewTexts(
  changes: readonly TextChange[],
  { reviewer, origin, signal }: { reviewer: ChangeReviewer; origin: ReviewOrigin; signal: AbortSignal },
): Promise<ChangeReview> {
  const reviewed = await reviewer.review(changes, origin, signal);
  const isChanged = (index: number): boolean => changes[index]?.before !== changes[index]?.after;
  const changed = reviewed.files.filter(({ outcome }, index) => outcome !== 'rejected' && isChanged(index));
  return {
    outcome: outcomeOf(reviewed),
    ...(reviewed.reason !== undefined && { reason: reviewed.reason }),
    files: changed.map(({ uri }) => toClientPath(uri)),
    unsaved: changed.filter(({ isSaved }) => !isSaved).map(({ uri }) => toClientPath(uri)),
  };
}

export async function textChange(uri: vscode.Uri, edits: readonly vscode.TextEdit[], guard: ChangeGuard | undefined): Promise<TextChange> {
  const document = await checkedText(uri, guard);
  const before = document.getText();
  const eol = eolOf(document);
  const inText = edits.filter((edit) => edit.newText !== '' || !edit.range.isEmpty); // those left out change line ends only
  return {
    kind: 'text',
    uri,
    document,
    before,
    after: applyRangeEdits(
      before,
      inText.map((edit) => toRangeEdit(document, edit)),
      eol,
    ),
    eol,
  };
}

/** Converts an edit of a language service, which may point behind the end of a line or of the text: VS Code takes that as the end. */
function toRangeEdit(document: vscode.TextDocument, { range, newText }: vscode.TextEdit): RangeEdit {
  const { start, end } = document.validateRange(range);
  return {
    range: {
      start: { line: start.line + 1, character: start.character + 1 },
      end: { line: end.line + 1, character: end.character + 1 },
    },
    newText,
  };
}

/** All entries of an edit, file operations included. Its public part hides these, and without them a move would be half made. */
function entriesOf(edit: vscode.WorkspaceEdit): Entry[] {
  const { _allEntries: all } = edit as unknown as { readonly _allEntries?: unknown };
  if (typeof all !== 'function') {
    return edit.entries().flatMap(([uri, edits]) => edits.map((each) => ({ kind: 'text', uri, edit: each }) as const));
  }
  return (all.call(edit) as readonly RawEntry[]).map(toEntry);
}

interface RawEntry {
  readonly _type: number;
  readonly uri?: vscode.Uri;
  readonly edit?: vscode.TextEdit;
  readonly from?: vscode.Uri;
  readonly to?: vscode.Uri;
  readonly options?: FileOptions;
}

const rawFile = 1;
const rawText = 2;

function toEntry({ _type, uri, edit, from, to, options = {} }: RawEntry): Entry {
  if (_type === rawText && uri !== undefined && edit !== undefined) {
    return { kind: 'text', uri, edit };
  }
  if (_type === rawFile) {
    return { kind: 'file', from, to, options };
  }
  throw editorError('editor.noPreview');
}

function urisOf(entry: Entry): vscode.Uri[] {
  return entry.kind === 'text' ? [entry.uri] : [entry.from, entry.to].filter((uri) => uri !== undefined);
}

function isForClient(uri: vscode.Uri, origin: ChangeOrigin): boolean {
  const isOurs = vscode.workspace.getWorkspaceFolder(uri) !== undefined || uri.scheme === 'untitled';
  return isOurs && mayTouch(uri, origin);
}

function groupByFile(entries: readonly Entry[]): [vscode.Uri, vscode.TextEdit[]][] {
  const groups = new Map<string, [vscode.Uri, vscode.TextEdit[]]>();
  for (const entry of entries) {
    if (entry.kind === 'text') {
      const group = groups.get(entry.uri.toString()) ?? [entry.uri, []];
      group[1].push(entry.edit);
      groups.set(entry.uri.toString(), group);
    }
  }
  return [...groups.values()];
}

/** Has VS Code itself ask: it lists every entry with a box to untick, and makes what is left when the person applies it. */
async function confirmInVsCode(entries: readonly Entry[], label: string, signal: AbortSignal): Promise<ChangeReview> {
  const metadata: vscode.WorkspaceEditEntryMetadata = { needsConfirmation: true, label };
  const edit = new vscode.WorkspaceEdit();
  for (const entry of entries) {
    addTo(edit, entry, metadata);
  }
  const before = await fingerprints(entries);
  const withdraw = (): void => void vscode.commands.executeCommand('refactorPreview.discard');
  signal.addEventListener('abort', withdraw, { once: true });
  try {
    signal.throwIfAborted(); // the listener does not hear of what was before it
    const isApplied = await vscode.workspace.applyEdit(edit);
    signal.throwIfAborted();
    const after = await fingerprints(entries);
    const files = [...after].filter(([path, print]) => before.get(path) !== print).map(([path]) => path);
    if (!isApplied || files.length === 0) {
      return { outcome: 'rejected', files: [] };
    }
    const isUnsaved = new Set(vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => toClientPath(uri)));
    const unsaved = files.filter((path) => isUnsaved.has(path));
    return { outcome: files.length < after.size ? 'partlyAccepted' : 'accepted', files, unsaved };
  } finally {
    signal.removeEventListener('abort', withdraw);
  }
}

function addTo(edit: vscode.WorkspaceEdit, entry: Entry, metadata: vscode.WorkspaceEditEntryMetadata): void {
  if (entry.kind === 'text') {
    edit.replace(entry.uri, entry.edit.range, entry.edit.newText, metadata);
  } else if (entry.from !== undefined && entry.to !== undefined) {
    edit.renameFile(entry.from, entry.to, entry.options, metadata);
  } else if (entry.to !== undefined) {
    edit.createFile(entry.to, entry.options, metadata);
  } else if (entry.from !== undefined) {
    edit.deleteFile(entry.from, entry.options, metadata);
  }
}

/** What tells whether each file changed: its text if it is open, else its time and size. */
async function fingerprints(entries: readonly Entry[]): Promise<Map<string, string>> {
  const prints = new Map<string, string>();
  for (const uri of entries.flatMap(urisOf)) {
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
    const stat = open === undefined ? await statOf(uri) : undefined;
    prints.set(toClientPath(uri), open === undefined ? `${stat?.mtime} ${stat?.size}` : open.getText());
  }
  return prints;
}
