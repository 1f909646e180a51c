import assert from 'node:assert/strict';
import { AppError } from '../../../../../src/base/errors.ts';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { createEditorCatalog } from '../../../../../src/server/offer/editorCatalog.ts';
import type { Catalog } from '../../../../../src/server/offer/catalog/catalog.ts';
import { fakeCall } from '../../support/fakeCall.ts';
import { FakeEditor } from '../../support/fakePorts.ts';
import { runNamed } from '../../support/fakeTests.ts';

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly resource?: { readonly uri: string; readonly mimeType: string; readonly text: string };
}

describe('The prompts', () => {
  let editor: FakeEditor;
  let catalog: Catalog;
  beforeEach(() => {
    editor = new FakeEditor();
    catalog = createEditorCatalog(editor, { for: () => editor, toActFor: () => editor });
  });

  async function get(name: string, args: Record<string, string> = {}): Promise<Part[]> {
    const outcome = (await catalog.findPrompt(name)?.get(args, fakeCall())) as JsonObject;
    const messages = outcome.messages as unknown as { role: string; content: Part }[];
    assert.ok(messages.every(({ role }) => role === 'user'));
    assert.equal(outcome.description, catalog.findPrompt(name)?.listing.description);
    return messages.map(({ content }) => content);
  }

  const embedded = (parts: readonly Part[]): string[] => parts.flatMap(({ resource }) => resource?.uri ?? []);

  it('fix_diagnostics embeds the diagnostics and the text of the file, or those of the workspace', async () => {
    const parts = await get('fix_diagnostics', { path: 'src/a.ts', severity: 'error' });
    assert.deepEqual(embedded(parts), ['diagnostics://file/src/a.ts', 'file:///demo/src/a.ts']);
    assert.match(parts[0]?.text ?? '', /"error" and worse .* src\/a\.ts/);
    assert.equal((JSON.parse(parts[1]?.resource?.text ?? '') as { total: number }).total, 1);
    assert.deepEqual(parts[3]?.resource, {
      uri: 'file:///demo/src/a.ts',
      mimeType: 'text/x-typescript',
      text: 'const count: number = "three";\n',
    });
    assert.deepEqual(embedded(await get('fix_diagnostics')), ['diagnostics://workspace']);
    const asked = editor.queries.map(({ path, severity }) => [path, severity]);
    assert.deepEqual(
      asked,
      [
        ['src/a.ts', 'error'],
        [undefined, 'warning'],
      ],
      'only those of the severity that is meant',
    );
  });

  it('explain_selection embeds the selection and its file, and says so when nothing is open', async () => {
    const parts = await get('explain_selection', { question: 'why a string?' });
    assert.deepEqual(embedded(parts), ['editor://selection', 'file:///demo/src/a.ts']);
    assert.match(parts[0]?.text ?? '', /why a string\?/);
    editor.documents.selection = undefined;
    assert.match((await get('explain_selection'))[0]?.text ?? '', /No text editor is open/);
  });

  it('review_changes embeds the changes, staged or not', async () => {
    const parts = await get('review_changes', { staged: 'true', focus: 'security' });
    assert.deepEqual(embedded(parts), ['git://changes']);
    assert.match(parts[0]?.text ?? '', /staged changes.*security/s);
    await get('review_changes');
    assert.deepEqual(
      editor.workspace.asked.map((query) => ('staged' in query ? query.staged : undefined)),
      [true, undefined],
    );
  });

  it('triage_test_failure embeds the run and the file that failed', async () => {
    assert.match((await get('triage_test_failure'))[0]?.text ?? '', /no test run yet/);
    assert.match((await get('triage_test_failure', { runId: 'none' }))[0]?.text ?? '', /no test run "none"/);
    const failures = [
      { name: 'lost', message: 'gone', path: 'src/gone.ts', line: 1 },
      { name: 'adds', message: 'expected 3', path: 'src/a.ts', line: 1 },
    ];
    editor.tests.runs = [runNamed('run-2', { failures }), runNamed('run-1', { failures })];
    assert.deepEqual(embedded(await get('triage_test_failure')), ['tests://latest'], 'a file that is gone is left out');
    const parts = await get('triage_test_failure', { runId: 'run-1', test: 'adds' });
    assert.deepEqual(embedded(parts), ['tests://runs/run-1', 'file:///demo/src/a.ts']);
  });

  for (const code of ['editor.binary', 'editor.tooLarge']) {
    it(`say that a file is left out instead of failing with ${code}`, async () => {
      editor.tests.runs = [runNamed('run-1', { failures: [{ name: 'adds', message: '', path: 'src/a.ts', line: 1 }] })];
      editor.documents.read = () => Promise.reject(new AppError(code, '"src/a.ts" cannot be shown.'));
      for (const [name, args] of [['explain_selection'], ['triage_test_failure'], ['fix_diagnostics', { path: 'src/a.ts' }]] as const) {
        const parts = await get(name, args);
        assert.equal(embedded(parts).length, 1, name);
        assert.equal(parts.at(-1)?.text, '(Left out: "src/a.ts" cannot be shown.)', name);
      }
    });
  }

  it('write_tests embeds the file, or the active editor', async () => {
    assert.deepEqual(embedded(await get('write_tests', { path: 'README.md', framework: 'vitest' })), ['file:///demo/README.md']);
    assert.deepEqual(embedded(await get('write_tests')), ['editor://active']);
  });

  it('cut what is too long, with a pointer to the rest', async () => {
    editor.documents.files.set('long.txt', { text: `${'x'.repeat(99)}\n`.repeat(2_000) });
    const text = (await get('write_tests', { path: 'long.txt' }))[1]?.resource?.text ?? '';
    assert.ok(text.length < 100_200);
    assert.match(text, /\[cut here: read file:\/\/\/demo\/long\.txt for the rest\]$/);
  });

  it('refuse unknown arguments, unknown values and unknown files', async () => {
    await assert.rejects(get('fix_diagnostics', { file: 'x' }), {
      code: 'server.badPromptArguments',
      args: { parameter: 'file', reason: 'unknown argument' },
    });
    await assert.rejects(get('fix_diagnostics', { severity: 'bad' }), { code: 'server.badPromptArguments' });
    await assert.rejects(get('review_changes', { staged: 'maybe' }), { code: 'server.badPromptArguments' });
    await assert.rejects(get('write_tests', { path: 'none.ts' }), { code: 'editor.pathNotFound' });
  });

  it('complete their arguments by what was typed', async () => {
    const failures = [
      { name: 'adds', message: '' },
      { name: 'removes', message: '' },
    ];
    editor.tests.runs = [runNamed('run-2', {}), runNamed('run-1', { failures })];
    const complete = async (
      name: string,
      argument: string,
      value: string,
      context: Record<string, string> = {},
    ): Promise<readonly string[]> =>
      (await catalog.complete({ ref: { kind: 'prompt', name }, argument: { name: argument, value }, context }, fakeCall())).values;
    assert.deepEqual(await complete('fix_diagnostics', 'path', 'src'), ['src/a.ts']);
    assert.deepEqual(await complete('fix_diagnostics', 'severity', 'W'), ['warning']);
    assert.deepEqual(await complete('review_changes', 'staged', ''), ['true', 'false']);
    assert.deepEqual(await complete('triage_test_failure', 'runId', ''), ['run-2', 'run-1']);
    assert.deepEqual(await complete('triage_test_failure', 'test', 'a', { runId: 'run-1' }), ['adds']);
    assert.deepEqual(await complete('write_tests', 'framework', 'vi'), ['vitest']);
    assert.deepEqual(await complete('explain_selection', 'question', ''), []);
    assert.deepEqual(await complete('unknown', 'path', ''), []);
  });
});
