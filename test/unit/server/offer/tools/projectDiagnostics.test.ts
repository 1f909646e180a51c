import assert from 'node:assert/strict';
import { AppError } from '../../../../../src/base/errors.ts';
import { getDiagnostics } from '../../../../../src/server/offer/tools/getDiagnostics.ts';
import { outputOf } from '../../../../../src/server/offer/tools/tool.ts';
import type { DiagnosticEntry } from '../../../../../src/server/seen/ports/editorPort.ts';
import { EditorViews } from '../../../../../src/server/seen/withheld/editorViews.ts';
import { fakeCall } from '../../support/fakeCall.ts';
import { diagnosticAt, FakeEditor } from '../../support/fakePorts.ts';

interface Output {
  readonly diagnostics: readonly DiagnosticEntry[];
  readonly settled: boolean;
  readonly total: number;
  readonly note?: string;
  readonly nextCursor?: string;
}

const at = (path: string, line: number): DiagnosticEntry => ({ ...diagnosticAt(line), path });

describe('Diagnostics of a project', () => {
  let editor: FakeEditor;

  beforeEach(() => {
    editor = new FakeEditor();
    editor.workspace.files = ['a.ts', 'b.ts', 'c.ts', 'd.ts'];
    editor.diagnostics = [at('a.ts', 1), at('a.ts', 2), at('a.ts', 3), at('c.ts', 4), at('c.ts', 5), at('d.ts', 6)];
    editor.answerDiagnostics = ({ path = '' }) =>
      Promise.reject(
        path === 'src' ? new AppError('editor.isFolder', 'It is a folder.') : new AppError('editor.pathNotFound', `There is no "${path}".`),
      );
  });

  const ask = async (args: Record<string, string | number>): Promise<Output> =>
    (await outputOf(getDiagnostics, args, { editor, call: fakeCall() })) as Output;

  it('are asked for with a scope, a folder or a glob, and of files that are listed', async () => {
    await ask({ scope: 'project', severity: 'error', source: 'ts' });
    await ask({ path: 'src' });
    await ask({ path: 'src/**/*.ts' });
    await ask({ path: '.' });
    assert.deepEqual(
      editor.workspace.asked.map((query) => ('pattern' in query ? [query.pattern, query.folder, query.includeIgnored] : [])),
      [
        ['**', undefined, false],
        ['**', 'src', false],
        ['src/**/*.ts', undefined, false],
        ['**', undefined, false],
      ],
    );
    assert.deepEqual(editor.checks.map(({ files, severity, source }) => [files.length, severity, source])[0], [4, 'error', 'ts']);
    await assert.rejects(ask({ path: 'none.ts' }), /There is no "none\.ts"/);
  });

  it('are told once each, whatever the size of the pages', async () => {
    for (const limit of [1, 2, 3, 4, 10]) {
      const lines: number[] = [];
      let cursor: string | undefined;
      do {
        const page = await ask({ scope: 'project', limit, ...(cursor !== undefined && { cursor }) });
        assert.deepEqual([page.total, page.settled], [6, true]);
        lines.push(...page.diagnostics.map(({ range }) => range.start.line));
        cursor = page.nextCursor;
      } while (cursor !== undefined && lines.length < 20);
      assert.deepEqual(lines, [1, 2, 3, 4, 5, 6], String(limit));
    }
  });

  it('that there was no time for are the next page’s, and the note says so', async () => {
    editor.checkEnds = { checked: 2 };
    const first = await ask({ scope: 'project' });
    assert.deepEqual([first.diagnostics.length, first.settled], [3, false]);
    assert.match(first.note ?? '', /Looked at 2 of 4 files.*nextCursor/);
    editor.checkEnds = {};
    const rest = await ask({ scope: 'project', cursor: first.nextCursor ?? '' });
    assert.deepEqual(editor.checks.at(-1)?.files, ['c.ts', 'd.ts']);
    assert.deepEqual([rest.diagnostics.length, rest.total, rest.settled, rest.nextCursor], [3, 6, true, undefined]);
  });

  it('are told once each, also when there was no time for any file after a page that ends inside one', async () => {
    const first = await ask({ scope: 'project', limit: 2 });
    editor.checkEnds = { checked: 0 };
    const none = await ask({ scope: 'project', limit: 2, cursor: first.nextCursor ?? '' });
    editor.checkEnds = {};
    const rest = await ask({ scope: 'project', cursor: none.nextCursor ?? '' });
    assert.deepEqual(
      [first, none, rest].map(({ diagnostics }) => diagnostics.map(({ range }) => range.start.line)),
      [[1, 2], [], [3, 4, 5, 6]],
    );
    assert.deepEqual([rest.total, rest.nextCursor], [6, undefined]);
  });

  it('have a cursor of their own, that fits no other question', async () => {
    const { nextCursor: cursor = '' } = await ask({ scope: 'project', limit: 1 });
    for (const other of [{}, { scope: 'project', severity: 'error' }, { path: 'src' }]) {
      await assert.rejects(ask({ ...other, cursor }), { code: 'server.invalidCursor' });
    }
  });

  it('say what nobody told, and what can be run instead', async () => {
    editor.checkEnds = { silent: [{ ending: '.rs', count: 7 }], unloaded: 2, unheard: ['b.ts'] };
    const { note = '', settled } = await ask({ scope: 'project' });
    assert.equal(settled, false);
    assert.match(note, /7 \.rs\. Instead: run_task "build".*`cargo check` in a terminal/);
    assert.match(note, /2 files belong to no project/);
    assert.match(note, /did not answer in time, or not yet about what the disk has now, on b\.ts/);
  });

  it('are looked for longer by a client that gets progress, which rises (release)', async () => {
    const told: (readonly [number, string | undefined, number | undefined])[] = [];
    const call = fakeCall({
      wantsProgress: true,
      reportProgress: (...progress) => void told.push([progress[0], progress[1], progress[2]]),
    });
    const check = editor.checkFiles.bind(editor);
    editor.checkFiles = async (query) => {
      query.onProgress?.(3);
      while (told.length < 2) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return check(query);
    };
    await outputOf(getDiagnostics, { scope: 'project' }, { editor, call });
    assert.deepEqual(told[0], [3, '3 of 4 files checked', 4]);
    assert.ok((told[1]?.[0] ?? 0) > 3);
    assert.ok((editor.checks[0]?.timeMs ?? 0) > 60_000);
    await ask({ scope: 'project' });
    assert.ok((editor.checks[1]?.timeMs ?? 0) < 25_000);
  });

  it('are never those of withheld files, and quote none of their text', async () => {
    editor.workspace.files = ['.env', 'a.ts', 'keys/server.pem'];
    editor.diagnostics = [at('.env', 1), { ...at('a.ts', 2), message: `'"hidden-value-123456"' is wrong` }, at('keys/server.pem', 3)];
    editor.workspace.matches = [];
    const view = new EditorViews(editor, [], undefined).for(fakeCall().viewer);
    const { diagnostics, total } = (await outputOf(getDiagnostics, { scope: 'project' }, { editor: view, call: fakeCall() })) as Output;
    assert.deepEqual([diagnostics.map(({ path }) => path), total], [['a.ts'], 1]);
    assert.deepEqual(editor.checks[0]?.files, ['a.ts']);
    assert.doesNotMatch(diagnostics[0]?.message ?? '', /hidden-value/);
  });
});
