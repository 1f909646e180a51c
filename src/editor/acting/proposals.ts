import { messageOf } from '../../base/errors.ts';
import type { ChangeGuard, EditsProposal, EditsReview, FileProposal, FileReview } from '../../server/seen/ports/actingPort.ts';
import { notebookText } from '../documents/notebookText.ts';
import type { TextVersions } from '../documents/versions.ts';
import { RealPaths } from '../../platform/realPath.ts';
import { fromClientPath, toClientPath } from '../shared/clientUris.ts';
import { editorError } from '../shared/editorErrors.ts';
import { findNotebook } from '../shared/openDocuments.ts';
import type { ChangeReviewer, FileChange, ReviewedFile } from './changeReview.ts';
import { firstNamedTwice } from './namedTwice.ts';
import { changeOf, type ProposalContext } from './proposedChange.ts';
import { findDocument } from './targets.ts';

/** Changes that a client wrote itself: each is worked out on its file as it is now, and all are reviewed together. */
export async function proposeEdits(
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

/** Under whatever names: a link is the file that it leads to. */
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

/** Of several files, the error says which one it is about. */
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
  { uri, outcome, isSaved }: ReviewedFile,
  versions: TextVersions,
  guard: ChangeGuard | undefined,
): Promise<FileReview> {
  const path = toClientPath(uri);
  const isGone = change.kind === 'delete' && outcome !== 'rejected';
  const now = isGone ? undefined : await textNow(change, path, versions, guard);
  const isProposed = now === undefined || change.kind === 'delete' || now.text === change.after;
  return { path, outcome, ...(!isProposed && { text: now.text }), version: now?.version ?? '', isSaved };
}

/** The question may have been open for long: a path that is withheld by now is not read, and looks absent. */
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
    const notebook = findNotebook(change.notebook.uri.toString());
    return notebook === undefined || index >= notebook.cellCount
      ? undefined
      : { text: notebook.cellAt(index).document.getText(), version: versions.ofText(notebookText(notebook)) };
  }
  const document = await findDocument(path).catch(() => undefined); // no text
  return document === undefined || !isSeen() ? undefined : { text: document.getText(), version: versions.ofDocument(document) };
}
