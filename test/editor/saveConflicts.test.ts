import assert from 'node:assert/strict';
import { readFile, rm, writeFile as writeToDisk } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import { findRipgrep } from '../../src/editor/workspace/search/ripgrep.ts';
import { answer, discardAll, failureOf, keepUnsaved, proposals, proposalTabs, writeFile } from './support/actingCalls.ts';
import { activateDuplex, workspacePath } from './support/duplex.ts';
import { LookingClient } from './support/mcpClient.ts';

/** As a program outside of VS Code meets a file that somebody else changed on disk, while the person types in it. */
describe('A file that changed on disk under unsaved text', () => {
  let access: TestAccess;
  let client: LookingClient;

  before(async () => {
    access = await activateDuplex();
    await keepUnsaved();
    client = await LookingClient.connect(access, 'editor');
  });
  after(() => client.close());

  afterEach(async () => {
    assert.deepEqual(proposalTabs(), [], 'no diff is left open');
    await discardAll();
    await rm(workspacePath('conflict'), { recursive: true, force: true });
  });

  /** A file with unsaved text, the disk's text of which is another one by now. */
  async function conflict(name: string, onDisk: string): Promise<vscode.Uri> {
    const uri = await typedIn(name);
    await writeToDisk(uri.fsPath, onDisk);
    return uri;
  }

  async function typedIn(name: string): Promise<vscode.Uri> {
    const uri = await writeFile(`conflict/${name}`, 'first\n');
    const document = await vscode.workspace.openTextDocument(uri);
    const typing = new vscode.WorkspaceEdit();
    typing.insert(uri, new vscode.Position(0, 0), 'typed ');
    assert.equal(await vscode.workspace.applyEdit(typing), true);
    assert.equal(document.isDirty, true);
    return uri;
  }

  // VS Code itself overlooks a change that leaves the size of the file.
  for (const [what, onDisk] of [
    ['longer', 'from somebody else\n'],
    ['of the same size', 'FIRST\n'],
  ] as const) {
    it(`is not saved over what is ${what}, and save_file says why before anybody is asked`, async () => {
      const uri = await conflict(`save-${onDisk.length}.txt`, onDisk);
      const path = `conflict/save-${onDisk.length}.txt`;
      const failure = failureOf(await client.result('save_file', { path }));
      assert.match(failure, /was not saved: its file changed on disk since VS Code read it/);
      assert.deepEqual(access.questions.list(), []);
      assert.equal(await readFile(uri.fsPath, 'utf8'), onDisk);
    });
  }

  it('is refused with save, before anybody is asked, and can be changed without (release)', async () => {
    const uri = await conflict('edit.txt', 'from somebody else\n');
    const edits = [{ oldText: 'first', newText: 'second' }];
    for (const [tool, args] of [
      ['propose_edit', { path: 'conflict/edit.txt', edits, save: true }],
      ['propose_edits', { files: [{ path: 'conflict/edit.txt', edits }], save: true }],
    ] as const) {
      assert.match(failureOf(await client.result(tool, args)), /was not saved: its file changed on disk since VS Code read it/);
    }
    const result = client.result('propose_edit', { path: 'conflict/edit.txt', edits });
    await proposals(1);
    const { structuredContent } = await answer('accept', undefined, result);
    assert.deepEqual([structuredContent?.['outcome'], structuredContent?.['isSaved']], ['accepted', false]);
    assert.equal(await readFile(uri.fsPath, 'utf8'), 'from somebody else\n');
  });

  it('is named as such when it changes while the person looks, and nothing is changed (release)', async () => {
    const uri = await typedIn('late.txt');
    const edits = [{ oldText: 'first', newText: 'second' }];
    const result = client.result('propose_edit', { path: 'conflict/late.txt', edits, save: true });
    await proposals(1);
    await writeToDisk(uri.fsPath, 'from somebody else\n');
    const said = failureOf(await answer('acceptAndSave', undefined, result));
    assert.match(said, /"conflict\/late\.txt" was not saved: its file changed on disk.*Nothing was changed/);
    assert.doesNotMatch(said, /may be full/);
    assert.equal((await vscode.workspace.openTextDocument(uri)).getText(), 'typed first\n');
    assert.equal(await readFile(uri.fsPath, 'utf8'), 'from somebody else\n');
  });

  it('is read with a note; without a change on disk there is none', async () => {
    const uri = await typedIn('read.txt');
    const path = 'conflict/read.txt';
    assert.deepEqual((await client.call('read_file', { path })).note, undefined);
    await writeToDisk(uri.fsPath, 'first\n');
    assert.deepEqual((await client.call('read_file', { path })).note, undefined, 'written again with the same text');
    await writeToDisk(uri.fsPath, 'other\n');
    const read = await client.call('read_file', { path });
    assert.match(String(read.note), /unsaved text, and its file changed on disk since VS Code read it/);
    assert.deepEqual([read.text, read.isDirty], ['typed first\n', true]);
    await rm(uri.fsPath);
    assert.match(String((await client.call('read_file', { path })).note), /its file is gone from the disk/);
  });

  it('is a notebook, too', async () => {
    const book = (text: string): string =>
      JSON.stringify({
        cells: [{ cell_type: 'code', metadata: {}, execution_count: null, outputs: [], source: [text] }],
        metadata: {},
        nbformat: 4,
        nbformat_minor: 2,
      });
    const uri = await writeFile('conflict/book.ipynb', book('one = 1'));
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    const path = 'conflict/book.ipynb';
    assert.equal((await client.call('read_file', { path })).note, undefined);
    const typing = new vscode.WorkspaceEdit();
    typing.insert(notebook.cellAt(0).document.uri, new vscode.Position(0, 0), '# typed\n');
    assert.equal(await vscode.workspace.applyEdit(typing), true);
    await writeToDisk(uri.fsPath, book('other = 1'));
    assert.match(String((await client.call('read_file', { path })).note), /its file changed on disk since VS Code read it/);
    const edit = { path, cell: 0, newText: 'one = 2', save: true };
    assert.match(failureOf(await client.result('propose_edit', edit)), /was not saved: its file changed on disk/);
  });
});

