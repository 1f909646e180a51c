import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { resources } from '../../../../../src/server/offer/resources/resourceTable.ts';
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
    assert.deepEqual(editor.queries, [{ path: 'src/a.ts', severity: 'warning', source: 'ts', waitMs: 50 }, { waitMs: 0 }]);
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
    assert.match(String(ofWorkspace), /^Known are the problems of open files .* pass its path\.$/);
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

describe('read_file', () => {
  const text = 'one\r\ntwo\nthree\n';
  let editor: FakeEditor;
  beforeEach(() => {
    editor = new FakeEditor();
    editor.documents.files.set('a.txt', { text, version: 'v7', isDirty: true });
  });
  const read = (args: JsonObject): Promise<Record<string, unknown>> => run('read_file', { path: 'a.txt', ...args }, editor);

  it('returns the whole text with version, dirty flag and number of lines', async () => {
    assert.deepEqual(await read({}), { path: 'a.txt', text, version: 'v7', isDirty: true, totalLines: 4 });
  });

  it('returns the lines asked for, both included, as they are', async () => {
    const cases: readonly (readonly [JsonObject, string])[] = [
      [{ startLine: 1, endLine: 1 }, 'one'],
      [{ startLine: 1, endLine: 2 }, 'one\r\ntwo'],
      [{ startLine: 2, endLine: 3 }, 'two\nthree'],
      [{ startLine: 3 }, 'three\n'],
      [{ endLine: 2 }, 'one\r\ntwo'],
      [{ startLine: 4 }, ''],
      [{ startLine: 9 }, ''],
      [{ startLine: 3, endLine: 2 }, ''],
      [{ endLine: 99 }, text],
    ];
    for (const [args, expected] of cases) {
      assert.equal((await read(args)).text, expected, JSON.stringify(args));
    }
  });

  it('cuts an oversized text at a line and points to the rest, so that all of it can be had', async () => {
    const long = Array.from({ length: 30_000 }, (_, index) => `line ${index + 1}`).join('\n');
    editor.documents.files.set('a.txt', { text: long });
    let whole = '';
    let startLine: number | undefined = 1;
    let answers = 0;
    while (startLine !== undefined) {
      const answer: Record<string, unknown> = await read({ startLine });
      whole += String(answer.text);
      startLine = answer.nextStartLine as number | undefined;
      assert.equal(answer.note === undefined, startLine === undefined);
      answers += 1;
    }
    assert.deepEqual([whole === long, answers], [true, 2]);
  });

  it('cuts inside a line that is too long for one answer and names the resource', async () => {
    editor.documents.files.set('a.txt', { text: 'x'.repeat(300_000) });
    const { text: shown, note } = await read({});
    assert.deepEqual([String(shown).length, String(note).includes('file:///demo/a.txt')], [200_000, true]);
  });

  it('refuses a line 0 and an unknown parameter', () => {
    const prepare = (args: JsonObject): unknown => tools.find(({ name }) => name === 'read_file')?.prepare(args);
    assert.equal((prepare({ path: 'a', startLine: 0 }) as { parameter: string }).parameter, 'startLine');
    assert.equal((prepare({ path: 'a', lines: 3 }) as { parameter: string }).parameter, 'lines');
  });
});
