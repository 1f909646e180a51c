import assert from 'node:assert/strict';
import { readNotebookFile, sourcesIn } from '../../../../src/editor/documents/notebookFile.ts';

interface Cell {
  readonly cell_type: string;
  readonly source: string | readonly string[];
  readonly outputs?: readonly object[];
  readonly metadata?: object;
}

const notebook = (cells: readonly Cell[], metadata: object = {}): string =>
  JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 });
const printed = (text: string): Cell => ({ cell_type: 'code', source: 'x', outputs: [{ output_type: 'stream', name: 'stdout', text }] });

describe('A notebook that is not open', () => {
  it('reads by cell, from 0, with kind, language and outputs', () => {
    const cells = [
      { cell_type: 'markdown', source: ['# Title\n', 'more'] },
      {
        cell_type: 'code',
        source: 'plot()',
        outputs: [
          { output_type: 'stream', name: 'stdout', text: ['one\n', '\u001b[31mtwo\u001b[0m\n'] },
          { output_type: 'display_data', data: { 'image/png': 'AAECAw==', 'text/plain': ['<Figure>'], 'text/html': '<b>' } },
          { output_type: 'execute_result', data: { 'application/x-own': 'abc' } },
          { output_type: 'error', ename: 'ValueError', evalue: 'bad', traceback: ['line 1', 'ValueError: bad'] },
        ],
      },
      { cell_type: 'code', source: 'SELECT 1', metadata: { vscode: { languageId: 'sql' } }, outputs: [] },
      { cell_type: 'raw', source: '' },
    ];
    const read = readNotebookFile(notebook(cells, { language_info: { name: 'Python' } }));
    assert.equal(
      read?.shown,
      [
        '# %% [markdown] cell 0 markdown\n# Title\nmore\n',
        '# %% [code] cell 1 python\nplot()',
        '# %% [output] cell 1\none\ntwo',
        '# %% [output] cell 1\n<Figure>\n[image/png, 4 bytes]',
        '# %% [output] cell 1\n[application/x-own, 3 bytes]',
        '# %% [output] cell 1\nValueError: bad\nline 1\nValueError: bad\n',
        '# %% [code] cell 2 sql\nSELECT 1\n',
        '# %% [code] cell 3 raw\n\n',
      ].join('\n'),
    );
  });

  it('has the same sources whether or not its cells were run', () => {
    const before = readNotebookFile(notebook([{ cell_type: 'code', source: 'x', outputs: [] }]));
    const after = readNotebookFile(notebook([printed('one')]));
    assert.ok(before !== undefined && after !== undefined);
    assert.equal(before.sources, after.sources);
    assert.notEqual(before.shown, after.shown);
  });

  it('shows beginning and end of a long output, and names what is too much', () => {
    const long = readNotebookFile(notebook([printed(Array.from({ length: 5_000 }, (_, line) => `line ${line}`).join('\n'))]));
    assert.match(long?.shown ?? '', /\nline 0\n[^]*\n\[… \d+ characters left out …\]\n[^]*line 4999\n$/);
    assert.ok((long?.shown.length ?? 0) < 10_000);
    const many = readNotebookFile(notebook(Array.from({ length: 6 }, () => printed('x'.repeat(400_000)))));
    assert.equal(many?.shown.split('[application/vnd.code.notebook.stdout, 400000 bytes]').length, 5);
    assert.ok(many.shown.length < 20_000);
  });

  it('cuts a long output between lines: half of a secret would not be known as one', () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`;
    for (const fill of [`${'x'.repeat(37)}\n`, 'y\r\n', 'z ']) {
      for (let length = 3_900; length < 4_100; length += 7) {
        const around = fill.repeat(20_000).slice(0, length);
        const shown = readNotebookFile(notebook([printed(`${around}${secret} ${around.repeat(11)} ${secret}${around}`)]))?.shown ?? '';
        assert.doesNotMatch(shown.replaceAll(secret, ''), /ghp_|a1B2|D4e5/);
      }
    }
  });

  it('has a line break behind each line of a list, also where the list leaves it out', async () => {
    const text = notebook([{ cell_type: 'code', source: ['import os', 'print(1)\n', 'print(2)'], outputs: [] }]);
    assert.equal(readNotebookFile(text)?.sources, '# %% [code] cell 0 python\nimport os\nprint(1)\nprint(2)\n');
    assert.deepEqual(await sourcesIn(text), ['import os\nprint(1)\nprint(2)']);
  });

  it('has the language by the name that VS Code gives it', () => {
    const languageFor = (metadata: object): string | undefined =>
      / cell 0 (.*)\n/.exec(readNotebookFile(notebook([{ cell_type: 'code', source: '' }], metadata))?.sources ?? '')?.[1];
    const names = ['C#', 'F#', 'q#', 'c++11', 'C++14', 'c++17', 'Julia', ''];
    assert.deepEqual(
      names.map((name) => languageFor({ language_info: { name } })),
      ['csharp', 'fsharp', 'qsharp', 'c++', 'c++', 'c++17', 'julia', 'python'],
    );
    assert.equal(languageFor({ language_info: { name: '' }, kernelspec: { language: 'F#' } }), 'fsharp');
  });

  it('has no cells where its file has none, or is empty, and none of a kind that VS Code does not know', async () => {
    for (const text of [
      '',
      '\n',
      '{}',
      '{"cells": null}',
      '{"nbformat": 0}',
      notebook([]),
      notebook([{ cell_type: 'heading', source: 'x' }]),
    ]) {
      assert.deepEqual(readNotebookFile(text), { shown: '', sources: '' }, text);
      assert.deepEqual(await sourcesIn(text), [], text);
    }
  });

  it('is none when its text is not that of one', async () => {
    const old = '{"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": "x"}]}]}';
    for (const text of ['words', '[]', '{"cells": 1}', 'null', old, '{"nbformat": 3, "cells": []}', '{"__webview_backup": "1"}']) {
      assert.equal(readNotebookFile(text), undefined, text);
      assert.equal(await sourcesIn(text), undefined, text);
    }
  });
});
