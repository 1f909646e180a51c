import assert from 'node:assert/strict';
import type * as UndoEditsModule from '../../../../../src/editor/acting/changes/undoEdits.ts';
import type { MadeEdit } from '../../../../../src/contract/chat/answerParts.ts';
import { importWithFakes } from '../../../../support/build/importWithFakes.ts';

/** A VS Code with one folder, whose files are the documents in `texts`, by their names. Saving one calls `onSave`. */
const vscode = `
const folder = { index: 0, name: 'demo', uri: { scheme: 'file', fsPath: '/demo', path: '/demo', toString: () => 'file:///demo' } };
const uriOf = (path) => ({ scheme: 'file', fsPath: path, path, toString: () => 'file://' + path });
const nameOf = ({ path }) => path.slice('/demo/'.length);
export const Uri = { file: uriOf, parse: (text) => uriOf(text.replace('file://', '')) };
export const Range = class { constructor(start, end) { Object.assign(this, { start, end }); } };
export const state = { texts: new Map(), onSave: () => undefined };
export const WorkspaceEdit = class {
  steps = [];
  deleteFile(uri) { this.steps.push(() => state.texts.delete(nameOf(uri))); }
  renameFile(from, to) {
    this.steps.push(() => {
      state.texts.set(nameOf(to), state.texts.get(nameOf(from)));
      state.texts.delete(nameOf(from));
    });
  }
  replace(uri, { start, end }, text) {
    this.steps.push(() => {
      const old = state.texts.get(nameOf(uri));
      state.texts.set(nameOf(uri), old.slice(0, start) + text + old.slice(end));
    });
  }
};
const documentOf = (uri) => ({
  uri,
  isDirty: false,
  isClosed: false,
  getText: () => state.texts.get(nameOf(uri)),
  positionAt: (offset) => offset,
  save: async () => state.onSave(nameOf(uri)),
});
export const workspace = {
  workspaceFolders: [folder],
  getWorkspaceFolder: () => folder,
  get textDocuments() { return [...state.texts.keys()].map((name) => documentOf(uriOf('/demo/' + name))); },
  openTextDocument: async (uri) => {
    if (!state.texts.has(nameOf(uri))) throw new Error('There is no such file.');
    return documentOf(uri);
  },
  applyEdit: async ({ steps }) => (steps.forEach((step) => step()), true),
  fs: { stat: async (uri) => { if (!state.texts.has(nameOf(uri))) throw new Error('There is no such file.'); return { type: 1 }; } },
};
`;

interface Fake {
  readonly state: { readonly texts: Map<string, string>; onSave: (name: string) => void };
}

const program = "export { undoEdits } from './src/editor/acting/changes/undoEdits.ts'; export { state } from 'vscode';";

describe('Edits that are taken back in several rounds', () => {
  let undoEdits: typeof UndoEditsModule.undoEdits;
  let state: Fake['state'];
  const move = (from: string, to: string, text: string): MadeEdit => ({ path: to, from, before: text, after: text, isText: true });
  const edits = [move('a', 'b', 'first'), move('c', 'a', 'second'), move('d', 'c', 'third')];

  beforeEach(async () => {
    ({ undoEdits, state } = await importWithFakes<typeof UndoEditsModule & Fake>(program, { vscode }));
    [
      ['b', 'first'],
      ['a', 'second'],
      ['c', 'third'],
    ].forEach(([name = '', text = '']) => state.texts.set(name, text));
  });

  it('all go back, the last one first', async () => {
    assert.deepEqual(await undoEdits(edits), ['undone', 'undone', 'undone']);
    assert.deepEqual(Object.fromEntries(state.texts), { a: 'first', c: 'second', d: 'third' });
  });

  it('stay where somebody types meanwhile, and so does what would go back to such a place', async () => {
    state.onSave = (name) => void (name === 'd' && state.texts.set('a', 'typed'));
    assert.deepEqual(await undoEdits(edits), ['changedSince', 'changedSince', 'undone']);
    assert.deepEqual(Object.fromEntries(state.texts), { b: 'first', a: 'typed', d: 'third' });
  });
});
