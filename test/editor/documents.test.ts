import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile as writeToDisk } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import { discardAll, keepUnsaved, writeFile } from './support/actingCalls.ts';
import { longestBlock } from '../support/longestBlock.ts';
import { activateDuplex, until, workspacePath } from './support/duplex.ts';
import { LookingClient } from './support/mcpClient.ts';

type DiagnosticsPage = Readonly<{ diagnostics: unknown[]; nextCursor?: string }>;

const uriOf = (name: string): string => vscode.Uri.file(workspacePath(name)).toString();

async function type(uri: vscode.Uri, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(uri, new vscode.Position(0, 0), text);
  await vscode.workspace.applyEdit(edit);
}

describe('Documents of a real editor', () => {
  let access: TestAccess;
  let client: LookingClient;

  before(async () => {
    access = await activateDuplex();
    await keepUnsaved();
    client = await LookingClient.connect(access);
  });
  after(() => client.close());
  afterEach(() => discardAll());

  it('unsaved text wins over the disk, with version and dirty flag', async () => {
    const uri = await writeFile('unsaved.ts', 'const one = 1;\nconst two = 2;\n');
    const closed = await client.call('read_file', { path: 'unsaved.ts' });
    assert.deepEqual([closed.text, closed.isDirty, closed.totalLines], ['const one = 1;\nconst two = 2;\n', false, 3]);
    const { document } = await vscode.window.showTextDocument(uri);
    await type(uri, 'let zero;\n');
    const text = 'let zero;\nconst one = 1;\nconst two = 2;\n';
    const read = await client.call('read_file', { path: 'unsaved.ts' });
    const { version } = read;
    assert.notEqual(version, closed.version);
    assert.deepEqual(read, { path: 'unsaved.ts', text, version, isDirty: document.isDirty, totalLines: 4 });
    const part = { ...read, text: 'const one = 1;', startLine: 2 };
    assert.deepEqual(await client.call('read_file', { path: uri.fsPath, startLine: 2, endLine: 2 }), part);
    assert.equal(await client.readText(uri.toString()), text);
    assert.equal(await readFile(uri.fsPath, 'utf8'), 'const one = 1;\nconst two = 2;\n');
    const active = await client.readJson('editor://active');
    assert.deepEqual([active.path, active.text, active.version, active.isDirty], ['unsaved.ts', text, version, true]);
    assert.ok((await client.listUris()).includes(uri.toString()));
  });

  it('a version belongs to the text: it stays when the file is opened and closed, and equal texts share it', async () => {
    const versionNow = async (path = 'closed.txt'): Promise<unknown> => (await client.call('read_file', { path })).version;
    const uri = await writeFile('closed.txt', '\ufeffa\r\nb\nc\r\n');
    const closed = await versionNow();
    await vscode.window.showTextDocument(uri);
    assert.equal(await versionNow(), closed);
    await type(uri, 'x');
    const changed = await versionNow();
    assert.notEqual(changed, closed);
    await discardAll();
    assert.equal(await versionNow(), closed);
    await writeFile('same.txt', 'xa\r\nb\r\nc\r\n');
    assert.equal(await versionNow('same.txt'), changed);
  });

  it('text comes in the encoding the editor would take; what is not text, no file or absent is refused', async () => {
    await writeToDisk(workspacePath('wide.txt'), Buffer.from('\ufeffgrün', 'utf16le'));
    assert.equal((await client.call('read_file', { path: 'wide.txt' })).text, 'grün');
    await writeToDisk(workspacePath('image.bin'), Buffer.from([0x89, 0x50, 0, 0, 0, 1, 2, 3, 0]));
    assert.match(await client.failure('read_file', { path: 'image.bin' }), /"image.bin" is not text/);
    assert.match(await client.failure('read_file', { path: 'src' }), /"src" is a folder; list_directory/);
    assert.match(await client.failure('read_file', { path: 'none.txt' }), /There is no "none.txt"/);
    assert.match(await client.failure('get_diagnostics', { path: 'none.txt' }), /There is no "none.txt"/);
    await writeToDisk(workspacePath('huge.txt'), Buffer.alloc(21 * 1024 * 1024, 'x'));
    assert.match(await client.failure('read_file', { path: 'huge.txt' }), /larger than 20 MiB/);
  });

  it('untitled documents are listed and read by their URI', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: '# new' });
    await vscode.window.showTextDocument(document);
    const path = document.uri.toString();
    const { editors } = (await client.call('list_open_editors')) as { editors: { path: string; languageId: string; isDirty: boolean }[] };
    const listed = editors.find((editor) => editor.path === path);
    assert.deepEqual([listed?.languageId, listed?.isDirty], ['markdown', true]);
    assert.equal((await client.call('read_file', { path })).text, '# new');
    assert.equal(await client.readText(path), '# new');
  });

  it('a notebook is read by cell with its outputs, open or not, unsaved changes included (release)', async () => {
    const outputs = [{ output_type: 'stream', name: 'stdout', text: ['1\n'] }];
    const cells = [
      { cell_type: 'markdown', metadata: {}, source: ['# Title'] },
      { cell_type: 'code', execution_count: 1, metadata: {}, outputs, source: ['print(1)'] },
    ];
    const json = JSON.stringify({ cells, metadata: { language_info: { name: 'python' } }, nbformat: 4, nbformat_minor: 5 });
    const uri = await writeFile('notes.ipynb', json);
    const closed = await client.call('read_file', { path: 'notes.ipynb' });
    const shown = '# %% [markdown] cell 0 markdown\n# Title\n\n# %% [code] cell 1 python\nprint(1)\n# %% [output] cell 1\n1\n';
    assert.equal(closed.text, shown);
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    await vscode.window.showNotebookDocument(notebook);
    assert.deepEqual(await client.call('read_file', { path: 'notes.ipynb' }), closed, 'open or not');
    await type(notebook.cellAt(1).document.uri, 'x = 2\n');
    const read = await client.call('read_file', { path: 'notes.ipynb' });
    assert.deepEqual([read.text, read.isDirty], [shown.replace('print', 'x = 2\nprint'), true]);
    assert.notEqual(read.version, closed.version);
    const { editors } = (await client.call('list_open_editors')) as { editors: { path: string; kind: string }[] };
    assert.equal(editors.find(({ path }) => path === 'notes.ipynb')?.kind, 'notebook');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('a diff is listed with its right side', async () => {
    const [left, right] = [await writeFile('left.txt', 'a'), await writeFile('right.txt', 'b')];
    await vscode.commands.executeCommand('vscode.diff', left, right);
    const { editors } = (await client.call('list_open_editors')) as { editors: { path: string; kind: string }[] };
    assert.deepEqual(
      editors.map(({ path, kind }) => [path, kind]),
      [['right.txt', 'diff']],
    );
  });

  it('the selection of the last text editor stays while a webview has the focus, and goes with its tab', async () => {
    const uri = await writeFile('selected.txt', 'one two three\n');
    const editor = await vscode.window.showTextDocument(uri, { preview: false });
    editor.selections = [new vscode.Selection(0, 4, 0, 7), new vscode.Selection(0, 0, 0, 0)];
    const expected = {
      path: 'selected.txt',
      uri: uri.toString(),
      languageId: 'plaintext',
      selections: [
        { range: { start: { line: 1, character: 5 }, end: { line: 1, character: 8 } }, text: 'two' },
        { range: { start: { line: 1, character: 1 }, end: { line: 1, character: 1 } }, text: '' },
      ],
    };
    await until('the selection', async () => ((await client.call('get_selection')).path === 'selected.txt' ? true : undefined));
    assert.deepEqual(await client.call('get_selection'), expected);
    const panel = vscode.window.createWebviewPanel('test', 'Test', { viewColumn: vscode.ViewColumn.One, preserveFocus: false });
    await until('the panel', () => (panel.active ? true : undefined));
    await until('no text editor', () => (vscode.window.activeTextEditor === undefined ? true : undefined));
    assert.deepEqual(await client.call('get_selection'), expected);
    assert.deepEqual(await client.readJson('editor://selection'), expected);
    assert.deepEqual(await client.readJson('editor://active'), { isActive: false });
    panel.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await until('nothing', async () => ((await client.call('get_selection')).path === undefined ? true : undefined));
  });

  it('tells of changes: of a file on disk, of typed text, of the selection', async () => {
    const uri = await writeFile('watched.txt', 'one\n');
    await client.toldAfter(uri.toString(), () => writeToDisk(uri.fsPath, 'two\n'));
    assert.equal(await client.readText(uri.toString()), 'two\n');
    const editor = await vscode.window.showTextDocument(uri);
    await client.toldAfter(uri.toString(), () => type(uri, 'typed '));
    assert.equal(await client.readText(uri.toString()), 'typed two\n');
    await client.toldAfter('editor://active', () => type(uri, 'more '));
    await client.toldAfter('editor://selection', async () => {
      editor.selection = new vscode.Selection(0, 0, 0, 2);
    });
  });

  it('what is withheld is absent: secrets, links to them, and the editor’s own data', async () => {
    await writeToDisk(workspacePath('.env'), 'A=1');
    await symlink(workspacePath('.env'), workspacePath('innocent.txt'));
    await mkdir(workspacePath('.ssh'));
    await writeToDisk(workspacePath('.ssh/config'), 'Host *');
    await vscode.window.showTextDocument(vscode.Uri.file(workspacePath('.env')), { preview: false });
    const whatNext = 'find_files and list_directory show what there is.';
    for (const path of ['.env', 'innocent.txt', '.ssh/config', workspacePath('.env'), `file://${workspacePath('src')}/%2e%2e/.env`]) {
      assert.equal(await client.failure('read_file', { path }), `There is no "${path}" in this workspace. ${whatNext}`);
    }
    assert.deepEqual((await client.call('list_open_editors')).editors, []);
    assert.deepEqual((await client.call('get_selection')).selections, []);
    assert.ok(!(await client.listUris()).includes(uriOf('.env')));
    assert.deepEqual(await client.complete('diagnostics://file/{+path}', '.e'), []);
    assert.deepEqual(await client.complete('diagnostics://file/{+path}', 'innocent'), []);
  });

  it('completes paths by their beginning', async () => {
    await writeFile('many/[id] one.ts', '');
    await writeFile('many/two.ts', '');
    await until('the files', async () => ((await client.complete('diagnostics://file/{+path}', 'many/')).length === 2 ? true : undefined));
    assert.deepEqual(await client.complete('diagnostics://file/{+path}', 'many/%5Bid'), ['many/%5Bid%5D%20one.ts']);
    assert.deepEqual(await client.complete('file:///{+path}', `${workspacePath('many').slice(1)}/t`), [
      workspacePath('many/two.ts').slice(1),
    ]);
  });

  it('get_diagnostics waits until the language service has settled on the text as it is', async () => {
    const uri = await writeFile('src/settle.ts', 'export const count: number = 1;\n');
    await vscode.window.showTextDocument(uri);
    await type(uri, 'export const wrong: number = "x";\n');
    const answer = (await client.call('get_diagnostics', { path: 'src/settle.ts', waitMs: 20_000 })) as {
      diagnostics: { code?: string }[];
      documents: unknown[];
      settled: boolean;
    };
    const { version } = await client.call('read_file', { path: 'src/settle.ts' });
    assert.deepEqual(
      [answer.diagnostics.map(({ code }) => code), answer.documents, answer.settled],
      [['2322'], [{ path: 'src/settle.ts', version, isDirty: true }], true],
    );
  });

  interface Diagnosed {
    readonly diagnostics: { readonly code?: string; readonly severity: string; readonly range: { readonly start: unknown } }[];
    readonly settled: boolean;
    readonly note?: string;
  }

  it('get_diagnostics of a file that is not open finds its problems, and shows nothing', async () => {
    await writeFile('src/closed.ts', 'export const wrong: number = "x";\nlet unused = 1;\n');
    const answer = (await client.call('get_diagnostics', { path: 'src/closed.ts', severity: 'error' })) as unknown as Diagnosed;
    assert.deepEqual(
      [answer.diagnostics.map(({ code, range }) => [code, range.start]), answer.settled, answer.note],
      [[['2322', { line: 1, character: 14 }]], true, undefined],
    );
    const resource = (await client.readJson('diagnostics://file/src/closed.ts')) as unknown as Diagnosed;
    assert.ok(resource.diagnostics.some(({ code }) => code === '2322') && resource.settled);
    assert.deepEqual((await client.call('list_open_editors')).editors, []);
  });

  it('get_diagnostics of a closed file without problems has an answer, and sees what another file mends', async () => {
    await writeFile('src/given.ts', 'export const given = 1;\n');
    await writeFile('src/taking.ts', 'import { given } from "./given.js";\nexport const text: string = given;\n');
    const codes = async (): Promise<unknown> => {
      const { diagnostics, settled } = (await client.call('get_diagnostics', { path: 'src/taking.ts' })) as unknown as Diagnosed;
      return [diagnostics.map(({ code }) => code), settled];
    };
    assert.deepEqual(await codes(), [['2322'], true]);
    const given = vscode.Uri.file(workspacePath('src/given.ts'));
    await vscode.workspace.openTextDocument(given);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(given, new vscode.Range(0, 0, 1, 0), 'export const given = "1";\n');
    await vscode.workspace.applyEdit(edit);
    assert.deepEqual(await codes(), [[], true]);
  });

  it('get_diagnostics of a file of which no language service speaks says so instead of finding nothing', async () => {
    await writeFile('src/odd.ini', 'x = 1\n');
    const answer = (await client.call('get_diagnostics', { path: 'src/odd.ini' })) as unknown as Diagnosed;
    assert.deepEqual([answer.diagnostics, answer.settled], [[], false]);
    assert.match(String(answer.note), /No language service has reported on src\/odd\.ini/);
  });

  it('get_diagnostics of a closed file of another language waits for the report', async () => {
    await writeFile('src/broken.ini', '[never closed');
    const collection = vscode.languages.createDiagnosticCollection('ini');
    const service = vscode.workspace.onDidOpenTextDocument(({ uri }) => {
      if (uri.path.endsWith('/broken.ini')) {
        setTimeout(() => collection.set(uri, [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), 'never closed')]), 100);
      }
    });
    try {
      const answer = (await client.call('get_diagnostics', { path: 'src/broken.ini', waitMs: 20_000 })) as unknown as Diagnosed;
      assert.deepEqual([answer.diagnostics.map(({ severity }) => severity), answer.settled], [['error'], true]);
    } finally {
      service.dispose();
      collection.dispose();
    }
  });

  it('get_diagnostics of the workspace says which files are known, and settles on clean ones', async () => {
    await vscode.window.showTextDocument(await writeFile('src/clean.ts', 'export const fine = 1;\n'));
    const answer = (await client.call('get_diagnostics', { waitMs: 20_000 })) as unknown as Diagnosed;
    assert.deepEqual([answer.settled, /^Known are the problems of open files/.test(String(answer.note))], [true, true], answer.note);
  });

  it('stays responsive with 100,000 diagnostics (release)', async () => {
    const collection = vscode.languages.createDiagnosticCollection('many');
    try {
      const range = new vscode.Range(0, 0, 0, 1);
      for (let file = 0; file < 100; file += 1) {
        const entries = Array.from({ length: 1_000 }, (_, index) => new vscode.Diagnostic(range, `problem ${index}`));
        collection.set(await writeFile(`manyProblems/${file}.txt`, 'a line\n'), entries);
      }
      await until('all of them', async () => {
        const { total } = (await client.call('get_diagnostics', { limit: 1 })) as { total: number };
        return total >= 100_000 ? total : undefined;
      });
      let page: DiagnosticsPage = { diagnostics: [] };
      let next: DiagnosticsPage = { diagnostics: [] };
      const blocked = await longestBlock(async () => {
        const wanted = { limit: 1_000, maxChars: 200_000 };
        page = (await client.call('get_diagnostics', wanted)) as DiagnosticsPage;
        next = (await client.call('get_diagnostics', { ...wanted, cursor: page.nextCursor })) as DiagnosticsPage;
      });
      assert.deepEqual([page.diagnostics.length, next.diagnostics.length], [1_000, 1_000]);
      assert.ok(blocked < 2_000, `nothing else could happen for ${blocked} ms`);
    } finally {
      collection.dispose();
    }
  });
});