describe('A place that is not there', () => {
  let client: LookingClient;
  before(async () => {
    client = await LookingClient.connect(await activateDuplex());
  });
  after(async () => {
    await client.close();
    await discardAll();
    for (const name of ['short.txt', 'large.log']) {
      await rm(workspacePath(name), { force: true });
    }
  });

  it('is told of by open_file, which shows the end of the file', async () => {
    await writeFile('short.txt', 'one\ntwo\n');
    const { structure, text } = await client.answer('open_file', { path: 'short.txt', line: 99 });
    assert.match(String(structure.note), /There is no line 99: "short\.txt" has 3 lines, and its end is shown/);
    assert.equal(text, structure.note);
    assert.deepEqual(await client.call('open_file', { path: 'short.txt', line: 2 }), { ok: true });
  });

  it('comes with advice: what shows the paths that there are', async () => {
    for (const [tool, args] of [
      ['read_file', { path: 'nowhere.txt' }],
      ['open_file', { path: '.env' }],
    ] as const) {
      assert.match(
        await client.failure(tool, args),
        /There is no ".*" in this workspace\. find_files and list_directory show what there is\.$/,
      );
    }
  });

  it('is a file that is too large to be searched, where nothing else was found', async function () {
    if (findRipgrep(vscode.env.appRoot) === undefined) {
      this.skip(); // without it, sizes are not known before files are read
    }
    await writeFile('large.log', `${'x'.repeat(99)}\n`.repeat(60_000) + 'needle4711inTheLog\n');
    const { matches, note } = await client.call('search_text', { query: 'needle4711' + 'inTheLog', include: '*.log' });
    assert.deepEqual(matches, []);
    assert.match(String(note), /more than 5 MiB were not searched, such as large\.log: grep can/);
  });
});
