import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { resources } from '../../../../../src/server/offer/resources/resourceTable.ts';
import { getDiagnostics } from '../../../../../src/server/offer/tools/getDiagnostics.ts';
import { tools } from '../../../../../src/server/offer/tools/toolTable.ts';
import { fakeCall } from '../../support/fakeCall.ts';
import { diagnosticAt, FakeEditor } from '../../support/fakePorts.ts';
import { outputOf } from '../../../../../src/server/offer/tools/tool.ts';

async function run(name: string, args: JsonObject, editor: FakeEditor): Promise<Record<string, unknown>> {
  const tool = tools.find((each) => each.name === name);
  assert.ok(tool);
  return (await outputOf(tool, args, { editor, call: fakeCall() })) as Record<string, unknown>;
}

describe('The tools that look at the editor', () => {
  it('each resource equals the output of its tool', async () => {
    const editor = new FakeEditor();
    const pairs = [
      ['editor://open', 'list_open_editors'],
      ['diagnostics://workspace', 'get_diagnostics'],
      ['workspace://folders', 'list_workspace_folders'],
      ['editor://selection', 'get_selection'],
      ['tests://latest', 'get_test_results'],
      ['git://changes', 'get_git_changes'],
    ] as const;
    for (const [uri, tool] of pairs) {
      const content = await resources.find((resource) => resource.uri === uri)?.read({ editor, call: fakeCall() });
      assert.deepEqual(content?.kind === 'json' ? content.value : undefined, await run(tool, {}, editor), uri);
    }
  });

  it('get_diagnostics passes its filter on and waits only when told', async () => {
    const editor = new FakeEditor();
    await run('get_diagnostics', { path: 'src/a.ts', severity: 'warning', source: 'ts', waitMs: 50 }, editor);
    await run('get_diagnostics', {}, editor);
    const nothing = { path: undefined, severity: undefined, source: undefined };
    assert.deepEqual(editor.queries, [
      { path: 'src/a.ts', severity: 'warning', source: 'ts', waitMs: 50 },
      { ...nothing, waitMs: 0 },
    ]);
  });

  it('get_diagnostics waits for nothing where all is known at once, and for the editor where it is not', async () => {
    const editor = new FakeEditor();
    const begin = (args: JsonObject): unknown => {
      const prepared = getDiagnostics.prepare(args);
      assert.ok(prepared.kind === 'ready');
      return prepared.run({ editor, call: fakeCall(), attach: () => undefined });
    };
    assert.ok(begin({ limit: 1 }) instanceof Promise);
    editor.knowsAtOnce = true;
    assert.ok(begin({ waitMs: 5 }) instanceof Promise);
    assert.ok(begin({ path: 'src/a.ts' }) instanceof Promise);
    const atOnce = begin({ limit: 1 });
    assert.ok(!(atOnce instanceof Promise));
    assert.deepEqual((atOnce as { readonly output: { readonly diagnostics: unknown } }).output.diagnostics, [diagnosticAt(1)]);
  });

  it('get_diagnostics pages through everything, 200 at a time where they fit', async () => {
    const editor = new FakeEditor();
    editor.diagnostics = Array.from({ length: 450 }, (_, index) => diagnosticAt(index + 1));
    const lines: number[] = [];
    const sizes: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await run('get_diagnostics', { maxChars: 100_000, ...(cursor !== undefined && { cursor }) }, editor);
      const shown = page.diagnostics as ReturnType<typeof diagnosticAt>[];
      lines.push(...shown.map(({ range }) => range.start.line));
      sizes.push(shown.length);
      assert.equal(page.total, 450);
      cursor = page.nextCursor as string | undefined;
    } while (cursor !== undefined);
    assert.deepEqual([sizes, lines], [[200, 200, 50], editor.diagnostics.map(({ range }) => range.start.line)]);
  });

  it('get_diagnostics says what nobody looked at', async () => {
    const editor = new FakeEditor();
    const { note: ofWorkspace } = await run('get_diagnostics', {}, editor);
    const { note: ofFile } = await run('get_diagnostics', { path: 'src/a.ts' }, editor);
    editor.answerDiagnostics = () => Promise.resolve({ diagnostics: [], documents: [], settled: false, unheard: ['src/a.ts'] });
    const { note: ofSilence } = await run('get_diagnostics', { path: 'src/a.ts' }, editor);
    assert.match(String(ofWorkspace), /^Known are the problems of open files .* pass a path, or scope "project" for all\.$/);
    assert.equal(ofFile, undefined);
    assert.match(String(ofSilence), /^No language service has reported on src\/a\.ts .* waitMs/);
  });

  it('a cursor of another query is refused', async () => {
    const editor = new FakeEditor();
    editor.diagnostics = Array.from({ length: 3 }, (_, index) => diagnosticAt(index + 1));
    const { nextCursor } = await run('get_diagnostics', { limit: 1 }, editor);
    await assert.rejects(run('get_diagnostics', { source: 'ts', cursor: String(nextCursor) }, editor), { code: 'server.invalidCursor' });
  });

  it('get_selection without a text editor has no selections', async () => {
    const editor = new FakeEditor();
    editor.documents.selection = undefined;
    assert.deepEqual(await run('get_selection', {}, editor), {
      selections: [],
      note: 'No text editor is open; list_open_editors shows which tabs there are.',
    });
  });

  it('get_selection cuts what is too long and says how to get the rest', async () => {
    const editor = new FakeEditor();
    const { range } = diagnosticAt(1);
    editor.documents.selection = {
      path: 'src/a.ts',
      uri: 'file:///demo/src/a.ts',
      languageId: 'typescript',
      selections: [
        { range, text: `${'x'.repeat(11_999)}\n` },
        { range, text: `${'y'.repeat(7_999)}\n`.repeat(2) },
      ],
    };
    const { selections, note } = await run('get_selection', {}, editor);
    assert.deepEqual(
      (selections as { text: string }[]).map(({ text }) => text.length),
      [12_000, 8_000],
    );
    assert.match(String(note), /read_file/);
  });
});

describe('Arguments of a tool', () => {
  it('may have a number in quotes, as models write it, at any depth', async () => {
    const editor = new FakeEditor();
    const quoted = await run('read_file', { path: 'src/a.ts', startLine: '1', endLine: '1' }, editor);
    assert.deepEqual(quoted, await run('read_file', { path: 'src/a.ts', startLine: 1, endLine: 1 }, editor));
    const place = { line: '1', character: ' 1' };
    const edits = [{ range: { start: { ...place, character: '1' }, end: { line: 1, character: '1' } }, newText: '7' }];
    const proposeEdit = tools.find(({ name }) => name === 'propose_edit');
    assert.equal(proposeEdit?.prepare({ path: 'a.ts', edits }).kind, 'ready');
    const odd = [{ range: { start: place, end: { line: 1, character: 1 } }, newText: '7' }];
    assert.equal(proposeEdit.prepare({ path: 'a.ts', edits: odd }).kind, 'badArguments');
  });

  it('are refused where the text spells no whole number, or one out of bounds', () => {
    const readFile = tools.find(({ name }) => name === 'read_file');
    for (const startLine of ['', '1.5', '1e3', '0x1', 'one', '0', '12345678901234567890']) {
      const prepared = readFile?.prepare({ path: 'src/a.ts', startLine });
      assert.equal(prepared?.kind === 'badArguments' && prepared.parameter, 'startLine', startLine);
    }
  });

  it('are described without bounds that every integer has', () => {
    assert.ok(!JSON.stringify(tools.map(({ listing }) => listing)).includes(String(Number.MAX_SAFE_INTEGER)));
  });
});
