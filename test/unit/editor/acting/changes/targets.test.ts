import assert from 'node:assert/strict';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as TargetsModule from '../../../../../src/editor/acting/changes/targets.ts';
import { importWithFakes } from '../../../../support/build/importWithFakes.ts';
import { createTemporaryFolder } from '../../../../support/run/temporaryFolder.mjs';

/** A VS Code with one workspace folder, and with notebooks in its memory that the test puts there. */
const vscode = `
const uriOf = (path) => ({ scheme: 'file', fsPath: path, path, toString: () => 'file://' + path });
export const Uri = { file: uriOf, parse: (text) => uriOf(text.replace('file://', '')) };
export const state = { folder: '', notebooks: [] };
const folder = () => ({ index: 0, name: 'demo', uri: uriOf(state.folder) });
export const workspace = {
  get workspaceFolders() { return [folder()]; },
  getWorkspaceFolder: (uri) => (uri.path.startsWith(state.folder) ? folder() : undefined),
  get notebookDocuments() { return state.notebooks; },
  textDocuments: [],
  fs: { stat: async () => ({ type: 1 }) },
};
export const window = { tabGroups: { all: [] } };
`;

interface Fake {
  readonly state: { folder: string; notebooks: object[] };
}

const program = "export { openNotebook } from './src/editor/acting/changes/targets.ts'; export { state } from 'vscode';";
const { openNotebook, state } = await importWithFakes<typeof TargetsModule & Fake>(program, { vscode });

describe('A notebook that a change is about', () => {
  const folder = createTemporaryFolder();
  const file = join(folder, 'book.ipynb');

  function hold(sources: readonly string[], isDirty = false): void {
    const cells = sources.map((text) => ({ document: { getText: () => text } }));
    const uri = { scheme: 'file', fsPath: file, path: file, toString: () => `file://${file}` };
    state.folder = folder;
    state.notebooks = [{ uri, isDirty, isClosed: false, version: 1, getCells: () => cells, cellCount: cells.length }];
  }
  function write(name: string, sources: readonly unknown[]): void {
    writeFileSync(join(folder, name), JSON.stringify({ cells: sources.map((source) => ({ cell_type: 'code', source })) }));
  }
  const open = (mayTouch = true): ReturnType<typeof openNotebook> => openNotebook('book.ipynb', { mayTouch: () => mayTouch });

  it('is what the disk has, and not what VS Code read while a folder was a link to the outside', async () => {
    write('book.ipynb', ['inside', ['a\n', 'b']]);
    hold(['outside', 'a\nb']);
    await assert.rejects(open(), { code: 'editor.behindDisk' });
    hold(['inside', 'a\r\nb']);
    assert.equal((await open()).cellCount, 2);
    hold(['typed'], true);
    assert.equal((await open()).cellCount, 1, 'what is unsaved is the person’s own');
  });

  it('is looked for where the file is, not where its name is', async () => {
    rmSync(file, { force: true });
    write('elsewhere.ipynb', ['']);
    symlinkSync(join(folder, 'elsewhere.ipynb'), file);
    hold(['']);
    assert.equal((await open()).cellCount, 1);
    await assert.rejects(open(false), { code: 'editor.pathNotFound' });
  });
});
