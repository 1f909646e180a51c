import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type * as ApplyChanges from '../../../../../src/editor/acting/changes/applyChanges.ts';
import { importWithFakes } from '../../../../support/build/importWithFakes.ts';

/** A VS Code with one notebook. It makes the parts of an edit one after the other, and stops at the one that it refuses. */
const editor = `
const uriOf = (path, scheme = 'file') => {
  const text = scheme + '://' + path;
  return { scheme, path, fsPath: path, toString: () => text, with: (change) => uriOf(change.path, scheme) };
};
export const state = { cell: undefined, refuse: undefined, made: [] };
export const uri = uriOf('/w/book.ipynb');
const event = () => ({ dispose() {} });
export class Range { constructor(start, end) { Object.assign(this, { start, end }); } }
export const NotebookEdit = { updateCellMetadata: (index, metadata) => ({ index, metadata }) };
export class WorkspaceEdit {
  parts = [];
  set(_uri, edits) { this.parts.push(...edits); }
  replace(_uri, range, text) { this.parts.push({ range, text }); }
}
const make = ({ metadata, range, text }) => {
  const { cell } = state;
  state.made.push(metadata === undefined ? text : metadata.execution_count);
  if (metadata !== undefined) {
    cell.metadata = metadata;
  } else {
    cell.text = cell.text.slice(0, range.start) + text + cell.text.slice(range.end);
  }
};
export const workspace = {
  notebookDocuments: [], textDocuments: [],
  getWorkspaceFolder: () => ({ index: 0, name: 'w', uri: uriOf('/w') }), workspaceFolders: [{ index: 0, name: 'w', uri: uriOf('/w') }],
  onDidCreateFiles: event,
  fs: { stat: async () => ({ type: 1, size: 1 }), readFile: async () => new Uint8Array([1]) },
  applyEdit: async ({ parts }) => {
    for (const part of parts) {
      if (state.refuse?.(part)) { return false; }
      make(part);
    }
    return true;
  },
};
export const window = { tabGroups: { all: [] } };
export const [Uri, l10n, TabInputText] = [{ file: uriOf }, { t: (text) => text }, class {}];`;

interface Part {
  readonly text?: string;
}

interface Cell {
  text: string;
  metadata: Readonly<Record<string, unknown>>;
  readonly index: number;
  readonly notebook: object;
  readonly document: object;
}

interface Fake {
  readonly uri: vscode.Uri;
  readonly workspace: { readonly notebookDocuments: object[] };
  readonly state: { cell: Cell | undefined; refuse: ((part: Part) => boolean) | undefined; readonly made: unknown[] };
}

const program = `export { applyChanges } from './src/editor/acting/changes/applyChanges.ts'; export { state, uri, workspace } from 'vscode';`;

describe('An accepted edit of a cell that VS Code refuses in the middle', function () {
  this.timeout(60_000);
  const metadata = { execution_count: 3, custom: { a: 1 } };
  let fake: typeof ApplyChanges & Fake;
  let cell: Cell;

  beforeEach(async () => {
    fake = await importWithFakes<typeof ApplyChanges & Fake>(program, { vscode: editor });
    const { uri } = fake;
    const notebook = { uri, isClosed: false, isDirty: false, cellAt: () => cell };
    const document = { uri: { toString: () => 'vscode-notebook-cell:/w/book.ipynb#1' }, getText: () => cell.text, positionAt: Number };
    cell = { text: 'price = 1', metadata, index: 1, notebook, document };
    fake.state.cell = cell;
    fake.workspace.notebookDocuments.push(notebook);
  });

  const accept = (): Promise<void> => {
    const notebook = cell.notebook as vscode.NotebookDocument;
    const change = { kind: 'cell', notebook, index: 1, before: 'price = 1', after: 'price = 2', eol: '\n' } as const;
    return fake.applyChanges([{ change, text: 'price = 2', isToBeSaved: false }]);
  };

  it('loses nothing of what VS Code knows of the cell', async () => {
    fake.state.refuse = ({ text }) => text !== undefined;
    await assert.rejects(accept(), { code: 'editor.takenBack' });
    assert.deepEqual([cell.text, cell.metadata], ['price = 1', metadata]);
    assert.equal(fake.state.made[0], null, 'it had begun');
  });

  it('loses nothing of what somebody typed meanwhile either', async () => {
    fake.state.refuse = ({ text }) => {
      if (text !== undefined) {
        cell.text = 'price = 1 # typed';
      }
      return text !== undefined;
    };
    await assert.rejects(accept(), { code: 'editor.takenBack' });
    assert.deepEqual([cell.text, cell.metadata], ['price = 1 # typed', metadata]);
  });

  it('is made whole where nothing is refused', async () => {
    await accept();
    assert.deepEqual([cell.text, cell.metadata], ['price = 2', metadata]);
    assert.deepEqual(fake.state.made.slice(0, 3), [null, '2', 3]);
  });
});
