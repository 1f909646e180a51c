import assert from 'node:assert/strict';
import { chmod, readFile, rm, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import { answer, callTool, discardAll, failureOf, keepUnsaved, proposals, proposalTabs, textOf, writeFile } from './support/actingCalls.ts';
import { activateDuplex, until, workspacePath } from './support/duplex.ts';

/** Each test has its own: VS Code remembers the texts of files that come back. */
let folder = '';

describe('A reviewed change that meets trouble', () => {
  let access: TestAccess;
  const meddling: vscode.Disposable[] = [];

  before(async () => {
    access = await activateDuplex();
    await keepUnsaved();
    await until('the editor itself', () => access.servers().find(({ name, state }) => name === 'editor' && state.kind === 'ready'));
  });

  let count = 0;
  beforeEach(() => {
    count += 1;
    folder = `troubled${count}`;
  });

  afterEach(async () => {
    meddling.splice(0).forEach((each) => void each.dispose());
    assert.deepEqual(proposalTabs(), [], 'no diff is left open');
    await discardAll();
    await rm(workspacePath(folder), { recursive: true, force: true });
  });

  it('is refused before anybody is asked when it names a file twice, also as the place of a move', async () => {
    await writeFile(`${folder}/a.txt`, 'one two\n');
    await writeFile(`${folder}/b.txt`, 'b\n');
    const first = { path: `${folder}/a.txt`, edits: [{ oldText: 'one', newText: '1' }] };
    const others = [
      { path: `${folder}/a.txt`, edits: [{ oldText: 'two', newText: '2' }] },
      { path: `${folder}/sub/../a.txt`, delete: true },
      { path: `${folder}/b.txt`, moveTo: `${folder}/a.txt` },
    ];
    for (const other of others) {
      const { result } = await callTool(access, 'propose_edits', { files: [first, other] });
      assert.match(failureOf(await result), /\.txt" is named twice; give all edits of a file together/, JSON.stringify(other));
    }
    assert.equal(await textOf(uriOf('a.txt')), 'one two\n');
  });

  it('leaves what the person typed meanwhile, and says which file could not be taken back', async () => {
    await writeFile(`${folder}/typed.txt`, 'typed\n');
    await writeFile(`${folder}/stuck.txt`, 'stuck\n');
    let hasMeddled = false;
    meddling.push(
      vscode.workspace.onWillSaveTextDocument((event) => {
        // A save that VS Code refuses is tried again: the person types but once.
        if (event.document.fileName.endsWith('stuck.txt') && !hasMeddled) {
          hasMeddled = true;
          // VS Code does not save over a file that is newer than what it read.
          event.waitUntil(insert('typed.txt', 'by hand ').then(() => writeFile(`${folder}/stuck.txt`, 'written by somebody else\n')));
        }
      }),
    );
    const files = [
      { path: `${folder}/typed.txt`, newText: 'TYPED\n' },
      { path: `${folder}/stuck.txt`, newText: 'STUCK\n' },
    ];
    const { result } = await callTool(access, 'propose_edits', { files, save: true });
    await proposals(2);
    const failure = failureOf(await answer('acceptAllAndSave', undefined, result));
    assert.match(failure, /could not be taken back in ".*typed\.txt": look at/);
    assert.doesNotMatch(failure, /Nothing was changed/);
    assert.equal(await textOf(uriOf('typed.txt')), 'by hand TYPED\n');
    assert.equal(await textOf(uriOf('stuck.txt')), 'stuck\n');
  });

  it('brings a deleted file back as it was, with what was unsaved of it, when the next one cannot be deleted', async () => {
    await writeFile(`${folder}/edited.txt`, 'edited\n');
    await writeFile(`${folder}/gone.sh`, 'gone\n');
    await writeFile(`${folder}/other.txt`, 'other\n');
    await chmod(workspacePath(folder, 'gone.sh'), 0o755);
    const { mode } = await stat(workspacePath(folder, 'gone.sh'));
    await vscode.window.showTextDocument(uriOf('gone.sh'));
    await insert('gone.sh', 'unsaved ');
    meddling.push(vscode.workspace.onWillDeleteFiles((event) => event.waitUntil(rm(workspacePath(folder, 'other.txt')))));
    const files = [
      { path: `${folder}/edited.txt`, newText: 'EDITED\n' },
      { path: `${folder}/gone.sh`, delete: true },
      { path: `${folder}/other.txt`, delete: true },
    ];
    const { result } = await callTool(access, 'propose_edits', { files, save: true });
    await proposals(3);
    assert.match(failureOf(await answer('acceptAllAndSave', undefined, result)), /Nothing was changed: what had been done/);
    assert.deepEqual([await onDisk('gone.sh'), await textOf(uriOf('gone.sh'))], ['gone\n', 'unsaved gone\n']);
    assert.equal((await stat(workspacePath(folder, 'gone.sh'))).mode, mode);
    assert.deepEqual([await onDisk('edited.txt'), await textOf(uriOf('edited.txt'))], ['edited\n', 'edited\n']);
  });

  it('shows one of the files that it made, not all of them', async () => {
    const files = ['a.txt', 'b.txt', 'c.txt'].map((name) => ({ path: `${folder}/${name}`, newText: `${name}\n` }));
    const { result } = await callTool(access, 'propose_edits', { files, save: true });
    await proposals(3);
    // What is seen last, and not the tabs: VS Code adds one by itself for each text that stays unsaved for 800 ms.
    let seen: string[] = [];
    meddling.push(
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        const files = editors.map(({ document }) => document.uri).filter(({ scheme }) => scheme === 'file');
        seen = files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
      }),
    );
    await answer('acceptAllAndSave', undefined, result);
    assert.deepEqual(seen, ['a.txt']);
    assert.deepEqual(await Promise.all(['a.txt', 'b.txt', 'c.txt'].map(onDisk)), ['a.txt\n', 'b.txt\n', 'c.txt\n']);
  });

  it('of a cell is made in a notebook that VS Code closed while the question was open', async () => {
    const cells = ['one = 1', 'two = 2'].map((source) => ({ cell_type: 'code', source, metadata: {}, outputs: [], execution_count: null }));
    const uri = await writeFile(`${folder}/book.ipynb`, JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 2 }));
    await vscode.commands.executeCommand('vscode.openWith', uri, 'jupyter-notebook');
    const opened = await until('the notebook', () =>
      vscode.workspace.notebookDocuments.find((each) => each.uri.toString() === uri.toString()),
    );
    const { result } = await callTool(access, 'propose_edit', { path: `${folder}/book.ipynb`, cell: 1, newText: 'two = 22', save: true });
    await proposals(1);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(tabs.filter(({ input }) => input instanceof vscode.TabInputNotebook));
    await until('the notebook to close', () => (opened.isClosed ? true : undefined));
    const { structuredContent } = await answer('acceptAndSave', undefined, result);
    assert.deepEqual([structuredContent?.['outcome'], structuredContent?.['isSaved']], ['accepted', true]);
    assert.match(await onDisk('book.ipynb'), /two = 22/);
  });

  it('of a formatter that never answers ends with the reason, and not as a question that nobody was asked', async function () {
    this.timeout(60_000);
    if (vscode.version.startsWith('1.100.')) {
      this.skip(); // the limit is waited for in full, and nothing of it is VS Code's own
    }
    await writeFile(`${folder}/hangs.txt`, 'x\n');
    const selector = { pattern: '**/hangs.txt' };
    const hanging = { provideDocumentFormattingEdits: () => new Promise<never>(() => undefined) };
    meddling.push(vscode.languages.registerDocumentFormattingEditProvider(selector, hanging));
    const { result } = await callTool(access, 'format_document', { path: `${folder}/hangs.txt` });
    assert.match(failureOf(await result), /The language service did not answer in time/);
  });
});

async function insert(name: string, text: string): Promise<void> {
  const typing = new vscode.WorkspaceEdit();
  typing.insert(uriOf(name), new vscode.Position(0, 0), text);
  assert.equal(await vscode.workspace.applyEdit(typing), true);
}

function uriOf(name: string): vscode.Uri {
  return vscode.Uri.file(workspacePath(folder, name));
}

function onDisk(name: string): Promise<string> {
  return readFile(workspacePath(folder, name), 'utf8');
}
