import assert from 'node:assert/strict';
import { AppError } from '../../../../../src/base/errors.ts';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { pathNotFound } from '../../../../../src/platform/paths/clientPath.ts';
import type { CallContext } from '../../../../../src/server/offer/catalog/catalog.ts';
import { actingTools } from '../../../../../src/server/offer/tools/toolTable.ts';
import { outputOf } from '../../../../../src/server/offer/tools/tool.ts';
import type { EditsProposal, EditsReview } from '../../../../../src/server/seen/ports/actingPort.ts';
import { fakeCall } from '../../support/fakeCall.ts';
import { symbolAt } from '../../support/fakeLanguage.ts';
import { diagnosticAt, FakeEditor } from '../../support/fakePorts.ts';

const author = { credentialId: 'window-1', name: 'peer 9' };
const range = { start: { line: 1, character: 1 }, end: { line: 1, character: 2 } };

function tool(name: string): (typeof actingTools)[number] {
  const found = actingTools.find((each) => each.name === name);
  assert.ok(found);
  return found;
}

function run(name: string, args: JsonObject, editor: FakeEditor, changes: Partial<CallContext> = {}): Promise<unknown> {
  return outputOf(tool(name), args, { editor, call: fakeCall(changes) });
}

/** The keys of the questions that were joined or opened. */
async function keysOf(...calls: readonly (readonly [string, JsonObject])[]): Promise<string[]> {
  const keys: string[] = [];
  const joinQuestion: CallContext['joinQuestion'] = (key, ask) => {
    keys.push(key);
    return ask(new AbortController().signal);
  };
  for (const [name, args] of calls) {
    await run(name, args, new FakeEditor(), { joinQuestion });
  }
  return keys;
}

