import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type * as WorkspaceEdits from '../../../../../src/editor/acting/changes/workspaceEdits.ts';
import type { ChangeReviewer } from '../../../../../src/editor/acting/changes/changeReview.ts';
import { importWithFakes } from '../../../../support/build/importWithFakes.ts';

/** A VS Code with unsaved files, which tells when one is opened or looked at, and when it is to show a preview of changes. */
const editor = `
const uriOf = (path) => ({ scheme: 'file', path, fsPath: path, toString: () => 'file://' + path });
export const state = { done: [], onDone: () => undefined };
const did = (what) => { state.done.push(what); state.onDone(what); };
export const Uri = { file: uriOf };
export class WorkspaceEdit { replace() {} renameFile() {} }
const folder = { index: 0, name: 'w', uri: uriOf('/w') };
export const workspace = {
  notebookDocuments: [], textDocuments: [], workspaceFolders: [folder], getWorkspaceFolder: () => folder,
  fs: { stat: async (uri) => (did('look at ' + uri.path), { type: 1, size: 1, mtime: 1 }) },
  openTextDocument: async (uri) => {
    did('open ' + uri.path);
    return { uri, isDirty: true, encoding: 'utf8', eol: 1, getText: () => 'old', validateRange: (range) => range };
  },
  applyEdit: async () => (did('preview'), true),
};
export const [window, commands] = [{ tabGroups: { all: [] } }, { executeCommand: async () => undefined }];
export const EndOfLine = { CRLF: 2 };`;

interface Fake {
  readonly Uri: typeof vscode.Uri;
  readonly state: { readonly done: string[]; onDone: (what: string) => void };
}

const program = "export { reviewWorkspaceEdit } from './src/editor/acting/changes/workspaceEdits.ts'; export { state, Uri } from 'vscode';";

describe('A rename that VS Code itself shows, and that is cancelled before', () => {
  let fake: typeof WorkspaceEdits & Fake;

  beforeEach(async () => {
    fake = await importWithFakes<typeof WorkspaceEdits & Fake>(program, { vscode: editor });
  });

  /** Renames one file and changes two; it is cancelled when VS Code is asked to do something for the given time. */
  async function cancelledAt(moment: string): Promise<readonly string[]> {
    const { state, Uri, reviewWorkspaceEdit } = fake;
    const cancelling = new AbortController();
    state.onDone = (what) => (what === moment ? cancelling.abort() : undefined);
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 }, isEmpty: false };
    const entries = [
      { _type: 1, from: Uri.file('/w/old'), to: Uri.file('/w/new') },
      ...['/w/a', '/w/b'].map((path) => ({ _type: 2, uri: Uri.file(path), edit: { range, newText: 'new' } })),
    ];
    const reviewing = reviewWorkspaceEdit({ _allEntries: () => entries } as unknown as vscode.WorkspaceEdit, {
      reviewer: {} as ChangeReviewer,
      notices: { changeLabel: () => '', showMessage: () => undefined, terminalName: () => '' },
      origin: { author: { credentialId: 'c1', name: 'outsider' } },
      signal: cancelling.signal,
    });
    await assert.rejects(reviewing, { name: 'AbortError' });
    return state.done;
  }

  it('opens no further file, and no preview', async () => {
    assert.deepEqual(await cancelledAt('open /w/a'), ['look at /w/a', 'open /w/a']);
  });

  it('opens no preview after the last look at the files either', async () => {
    const done = await cancelledAt('look at /w/new');
    assert.deepEqual([done.includes('open /w/b'), done.includes('preview')], [true, false]);
  });
});
