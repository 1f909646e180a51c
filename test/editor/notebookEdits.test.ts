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

  for (const isShown of [false, true]) {
    it(`keeps all that it did not touch in the file${isShown ? ', also of a notebook that is shown' : ''}`, async () => {
      const name = `books/kept${String(isShown)}.ipynb`;
      const uri = await writeFile(name, `${JSON.stringify(book, undefined, 1)}\n`);
      if (isShown) {
        await vscode.window.showNotebookDocument(await vscode.workspace.openNotebookDocument(uri));
      }
      const edits = [{ oldText: 'price = 1', newText: 'price = 2' }];
      const result = client.result('propose_edit', { path: name, cell: 1, edits, save: true });
      await proposals(1);
      const { structuredContent } = await answer('acceptAndSave', undefined, result);
      assert.deepEqual([structuredContent?.['outcome'], structuredContent?.['isSaved']], ['accepted', true]);
      const text = await readFile(uri.fsPath, 'utf8');
      const expected = structuredClone(book) as { cells: { source: string[] }[] };
      assert.ok(expected.cells[1]);
      expected.cells[1].source = ['price = 2\n', 'print(price)'];
      assert.deepEqual(JSON.parse(text), expected);
      assert.equal(text, `${JSON.stringify(JSON.parse(text), undefined, 1)}\n`, 'indented as before');
    });
  }
});
