import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { outputOf } from '../../../../../src/server/offer/tools/tool.ts';
import { tools } from '../../../../../src/server/offer/tools/toolTable.ts';
import type { FoundSymbol, SymbolNode } from '../../../../../src/server/seen/ports/languagePort.ts';
import { fakeCall } from '../../support/fakeCall.ts';
import { rangeAt, symbolAt } from '../../support/fakeLanguage.ts';
import { FakeEditor } from '../../support/fakePorts.ts';

async function run(name: string, args: JsonObject, editor: FakeEditor): Promise<Record<string, unknown>> {
  const tool = tools.find((each) => each.name === name) ?? assert.fail(name);
  return (await outputOf(tool, args, { editor, call: fakeCall() })) as Record<string, unknown>;
}

const outline: readonly SymbolNode[] = [
  symbolAt('Cart', 1, [symbolAt('addItem(item: Item)', 2), symbolAt('total', 5), symbolAt('#lines', 8)]),
  symbolAt('total', 20),
  symbolAt('List<T>', 30, [symbolAt('addItem', 31)]),
  symbolAt('(*Basket).Weigh', 40),
  symbolAt('# How to (quickly)', 50),
];

describe('A symbol as a place', () => {
  let editor: FakeEditor;
  beforeEach(() => {
    editor = new FakeEditor();
    editor.language.symbols = outline;
  });
  const hover = (symbol: string): Promise<unknown> => run('get_hover', { path: 'src/a.ts', symbol }, editor);
  const placeOf = async (symbol: string): Promise<unknown> => {
    await hover(symbol);
    return editor.language.asked.at(-1)?.[0];
  };

  it('is found in the outline of its file, by its whole name or the end of it', async () => {
    for (const [symbol, line] of [
      ['Cart', 1],
      ['Cart.addItem', 2],
      ['Cart#addItem', 2],
      ['Cart::total', 5],
      ['Cart.#lines', 8],
      ['#lines', 8],
      ['total', 20],
      ['List', 30],
      ['List.addItem', 31],
      ['Basket.Weigh', 40],
      ['Weigh', 40],
      ['How to (quickly)', 50],
    ] as const) {
      assert.deepEqual(await placeOf(symbol), { path: 'src/a.ts', line, character: 1 }, symbol);
    }
  });

  it('does for every tool that wants one', async () => {
    const place = { path: 'src/a.ts', line: 2, character: 1 };
    const args = { path: 'src/a.ts', symbol: 'Cart.addItem' };
    await run('go_to_definition', args, editor);
    await run('find_references', args, editor);
    await run('get_call_hierarchy', { ...args, direction: 'incoming' }, editor);
    assert.deepEqual(
      editor.language.asked.filter(([first]) => typeof first === 'object'),
      [[place], [place, true], [place, 'incoming']],
    );
    await run('rename_symbol', { ...args, newName: 'put' }, editor);
    const [what, request] = editor.acting.done.at(-1) as unknown[];
    assert.deepEqual([what, request], ['rename', { ...place, newName: 'put', save: false }]);
  });

  it('is refused when it means several things, with all of them', async () => {
    await assert.rejects(hover('addItem'), {
      code: 'server.severalSymbols',
      message:
        '"addItem" means several symbols of "src/a.ts": Cart.addItem (function) at 2:1, List.addItem (function) at 31:1. ' +
        'Give more of the name, or use these places.',
    });
  });

  it('is refused when there is none, with those that look like it', async () => {
    await assert.rejects(hover('Cart.additem'), {
      code: 'server.noSymbol',
      message:
        'There is no symbol "Cart.additem" in "src/a.ts". There are: Cart.addItem, List.addItem. get_document_symbols shows the outline.',
    });
    await assert.rejects(hover('unlike'), { message: /There are: Cart, total, List, Basket\.Weigh, How to \(quickly\)\. / });
    editor.language.symbols = [];
    await assert.rejects(hover('Cart'), { code: 'server.noOutline' });
  });

  it('is given instead of line and character, not beside them', async () => {
    for (const args of [{}, { line: 1 }, { character: 1 }, { symbol: 'Cart', line: 1 }, { symbol: 'Cart', line: 1, character: 1 }]) {
      await assert.rejects(run('get_hover', { path: 'src/a.ts', ...args }, editor), { code: 'server.placeOrSymbol' }, JSON.stringify(args));
    }
  });
});

