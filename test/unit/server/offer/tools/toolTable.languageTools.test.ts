import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../../src/base/json.ts';
import type { CallDirection } from '../../../../../src/server/seen/ports/languagePort.ts';
import { languageTemplates } from '../../../../../src/server/offer/resources/resourceTable.ts';
import { languageTools } from '../../../../../src/server/offer/tools/toolTable.ts';
import { QuotedValues } from '../../../../../src/server/seen/withheld/quotedValues.ts';
import { withholdingLanguage } from '../../../../../src/server/seen/withheld/language.ts';
import { redactSecrets } from '../../../../../src/secrets/redactSecrets.ts';
import { fakeCall } from '../../support/fakeCall.ts';
import { FakeLanguage, locationIn, rangeAt, symbolAt } from '../../support/fakeLanguage.ts';
import { FakeEditor } from '../../support/fakePorts.ts';
import { visibilityWith } from '../../support/visibilityWith.ts';
import { outputOf } from '../../../../../src/server/offer/tools/tool.ts';

const place = { path: 'src/a.ts', line: 3, character: 7 };
const secretKey = `ghp_${'a1B2'.repeat(10)}`;

function run(name: string, args: JsonObject, editor: FakeEditor): Promise<unknown> {
  const tool = languageTools.find((each) => each.name === name);
  assert.ok(tool);
  return outputOf(tool, args, { editor, call: fakeCall() });
}

describe('The tools about code', () => {
  it('answer with what the language service knows', async () => {
    const editor = new FakeEditor();
    const { language } = editor;
    assert.deepEqual(await run('get_document_symbols', { path: 'src/a.ts' }, editor), { symbols: language.symbols });
    assert.deepEqual(await run('get_syntax_tree', { path: 'src/a.ts' }, editor), language.syntax);
    assert.deepEqual(await run('search_symbols', { query: 'tot' }, editor), { symbols: language.found });
    assert.deepEqual(await run('go_to_definition', place, editor), { locations: language.definitions });
    assert.deepEqual(await run('find_references', place, editor), { locations: language.references });
    assert.deepEqual(await run('get_hover', place, editor), { contents: language.hover });
    assert.deepEqual(await run('get_call_hierarchy', { ...place, direction: 'incoming' }, editor), { calls: language.calls });
    assert.deepEqual(await run('list_code_actions', { path: 'src/a.ts', startLine: 1, endLine: 2 }, editor), { actions: language.actions });
    assert.deepEqual(language.asked, [
      ['src/a.ts'],
      [{ path: 'src/a.ts', depth: 12 }],
      ['tot'],
      [place],
      [place, true],
      [place],
      [place, 'incoming'],
      [{ path: 'src/a.ts', startLine: 1, endLine: 2 }],
    ]);
  });

  it('say so where a file was not read for the preview of a place on the page', async () => {
    const editor = new FakeEditor();
    const unread = { ...locationIn('src/z.ts'), preview: '', isUnread: true };
    editor.language.references = [locationIn('src/a.ts'), unread];
    const { locations, note } = (await run('find_references', place, editor)) as { locations: unknown; note: string };
    assert.deepEqual(locations, [locationIn('src/a.ts'), { ...locationIn('src/z.ts'), preview: '' }]);
    assert.match(note, /^Where preview is empty, the file was not read/);
  });

  it('name the file of outgoing calls when it is another one than the file asked about', async () => {
    const editor = new FakeEditor();
    const found = { name: 'pay', kind: 'function', path: 'src/c.ts', range: rangeAt(2) };
    editor.language.calls = [
      { ...found, ranges: [rangeAt(5)] },
      { ...found, ranges: [rangeAt(5)], functionPath: 'src/b.ts' },
    ];
    const placesOf = async (direction: string): Promise<unknown> =>
      ((await run('get_call_hierarchy', { ...place, direction }, editor)) as { calls: unknown }).calls;
    assert.deepEqual(await placesOf('outgoing'), [
      { ...found, ranges: [rangeAt(5)] },
      { ...found, ranges: [rangeAt(5)], rangesPath: 'src/b.ts' },
    ]);
    assert.deepEqual(await placesOf('incoming'), [
      { ...found, ranges: [rangeAt(5)] },
      { ...found, ranges: [rangeAt(5)] },
    ]);
  });

  it('keep to limits, and refuse positions that cannot be', async () => {
    const editor = new FakeEditor();
    editor.language.found = Array.from({ length: 300 }, () => editor.language.found[0]).flatMap((symbol) => symbol ?? []);
    const length = async (args: JsonObject): Promise<number> =>
      ((await run('search_symbols', args, editor)) as { symbols: unknown[] }).symbols.length;
    const most = { query: '', maxChars: 100_000 };
    assert.deepEqual([await length(most), await length({ ...most, limit: 3 })], [200, 3]);
    for (const bad of [{ line: 0 }, { character: 0 }, { line: 1.5 }, { path: '' }]) {
      assert.equal(languageTools.find(({ name }) => name === 'get_hover')?.prepare({ ...place, ...bad }).kind, 'badArguments');
    }
    await assert.rejects(run('list_code_actions', { path: 'src/a.ts', startLine: 3, endLine: 2 }, editor), {
      code: 'server.endBeforeStart',
    });
  });

  it('show one level of an outline unless more are asked for, and count the rest', async () => {
    const editor = new FakeEditor();
    const members = Array.from({ length: 3 }, (_, line) => symbolAt(`member${line}`, line + 1, [symbolAt('inner', 1)]));
    editor.language.symbols = ['A', 'B'].map((name, line) => symbolAt(name, line + 1, members));
    const { symbols } = editor.language;
    const outline = async (args: JsonObject): Promise<unknown> => run('get_document_symbols', { path: 'src/a.ts', ...args }, editor);
    assert.deepEqual(await outline({}), {
      symbols: symbols.map((symbol) => ({ ...symbol, children: [] })),
      note: '12 symbols lie deeper: pass depth 2.',
    });
    assert.deepEqual(await outline({ depth: 3 }), { symbols });
  });

  it('have resources that equal their output, under every spelling of a path', async () => {
    const editor = new FakeEditor();
    const context = { editor, call: fakeCall() };
    for (const [uri, tool] of [
      ['symbols://file/src/a%20b.ts', 'get_document_symbols'],
      ['syntax://file/src/a%20b.ts', 'get_syntax_tree'],
    ] as const) {
      const match = languageTemplates.map((template) => template.match(uri)).find((found) => found !== undefined);
      assert.deepEqual(match?.paths, ['src/a b.ts']);
      assert.deepEqual(await match.read(context), { kind: 'json', value: await run(tool, { path: 'src/a b.ts' }, editor) });
    }
    assert.deepEqual(
      languageTemplates.map(({ listing, role }) => [listing['uriTemplate'], role]),
      [
        ['symbols://file/{+path}', 'reader'],
        ['syntax://file/{+path}', 'reader'],
      ],
    );
  });
});

