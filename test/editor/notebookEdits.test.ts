import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import { answer, discardAll, keepUnsaved, proposals, writeFile } from './support/actingCalls.ts';
import { activateDuplex, workspacePath } from './support/duplex.ts';
import { LookingClient } from './support/mcpClient.ts';

/** A notebook with everything that a tool could lose. */
const book = {
  cells: [
    { cell_type: 'markdown', id: 'intro', metadata: { tags: ['keep'] }, source: ['# Title\n', 'Text'], attachments: {} },
    {
      cell_type: 'code',
      execution_count: 3,
      id: 'price',
      metadata: { collapsed: false, jupyter: { outputs_hidden: true }, custom: { a: 1 } },
      outputs: [
        { name: 'stdout', output_type: 'stream', text: ['1\n', 'two\n'] },
        {
          data: { 'text/plain': ['42'], 'image/png': 'iVBORw0KGgo=' },
          execution_count: 3,
          metadata: { isolated: true },
          output_type: 'execute_result',
        },
        { ename: 'ValueError', evalue: 'no', output_type: 'error', traceback: ['line one', 'line two'] },
      ],
      source: ['price = 1\n', 'print(price)'],
    },
    { cell_type: 'raw', id: 'raw', metadata: { format: 'text/x-rst' }, source: ['raw text'] },
    { cell_type: 'code', execution_count: null, id: 'last', metadata: {}, outputs: [], source: [] },
  ],
  metadata: {
    kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' },
    language_info: { name: 'python', version: '3.12.1' },
    custom: { deep: [1, { two: 2 }] },
  },
  nbformat: 4,
  nbformat_minor: 5,
};

/** As a program outside of VS Code changes one cell, and the person saves it. */
describe('The edit of a cell', () => {
  let client: LookingClient;

  before(async () => {
    const access = await activateDuplex();
    await keepUnsaved();
    client = await LookingClient.connect(access, 'editor');
  });
  after(async () => {
    await client.close();
    await discardAll();
    await rm(workspacePath('books'), { recursive: true, force: true });
  });

  /** Writes the notebook, has its second cell changed and saved, and returns the file's text. */
  const saveEdited = async (name: string, notebook: typeof book, isShown: boolean): Promise<string> => {
    const uri = await writeFile(name, `${JSON.stringify(notebook, undefined, 1)}\n`);
    if (isShown) {
      await vscode.window.showNotebookDocument(await vscode.workspace.openNotebookDocument(uri));
    }
    const edits = [{ oldText: 'price = 1', newText: 'price = 2' }];
    const result = client.result('propose_edit', { path: name, cell: 1, edits, save: true });
    await proposals(1);
    const { structuredContent } = await answer('acceptAndSave', undefined, result);
    assert.deepEqual([structuredContent?.['outcome'], structuredContent?.['isSaved']], ['accepted', true]);
    return readFile(uri.fsPath, 'utf8');
  };
  const edited = (notebook: typeof book): unknown => {
    const expected = structuredClone(notebook) as { cells: { source: string[] }[] };
    assert.ok(expected.cells[1]);
    expected.cells[1].source = ['price = 2\n', 'print(price)'];
    return expected;
  };

  for (const isShown of [false, true]) {
    it(`keeps all that it did not touch in the file${isShown ? ', also of a notebook that is shown' : ''}`, async () => {
      const text = await saveEdited(`books/kept${String(isShown)}.ipynb`, book, isShown);
      assert.deepEqual(JSON.parse(text), edited(book));
      assert.equal(text, `${JSON.stringify(JSON.parse(text), undefined, 1)}\n`, 'indented as before');
    });
  }

  it('keeps how often the cell was run, however late who is told of the new text forgets it', async () => {
    const forgetting = forgetAtTheLastMoment();
    try {
      const text = await saveEdited('books/late.ipynb', book, true);
      assert.deepEqual(JSON.parse(text), edited(book));
      assert.equal(forgetting.count, 0, 'there was nothing to forget');
    } finally {
      forgetting.dispose();
    }
  });

  it('keeps how often the cell was run, where VS Code changes what else it knows of the cell with its text', async () => {
    const notebook = structuredClone(book);
    const cell = notebook.cells[1];
    assert.ok(cell);
    // VS Code drops a language that is the notebook's own, and with it what it then knew of the cell.
    Object.assign(cell.metadata, { vscode: { languageId: 'python' } });
    const text = await saveEdited('books/language.ipynb', notebook, true);
    assert.deepEqual(JSON.parse(text), edited(book));
  });

  it('is of the text that was read while the notebook was closed, however its file writes lines and language', async () => {
    const cell = { cell_type: 'code', execution_count: null, id: 'a', metadata: {}, outputs: [], source: ['let a = 1', 'let b = 2'] };
    const metadata = { kernelspec: { display_name: '.NET (F#)', language: 'F#', name: '.net-fsharp' } };
    const uri = await writeFile('books/lines.ipynb', JSON.stringify({ cells: [cell], metadata, nbformat: 4, nbformat_minor: 5 }));
    const path = 'books/lines.ipynb';
    const { structuredContent: read } = await client.result('read_file', { path });
    assert.equal(read?.['text'], '# %% [code] cell 0 fsharp\nlet a = 1\nlet b = 2\n');
    const edits = [{ oldText: 'a = 1', newText: 'a = 3' }];
    const result = client.result('propose_edit', { path, cell: 0, edits, expectedVersion: read['version'], save: true });
    await proposals(1);
    const { structuredContent } = await answer('acceptAndSave', undefined, result);
    assert.equal(structuredContent?.['outcome'], 'accepted');
    const { cells } = JSON.parse(await readFile(uri.fsPath, 'utf8')) as { cells: { source: unknown }[] };
    assert.deepEqual(cells[0]?.source, ['let a = 3\n', 'let b = 2']);
  });

  for (const [name, text] of [
    ['empty', ''],
    ['object', '{}'],
  ] as const) {
    it(`has no cell to be of where the file of the notebook has none (${name})`, async () => {
      const path = `books/${name}.ipynb`;
      const uri = await writeFile(path, text);
      assert.equal((await vscode.workspace.openNotebookDocument(uri)).cellCount, 0, 'as VS Code has it');
      assert.equal((await client.result('read_file', { path })).structuredContent?.['text'], '');
      const { content } = await client.result('propose_edit', { path, cell: 0, newText: 'a = 1' });
      assert.match(JSON.stringify(content), /has 0 cells/);
    });
  }
});

/** Forgets the counts of cells by the rule of VS Code's own extension for notebooks, but only when a notebook is about to be saved. */
function forgetAtTheLastMoment(): vscode.Disposable & { readonly count: number } {
  const found: vscode.NotebookCell[] = [];
  const telling = vscode.workspace.onDidChangeNotebookDocument(({ cellChanges }) => {
    const texts = cellChanges.filter(({ document, metadata, outputs }) => document && !metadata && !outputs);
    found.push(...texts.map(({ cell }) => cell).filter(({ metadata }) => metadata['execution_count']));
  });
  const saving = vscode.workspace.onWillSaveNotebookDocument((event) => {
    const edit = new vscode.WorkspaceEdit();
    const forgotten = found.map(({ index, metadata }) =>
      vscode.NotebookEdit.updateCellMetadata(index, { ...metadata, execution_count: null }),
    );
    edit.set(event.notebook.uri, forgotten);
    event.waitUntil(forgotten.length > 0 ? vscode.workspace.applyEdit(edit) : Promise.resolve());
  });
  return {
    get count() {
      return found.length;
    },
    dispose: () => [telling, saving].forEach((each) => void each.dispose()),
  };
}