describe('A proposal', () => {
  it('takes either a new text or edits, and of each edit either oldText or a range', () => {
    const edits = [{ range, newText: 'x' }];
    const bad: JsonObject[] = [
      { path: 'a' },
      { path: 'a', newText: '', edits },
      { path: 'a', edits: [] },
      { path: 'a', edits: [{ newText: 'x' }] },
      { path: 'a', edits: [{ oldText: 'y', range, newText: 'x' }] },
      { path: 'a', edits: [{ range, newText: 'x', replaceAll: true }] },
      { path: 'a', edits: [{ symbol: 'x', newText: 'x', replaceAll: true }] },
      { path: 'a', edits: [{ symbol: 'x', range, newText: 'x' }] },
      { path: 'a', cell: -1, newText: '' },
    ];
    const good: JsonObject[] = [
      { path: 'a', newText: '' },
      { path: 'a', cell: '0', newText: '' },
      { path: 'a', edits: [...edits, { oldText: 'y', newText: 'x', replaceAll: true }] },
    ];
    for (const [args, kind] of [...bad.map((each) => [each, 'badArguments']), ...good.map((each) => [each, 'ready'])] as const) {
      assert.equal(tool('propose_edit').prepare(args).kind, kind, JSON.stringify(args));
    }
  });

  it('of several files takes one thing to do with each, at most fifty, and edits with a move', () => {
    const many = Array.from({ length: 51 }, (_, index) => ({ path: `${index}`, newText: '' }));
    const bad: JsonObject[][] = [
      [],
      many,
      [{ path: 'a' }],
      [{ path: 'a', newText: '', edits: [{ range, newText: '' }] }],
      [{ path: 'a', newText: '', delete: true }],
      [{ path: 'a', moveTo: 'b', delete: true }],
      [{ path: 'a', delete: false }],
    ];
    for (const files of bad) {
      assert.equal(tool('propose_edits').prepare({ files }).kind, 'badArguments', JSON.stringify(files));
    }
    const files = [...many.slice(2), { path: 'a', moveTo: 'b', edits: [{ oldText: 'x', newText: 'y' }] }];
    assert.equal(tool('propose_edits').prepare({ files }).kind, 'ready');
  });

  it('takes the name of a symbol as the place of an edit, in the text that it was found in', async () => {
    const editor = new FakeEditor();
    editor.language.symbols = [symbolAt('Cart', 1, [symbolAt('add', 2)]), symbolAt('Basket', 5, [symbolAt('add', 6)])];
    editor.documents.files.set('src/a.ts', { text: 'cart one\nadds one\n'.repeat(4) });
    const edits = [
      { symbol: 'Cart.add', newText: 'B' },
      { oldText: 'c', newText: 'C' },
    ];
    await run('propose_edit', { path: 'src/a.ts', edits }, editor);
    await run('propose_edits', { files: [{ path: 'src/a.ts', moveTo: 'src/b.ts', edits }] }, editor);
    const proposed = editor.acting.done.map((done) => (done as [string, EditsProposal])[1].files[0]);
    const { version } = await editor.documents.read('src/a.ts', new AbortController().signal);
    const placed = [
      { range: symbolAt('add', 2).range, newText: 'B' },
      { oldText: 'c', newText: 'C' },
    ];
    assert.deepEqual(proposed, [
      { path: 'src/a.ts', change: { kind: 'text', edits: placed }, expectedVersion: version },
      { path: 'src/a.ts', change: { kind: 'move', moveTo: 'src/b.ts', text: { edits: placed } }, expectedVersion: version },
    ]);
    const edit = (symbol: string): JsonObject => ({ path: 'src/a.ts', edits: [{ symbol, newText: '' }] });
    await assert.rejects(run('propose_edit', edit('add'), editor), { code: 'server.severalSymbols' });
    await assert.rejects(run('propose_edit', edit('remove'), editor), { code: 'server.noSymbol' });
    await assert.rejects(run('propose_edit', { ...edit('Cart'), cell: 0 }, editor), { code: 'server.symbolInCell' });
    const many = { path: 'src/a.ts', edits: Array.from({ length: 51 }, () => ({ symbol: 'Cart', newText: '' })) };
    await assert.rejects(run('propose_edit', many, editor), { code: 'server.tooManySymbols' });
  });

  it('reaches the editor as it was written', async () => {
    const editor = new FakeEditor();
    const edits = [
      { oldText: 'a', newText: 'b', replaceAll: true },
      { range, newText: 'c' },
    ];
    await run('propose_edit', { path: 'n.ipynb', cell: 2, edits, expectedVersion: 'v3', description: 'Fix', save: true }, editor);
    await run(
      'propose_edits',
      {
        files: [
          { path: 'a', newText: 'x' },
          { path: 'b', moveTo: 'c' },
          { path: 'd', moveTo: 'e', edits: [{ range, newText: '' }] },
          { path: 'f', delete: true, expectedVersion: 'v1' },
        ],
      },
      editor,
    );
    assert.deepEqual(editor.acting.done, [
      [
        'propose',
        {
          files: [{ path: 'n.ipynb', change: { kind: 'cell', cell: 2, edits }, expectedVersion: 'v3' }],
          author,
          description: 'Fix',
          save: true,
        },
      ],
      [
        'propose',
        {
          files: [
            { path: 'a', change: { kind: 'text', newText: 'x' } },
            { path: 'b', change: { kind: 'move', moveTo: 'c' } },
            { path: 'd', change: { kind: 'move', moveTo: 'e', text: { edits: [{ range, newText: '' }] } } },
            { path: 'f', change: { kind: 'delete' }, expectedVersion: 'v1' },
          ],
          author,
          description: undefined,
          save: false,
        },
      ],
    ]);
  });

  it('answers with the outcome, the text only where it is not the proposed one, and fresh diagnostics of what was changed', async () => {
    const editor = new FakeEditor();
    assert.deepEqual(await run('propose_edit', { path: 'src/a.ts', newText: 'new\n' }, editor), {
      outcome: 'accepted',
      version: 'v4',
      isSaved: false,
      diagnostics: editor.diagnostics,
    });
    editor.acting.fileReview = { outcome: 'rejected', text: 'old\n', version: 'v3', isSaved: false };
    editor.acting.rejectedWith = 'not now';
    assert.deepEqual(await run('propose_edit', { path: 'src/a.ts', newText: 'new\n' }, editor), {
      outcome: 'rejected',
      reason: 'not now',
      text: 'old\n',
      version: 'v3',
      isSaved: false,
      diagnostics: editor.diagnostics,
    });
    assert.deepEqual(
      editor.queries.map(({ path, waitMs }) => [path, waitMs > 0]),
      [
        ['src/a.ts', true],
        ['src/a.ts', false],
      ],
    );
  });

  it('of several files answers for each, at its new place, and waits for no diagnostics of what is gone', async () => {
    const editor = new FakeEditor();
    const review: EditsReview = {
      files: [
        { path: 'src/a.ts', outcome: 'partlyAccepted', text: 'mine\n', version: 'v2', isSaved: true },
        { path: 'c.ts', outcome: 'accepted', version: 'v3', isSaved: true },
        { path: 'd.ts', outcome: 'accepted', version: '', isSaved: true },
      ],
    };
    editor.acting.review = () => Promise.resolve(review);
    editor.documents.files.set('c.ts', { text: '' });
    const files = [
      { path: 'src/a.ts', newText: 'yours\n' },
      { path: 'b.ts', moveTo: 'c.ts' },
      { path: 'd.ts', delete: true },
    ];
    const answer = await run('propose_edits', { files, save: true }, editor);
    assert.deepEqual(answer, { files: review.files, diagnostics: [...editor.diagnostics, ...editor.diagnostics] });
    assert.deepEqual(
      editor.queries.map(({ path }) => path),
      ['src/a.ts', 'c.ts'],
    );
  });

  it('has an answer of at most 25,000 characters that says what is left out', async () => {
    const editor = new FakeEditor();
    editor.acting.fileReview = { outcome: 'partlyAccepted', text: '"line"\n'.repeat(20_000), version: 'v2', isSaved: false };
    editor.answerDiagnostics = ({ path = '', limit = 0 }) => {
      const diagnostics = Array.from({ length: limit }, (_, index) => ({ ...diagnosticAt(index), path, message: 'wrong '.repeat(20) }));
      return Promise.resolve({ diagnostics, documents: [], settled: false });
    };
    const prepared = tool('propose_edits').prepare({
      files: Array.from({ length: 5 }, (_, index) => ({ path: `src/${index}`, newText: '' })),
    });
    assert.equal(prepared.kind, 'ready');
    const { output, toText } = await prepared.run({ editor, call: fakeCall({}), attach: () => undefined });
    for (const text of [JSON.stringify(output), toText?.() ?? '']) {
      assert.ok(text.length < 25_000, `${text.length}`);
      assert.match(text, /The text of src\/0, src\/1, src\/2, src\/3, src\/4 is cut: read_file has all of it\./);
      assert.match(text, /There are more diagnostics/);
      assert.match(text, /No language service has reported on src\/0/);
    }
  });

  it('is compact text for a model', async () => {
    const editor = new FakeEditor();
    editor.diagnostics = [{ ...diagnosticAt(3), message: 'not defined', source: 'ts', code: '2304' }];
    editor.acting.fileReview = { outcome: 'partlyAccepted', text: 'now\n', version: 'v2', isSaved: true };
    const prepared = tool('propose_edits').prepare({ files: [{ path: 'src/a.ts', newText: 'x' }] });
    assert.equal(prepared.kind, 'ready');
    const { toText } = await prepared.run({ editor, call: fakeCall({}), attach: () => undefined });
    const [{ path, range: at, severity } = diagnosticAt(3)] = editor.diagnostics;
    const place = `${path}:${at.start.line}:${at.start.character}`;
    assert.equal(
      toText?.(),
      `src/a.ts: partlyAccepted, version v2, saved; its text is now:\nnow\n\n${place} ${severity}: not defined (ts 2304)`,
    );
  });

  it('that was a rejected new file has no diagnostics instead of an error', async () => {
    const editor = new FakeEditor();
    editor.acting.fileReview = { outcome: 'rejected', version: '', isSaved: false };
    editor.answerDiagnostics = () => Promise.reject(new AppError('editor.pathNotFound', 'There is no "b.ts" in this workspace.'));
    const result = await run('propose_edit', { path: 'b.ts', newText: 'x' }, editor);
    assert.deepEqual(result, { outcome: 'rejected', version: '', isSaved: false, diagnostics: [] });
  });

  it('is one question when it is repeated, also with another description, and another one for any other difference', async () => {
    const [first, second, ...others] = await keysOf(
      ['propose_edit', { path: 'a', newText: 'x', description: 'Fix' }],
      ['propose_edit', { newText: 'x', path: 'a', description: 'Mend it' }],
      ['propose_edit', { path: 'a', newText: 'y' }],
      ['propose_edit', { path: 'a', newText: 'x', expectedVersion: 'v1' }],
      ['propose_edit', { path: 'a', newText: 'x', save: true }],
      ['propose_edit', { path: 'a', newText: 'x', cell: 1 }],
      ['propose_edits', { files: [{ path: 'a', newText: 'x' }] }],
      ['propose_edits', { files: [{ path: 'a', delete: true }] }],
      ['format_document', { path: 'a' }],
    );
    assert.equal(first, second);
    assert.equal(new Set([first, ...others]).size, 8);
    const [one, other] = await keysOf(
      ['propose_edits', { files: [{ path: 'a', newText: 'x' }], description: 'Fix' }],
      ['propose_edits', { files: [{ path: 'a', newText: 'x' }] }],
    );
    assert.equal(one, other);
  });

  it('returns no text to a retry that gets the answer of an earlier review, when the file is withheld by then', async () => {
    const editor = new FakeEditor();
    editor.getDiagnostics = () => Promise.reject(pathNotFound('src/a.ts'));
    const answered: EditsReview = { files: [{ path: 'src/a.ts', outcome: 'accepted', text: 'a secret', version: 'v7', isSaved: true }] };
    const joinQuestion = <T>(): Promise<T> => Promise.resolve(answered as T);
    const answer = await run('propose_edit', { path: 'src/a.ts', newText: 'x' }, editor, { joinQuestion });
    assert.deepEqual(answer, { outcome: 'accepted', version: '', isSaved: true, diagnostics: [] });
  });
});