describe('What clients see of the language services', () => {
  const signal = new AbortController().signal;
  const visibility = visibilityWith((path) => !path.includes('.env'), redactSecrets);
  const hidden = { path: 'src/.env.ts', line: 1, character: 1 };

  it('is nothing about withheld files, and the services are not even asked', async () => {
    const language = new FakeLanguage();
    const seen = withholdingLanguage(language, visibility, new QuotedValues(new FakeEditor(), visibility));
    for (const ask of [
      () => seen.getDocumentSymbols(hidden.path, signal),
      () => seen.getSyntaxTree({ path: hidden.path, depth: 1 }, signal),
      () => seen.goToDefinition(hidden, signal),
      () => seen.findReferences(hidden, true, signal),
      () => seen.getHover(hidden, signal),
      () => seen.getCallHierarchy(hidden, 'incoming', signal),
      () => seen.listCodeActions({ path: hidden.path, startLine: 1, endLine: 1 }, signal),
    ]) {
      await assert.rejects(ask, { code: 'editor.pathNotFound', message: 'There is no "src/.env.ts" in this workspace.' });
    }
    assert.deepEqual(language.asked, []);
  });

  it('leaves out places in withheld files', async () => {
    const language = new FakeLanguage();
    const seen = withholdingLanguage(language, visibility, new QuotedValues(new FakeEditor(), visibility));
    language.references = [locationIn('src/a.ts'), locationIn('src/.env.ts')];
    language.definitions = [locationIn('src/.env.ts')];
    language.found = ['src/a.ts', '.env'].map((path) => ({ name: 'x', kind: 'variable', path, range: rangeAt(1), container: '' }));
    language.calls = ['src/.env.ts', 'src/b.ts'].map((path) => ({ name: 'x', kind: 'function', path, range: rangeAt(1), ranges: [] }));
    const paths = (found: readonly { readonly path: string }[]): string[] => found.map(({ path }) => path);
    assert.deepEqual(paths(await seen.findReferences(place, true, signal)), ['src/a.ts']);
    assert.deepEqual(paths(await seen.goToDefinition(place, signal)), []);
    assert.deepEqual(paths(await seen.searchSymbols('x', signal)), ['src/a.ts']);
    assert.deepEqual(paths(await seen.getCallHierarchy(place, 'incoming', signal)), ['src/b.ts']);
    assert.equal(await seen.getHover(place, signal), '', 'what a hover quotes comes from the definition');
  });

  it('leaves out the calls of a function in a withheld file, whose lines they would tell', async () => {
    const language = new FakeLanguage();
    const seen = withholdingLanguage(language, visibility, new QuotedValues(new FakeEditor(), visibility));
    const call = { name: 'x', kind: 'function', path: 'src/c.ts', range: rangeAt(1), ranges: [rangeAt(5)] };
    const library = 'file:///usr/lib/node/.env.d.ts';
    language.calls = [undefined, 'src/b.ts', 'src/.env.ts', library].map((functionPath) => ({ ...call, functionPath }));
    const homes = async (direction: CallDirection): Promise<unknown> =>
      (await seen.getCallHierarchy(place, direction, signal)).map(({ functionPath }) => functionPath);
    assert.deepEqual(await homes('outgoing'), [undefined, 'src/b.ts']);
    assert.deepEqual(await homes('incoming'), [undefined, 'src/b.ts', library], 'who calls a library is in files that are shown');
  });

  it('quotes nothing in a hover when nobody can tell where it comes from', async () => {
    const language = new FakeLanguage();
    language.goToDefinition = () => Promise.reject(new Error('too slow'));
    await assert.rejects(
      withholdingLanguage(language, visibility, new QuotedValues(new FakeEditor(), visibility)).getHover(place, signal),
      /too slow/,
    );
  });

  it('has secrets redacted before a long line is cut to a preview', async () => {
    const language = new FakeLanguage();
    const line = `const settings = { password: "${'hunter2'.repeat(20)}", ${'x'.repeat(100)}total: 1, ${'y'.repeat(400)} };`;
    const character = line.indexOf('total') + 1;
    const range = { start: { line: 1, character }, end: { line: 1, character: character + 5 } };
    language.references = [{ path: 'src/a.ts', range, preview: line }];
    const [found] = await withholdingLanguage(language, visibility, new QuotedValues(new FakeEditor(), visibility)).findReferences(
      place,
      true,
      signal,
    );
    assert.match(found?.preview ?? '', /xtotal: 1/);
    assert.doesNotMatch(found?.preview ?? '', /hunter2/);
    assert.ok((found?.preview.length ?? 0) <= 302);
  });

  it('has secrets redacted in previews, hovers, names and titles', async () => {
    const language = new FakeLanguage();
    const seen = withholdingLanguage(language, visibility, new QuotedValues(new FakeEditor(), visibility));
    language.definitions = [locationIn('src/a.ts', `const key = '${secretKey}';`)];
    language.hover = `const key: "${secretKey}"`;
    language.symbols = [symbolAt('outer', 1, [{ ...symbolAt(secretKey, 2), detail: secretKey }])];
    language.actions = [{ title: `Inline '${secretKey}'`, kind: '', isPreferred: false, hasEdit: true, hasCommand: false }];
    const all = [
      await seen.goToDefinition(place, signal),
      await seen.getHover(place, signal),
      await seen.getDocumentSymbols(place.path, signal),
      await seen.listCodeActions({ path: place.path, startLine: 1, endLine: 1 }, signal),
    ];
    assert.doesNotMatch(JSON.stringify(all), /ghp_/);
    assert.equal(JSON.stringify(all).split('[redacted]').length, 6);
  });
});