describe('read_symbol', () => {
  const text = [
    'import x from "x";',
    'foo(); /* not ours */',
    '/**',
    ' * Adds.',
    ' */',
    '@sealed',
    'export const add = (a) => {',
    '  return a;',
    '};',
    '',
    '# About it',
    'def weigh():',
    '  pass',
  ].join('\n');
  let editor: FakeEditor;
  beforeEach(() => {
    editor = new FakeEditor();
    editor.documents.files.set('src/a.ts', { text, version: 'v5' });
    const range = { start: { line: 7, character: 14 }, end: { line: 9, character: 2 } };
    editor.language.symbols = [
      { ...symbolAt('add', 7), range },
      { ...symbolAt('weigh', 12), range: { start: { line: 12, character: 1 }, end: { line: 13, character: 7 } } },
      { ...symbolAt('x', 1), range: { start: { line: 1, character: 8 }, end: { line: 1, character: 9 } } },
    ];
  });
  const found = (path: string, container = ''): FoundSymbol => ({ name: 'add', kind: 'function', path, range: rangeAt(7), container });

  it('returns whole lines of a symbol with the comment above it, and says which', async () => {
    assert.deepEqual(await run('read_symbol', { path: 'src/a.ts', symbol: 'add' }, editor), {
      path: 'src/a.ts',
      range: { start: { line: 3, character: 1 }, end: { line: 9, character: 3 } },
      text: text.split('\n').slice(2, 9).join('\n'),
      version: 'v5',
      isDirty: false,
    });
    const weigh = await run('read_symbol', { path: 'src/a.ts', symbol: 'weigh' }, editor);
    assert.equal(weigh.text, '# About it\ndef weigh():\n  pass');
    assert.equal((await run('read_symbol', { path: 'src/a.ts', symbol: 'x' }, editor)).text, 'import x from "x";');
  });

  it('looks for the symbol again when its file changes before it is read', async () => {
    const { language, documents } = editor;
    const outline = language.getDocumentSymbols.bind(language);
    let isChanged = false;
    language.getDocumentSymbols = async (...args) => {
      const symbols = await outline(...args);
      if (!isChanged) {
        isChanged = true;
        documents.files.set('src/a.ts', { text: 'function add() {}\n', version: 'v6' });
        language.symbols = [{ ...symbolAt('add', 1), range: { start: { line: 1, character: 1 }, end: { line: 1, character: 18 } } }];
      }
      return symbols;
    };
    const { text: read, version } = await run('read_symbol', { path: 'src/a.ts', symbol: 'add' }, editor);
    assert.deepEqual([read, version], ['function add() {}', 'v6']);
  });

  it('returns no more than the symbol where its line is long', async () => {
    const line = `${'a();'.repeat(100)}function add(){}${'b();'.repeat(100)}`;
    const start = line.indexOf('function') + 1;
    const end = start + 'function add(){}'.length;
    editor.documents.files.set('src/a.ts', { text: line });
    const range = { start: { line: 1, character: start }, end: { line: 1, character: end } };
    editor.language.symbols = [{ ...symbolAt('add', 1), range }];
    const read = await run('read_symbol', { path: 'src/a.ts', symbol: 'add' }, editor);
    assert.deepEqual([read.text, read.range], ['function add(){}', range]);
  });

  it('finds the file by itself when the name is in one, and lists the files when it is in several', async () => {
    editor.language.found = [found('src/a.ts'), { ...found('src/b.ts'), name: 'addAll' }];
    assert.equal((await run('read_symbol', { symbol: 'add' }, editor)).path, 'src/a.ts');
    editor.language.found = [found('src/a.ts', 'Cart'), found('src/b.ts', 'List')];
    await assert.rejects(run('read_symbol', { symbol: 'add' }, editor), {
      code: 'server.symbolInSeveralFiles',
      message: /Cart\.add \(function\) in src\/a\.ts:7, List\.add \(function\) in src\/b\.ts:7\. Give the path of one\.$/,
    });
    editor.language.symbols = [symbolAt('Cart', 1, [symbolAt('add', 7)])];
    assert.equal((await run('read_symbol', { symbol: 'Cart.add' }, editor)).path, 'src/a.ts');
    editor.language.found = [];
    await assert.rejects(run('read_symbol', { symbol: 'add' }, editor), { code: 'server.symbolNowhere' });
  });

  it('keeps within the characters asked for and says how to go on', async () => {
    const long = `function add() {\n${'  step("one");\n'.repeat(5_000)}}\n`;
    editor.documents.files.set('src/a.ts', { text: long });
    editor.language.symbols = [{ ...symbolAt('add', 1), range: { start: { line: 1, character: 1 }, end: { line: 5_002, character: 2 } } }];
    const tool = tools.find(({ name }) => name === 'read_symbol') ?? assert.fail();
    const prepared = tool.prepare({ path: 'src/a.ts', symbol: 'add' });
    assert.equal(prepared.kind, 'ready');
    const { output, toText } = await prepared.run({ editor, call: fakeCall(), attach: () => undefined });
    const { text: shown, note } = output as { text: string; note: string };
    assert.ok(Math.max(JSON.stringify(output).length, toText?.().length ?? 0) <= 25_000);
    const next = shown.split('\n').length;
    assert.equal(note, `Cut: call read_file with startLine ${next} and endLine 5002 for the rest.`);
    assert.match(toText?.() ?? '', /^src\/a\.ts \(version v1\)\n1→function add\(\) \{\n2→ {2}step/);
  });
});
