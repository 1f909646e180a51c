import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { rangeAt, symbolAt } from '../../support/fakeLanguage.ts';
import { FakeEditor } from '../../support/fakePorts.ts';
import { terminalCommand } from '../../support/fakeTerminals.ts';
import { runNamed } from '../../support/fakeTests.ts';
import { answerOf } from '../../support/toolAnswers.ts';

const place = { path: 'src/a.ts', line: 3, character: 7 };

/** What a model reads of the stand-in editor. */
const texts: readonly (readonly [string, JsonObject, string])[] = [
  ['list_open_editors', {}, 'src/a.ts (active, unsaved, text, typescript, group 1)'],
  ['list_workspace_folders', {}, '0 demo: /demo'],
  ['get_selection', {}, 'src/a.ts (typescript)\nsrc/a.ts:1:7-12\ncount'],
  [
    'get_diagnostics',
    { path: 'src/a.ts' },
    'src/a.ts:1:1-5 error problem 1 [ts 2322]\n1 problems, settled.\nsrc/a.ts (version v3, unsaved)',
  ],
  ['get_document_symbols', { path: 'src/a.ts', depth: 2 }, '1-9 class Cart (exported)\n  3 method add'],
  ['get_syntax_tree', { path: 'src/a.ts' }, 'document 1:1-9\n  function 1:1-9\nProviders: selectionRange, semanticTokens.'],
  ['search_symbols', { query: 'tot' }, 'src/a.ts:3:1-9 function total (in cart)'],
  ['go_to_definition', place, 'src/a.ts:3:1-9: const total = 1;'],
  ['find_references', place, 'src/a.ts:3:1-9: const total = 1;\nsrc/b.ts:3:1-9: const total = 1;'],
  ['get_hover', place, '```ts\nconst total: number\n```'],
  ['get_call_hierarchy', { ...place, direction: 'incoming' }, 'src/b.ts:2:1-9 function pay, called at 5:1-9'],
  ['list_code_actions', { path: 'src/a.ts', startLine: 1, endLine: 2 }, 'Add missing import (quickfix, preferred, edit)'],
  ['find_files', { pattern: '*' }, 'src/a.ts\nsrc/b.ts\ntest/a.test.ts'],
  [
    'search_text',
    { query: 'total', include: 'src' },
    'src/a.ts:1:7-12:   const total = 1;\nsrc/b.ts:7:400-405: (from character 300) … total …',
  ],
  ['get_terminal_output', {}, '$ npm test (terminal 1, exit code 0)\nall is well\n$ npm start (terminal 1, running)\nlistening'],
  ['list_tasks', {}, 'build (npm, build)\nlint (Workspace)'],
  ['get_git_changes', {}, 'modified src/a.ts\n@@ -1 +1 @@\n-a\n+b\nrenamed old.ts → new.ts +1 -2'],
  [
    'get_test_results',
    {},
    'run-1 failed: npm test (runTests, exit code 1, started 2026-01-01T00:00:00.000Z, 7 ms)\n1 passed, 1 failed, 0 skipped\n' +
      'Failed: adds (src/a.test.ts:3)\n  expected 1\n  got 2\nOutput:\nok 1',
  ],
  ['open_file', { path: 'src/a.ts' }, 'Done.'],
  ['show_message', { message: 'hello' }, 'Done.'],
  ['save_file', { path: 'src/a.ts' }, 'Done.'],
  ['run_terminal_command', { command: 'ls' }, 'Exit code 3.\ntoken=ghp_abcdefghijklmnopqrstuvwxyz0123456789\n'],
  ['run_task', { name: 'build', wait: false }, 'Run run-1.'],
];

function tellingEditor(name: string): FakeEditor {
  const editor = new FakeEditor();
  const range = { start: { line: 1, character: 1 }, end: { line: 9, character: 2 } };
  editor.language.symbols = [
    { ...symbolAt('Cart', 1, [{ ...symbolAt('add', 3), kind: 'method' }]), kind: 'class', range, detail: '(exported)' },
  ];
  editor.workspace.matches = [
    { path: 'src/a.ts', line: 1, character: 7, endCharacter: 12, preview: '  const total = 1;' },
    { path: 'src/b.ts', line: 7, character: 400, endCharacter: 405, preview: '… total …', previewStart: 300 },
  ];
  editor.workspace.changes = [
    ...editor.workspace.changes,
    { path: 'new.ts', oldPath: 'old.ts', status: 'renamed', addedLines: 1, removedLines: 2 },
  ];
  editor.terminals.commands = [
    terminalCommand('npm test', 'all is well'),
    terminalCommand('npm start', 'listening', { exitCode: undefined, isRunning: true }),
  ];
  const failures = [{ name: 'adds', message: 'expected 1\ngot 2', path: 'src/a.test.ts', line: 3 }];
  const ended = { status: 'failed', exitCode: 1, durationMs: 7, counts: { passed: 1, failed: 1, skipped: 0 } } as const;
  if (!name.startsWith('run_')) {
    editor.tests.runs = [runNamed('run-1', { ...ended, startedAt: '2026-01-01T00:00:00.000Z', failures, output: 'ok 1' })];
  }
  return editor;
}

describe('The text of an answer', () => {
  for (const [name, args, expected] of texts) {
    it(`of ${name} has a line for each thing`, async () => {
      assert.equal((await answerOf(name, args, tellingEditor(name))).text, expected);
    });
  }

  it('ends with what is missing and how to get it', async () => {
    const editor = new FakeEditor();
    editor.language.covered = 'alone';
    const { text, output } = await answerOf('find_references', { ...place, maxChars: 1_000 }, editor);
    assert.equal(text?.split('\n').at(-1), output['note']);
    editor.workspace.files = Array.from({ length: 300 }, (_, index) => `src/${index}.ts`).sort();
    const page = await answerOf('find_files', { pattern: '*', limit: 2 }, editor);
    assert.equal(page.text, `src/0.ts\nsrc/1.ts\nMore: pass cursor "${String(page.output['nextCursor'])}".`);
  });

  it('says which part of a message is its own', async () => {
    const editor = new FakeEditor();
    editor.diagnostics = [{ path: 'a.ts', range: rangeAt(1), severity: 'warning', message: 'one\ntwo' }];
    const { text } = await answerOf('get_diagnostics', {}, editor);
    assert.match(text ?? '', /^a\.ts:1:1-9 warning one\n {2}two\n1 problems, settled\.\nsrc\/a\.ts \(version v3, unsaved\)\nKnown are/);
  });
});
