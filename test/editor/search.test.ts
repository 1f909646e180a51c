import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Disposable } from '../../src/base/lifecycle.ts';
import { findRipgrep } from '../../src/editor/workspace/search/ripgrep.ts';
import { createEditorWorkspace } from '../../src/editor/workspace/editorWorkspace.ts';
import type { TextMatch, WorkspacePort } from '../../src/server/seen/ports/workspacePort.ts';
import { until, workspacePath, threadProgram } from './support/duplex.ts';

const signal = new AbortController().signal;
const defaults = { isRegex: false, isCaseSensitive: false, includeIgnored: false, limit: 200 };

describe('Finding and searching in the workspace', () => {
  let workspace: WorkspacePort & Disposable;

  before(() => {
    workspace = createEditorWorkspace(threadProgram());
  });

  after(async () => {
    workspace.dispose();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it(`works with the ripgrep of this VS Code, or without (${findRipgrep(vscode.env.appRoot) === undefined ? 'without' : 'with'} it here)`, async () => {
    const { files } = await workspace.findFiles(
      { pattern: 'src/{cart,prices,receipt}.{js,ts}', includeIgnored: false, limit: 200 },
      signal,
    );
    assert.deepEqual(files, ['src/cart.js', 'src/prices.js', 'src/receipt.ts']);
    const { matches } = await workspace.searchText({ ...defaults, query: 'FORMATPRICE' }, signal);
    const places = (found: readonly TextMatch[]): string[] => found.map(({ path, line, character }) => `${path}:${line}:${character}`);
    assert.deepEqual(
      places(matches).filter((place) => /^src\/(prices|receipt)\./.test(place)),
      ['src/prices.js:14:17', 'src/receipt.ts:2:10', 'src/receipt.ts:11:69'],
    );
  });

  it('finds what is not saved yet, and no longer what it took the place of', async () => {
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(workspacePath('src', 'prices.js')));
    const line = editor.document.lineAt(0).range;
    await editor.edit((edit) => edit.replace(line, '/** Freshly typed words. */'));
    const fresh = await workspace.searchText({ ...defaults, query: 'freshly typed' }, signal);
    assert.deepEqual(fresh.matches, [
      { path: 'src/prices.js', line: 1, character: 5, endCharacter: 18, preview: '/** Freshly typed words. */' },
    ]);
    const old = await workspace.searchText({ ...defaults, query: 'lost to rounding', include: 'src' }, signal);
    assert.deepEqual(old.matches, []);
  });

  it('finds what is in another encoding, where the settings name it, with its own columns', async () => {
    const files = vscode.workspace.getConfiguration('files');
    writeFileSync(workspacePath('latin.txt'), Buffer.from('un café noir\n', 'latin1'));
    writeFileSync(workspacePath('wide.txt'), Buffer.from('\uFEFFun café large\n', 'utf16le'));
    const find = async (query: string): Promise<readonly TextMatch[]> =>
      (await workspace.searchText({ ...defaults, query, include: '*.txt' }, signal)).matches;
    try {
      assert.deepEqual(await find('café n'), []);
      await files.update('encoding', 'windows1252', vscode.ConfigurationTarget.Global);
      assert.deepEqual(await find('café'), [
        { path: 'latin.txt', line: 1, character: 4, endCharacter: 8, preview: 'un café noir' },
        { path: 'wide.txt', line: 1, character: 4, endCharacter: 8, preview: 'un café large' },
      ]);
      const { matches } = await workspace.searchText({ ...defaults, query: 'FORMATPRICE', include: 'src/prices.js' }, signal);
      assert.equal(matches.length, 1, 'what is plain ASCII is found as before');
    } finally {
      await files.update('encoding', undefined, vscode.ConfigurationTarget.Global);
      rmSync(workspacePath('latin.txt'));
      rmSync(workspacePath('wide.txt'));
    }
  });

  it('lists the tasks of the workspace', async () => {
    const task = { label: 'check', type: 'shell', command: 'true', group: 'test' };
    mkdirSync(workspacePath('.vscode'), { recursive: true });
    writeFileSync(workspacePath('.vscode', 'tasks.json'), JSON.stringify({ version: '2.0.0', tasks: [task] }));
    try {
      const own = await until('the task', async () => (await workspace.listTasks(signal)).find(({ name }) => name === 'check'));
      assert.deepEqual(own, { name: 'check', source: 'Workspace', group: 'test' });
    } finally {
      rmSync(workspacePath('.vscode', 'tasks.json'));
    }
  });
});
