import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { JsonObject } from '../../../../../src/base/json.ts';
import type { SymbolNode } from '../../../../../src/server/seen/ports/languagePort.ts';
import { clip, cutMiddle, pageOfList } from '../../../../../src/server/offer/tools/answers.ts';
import { resources, templates } from '../../../../../src/server/offer/resources/resourceTable.ts';
import { tools } from '../../../../../src/server/offer/tools/toolTable.ts';
import { fakeCall } from '../../support/fakeCall.ts';
import { locationIn, rangeAt, symbolAt } from '../../support/fakeLanguage.ts';
import { diagnosticAt, FakeEditor } from '../../support/fakePorts.ts';
import { terminalCommand } from '../../support/fakeTerminals.ts';
import { runNamed } from '../../support/fakeTests.ts';
import { matchAt } from '../../support/fakeWorkspace.ts';
import { allPages, answerOf } from '../../support/toolAnswers.ts';

const place = { path: 'src/a.ts', line: 1, character: 1 };

/** What has pages: the arguments, and the member that holds the items. */
const pagedTools: Readonly<Record<string, readonly [JsonObject, string]>> = {
  list_open_editors: [{}, 'editors'],
  get_diagnostics: [{}, 'diagnostics'],
  list_workspace_folders: [{}, 'folders'],
  search_symbols: [{ query: 'x' }, 'symbols'],
  go_to_definition: [place, 'locations'],
  find_references: [place, 'locations'],
  get_call_hierarchy: [{ ...place, direction: 'incoming' }, 'calls'],
  list_code_actions: [{ path: 'src/a.ts', startLine: 1, endLine: 2 }, 'actions'],
  find_files: [{ pattern: '**' }, 'files'],
  search_text: [{ query: 'x' }, 'matches'],
  list_tasks: [{}, 'tasks'],
  get_git_changes: [{}, 'changes'],
};

/** The others that look, but read_file. */
const wholeTools: Readonly<Record<string, JsonObject>> = {
  get_selection: {},
  get_document_symbols: { path: 'src/a.ts' },
  get_syntax_tree: { path: 'src/a.ts' },
  get_hover: place,
  get_terminal_output: {},
  get_test_results: {},
};

/** Everything `count` times, and one thing of each kind that would fill many answers alone. */
function crowdedEditor(count: number, giant = ''): FakeEditor {
  const editor = new FakeEditor();
  const each = <T>(make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
  const name = (index: number): string => `src/${String(index).padStart(6, '0')}.ts`;
  const long = (index: number): string => (index === 1 ? giant : '');
  editor.editors = each((index) => ({ ...editor.editors[0], path: name(index) }) as (typeof editor.editors)[number]);
  editor.folders = each((index) => ({ name: `f${index}`, path: `/f${index}`, uri: `file:///f${index}`, index }));
  editor.diagnostics = each((index) => ({ ...diagnosticAt(index + 1), path: name(index), message: `"problem"\n${index}${long(index)}` }));
  editor.language.symbols = each((index) => symbolAt(`s${index}${long(index)}`, index + 1, [symbolAt('inner', index + 1)]));
  const children = each((index) => ({ kind: 'block', range: rangeAt(index + 1), children: [] }));
  editor.language.syntax = { ...editor.language.syntax, root: { kind: 'document', range: rangeAt(1), children } };
  editor.language.found = each((index) => ({
    name: `s${index}${long(index)}`,
    kind: 'class',
    path: name(index),
    range: rangeAt(1),
    container: long(index),
  }));
  editor.language.definitions = each((index) => locationIn(name(index)));
  editor.language.references = each((index) => locationIn(name(index), '\t"x"'.repeat(60)));
  editor.language.hover = `${'\t"hover"\n'.repeat(count)}${giant}`;
  const ranges = Array.from({ length: giant === '' ? 1 : 5_000 }, (_, line) => rangeAt(line + 1));
  editor.language.calls = each((index) => ({
    name: `c${index}${long(index)}`,
    kind: 'function',
    path: name(index),
    range: rangeAt(1),
    ranges,
  }));
  editor.language.actions = each((index) => ({
    title: `a${index}${long(index)}`,
    kind: 'quickfix',
    isPreferred: false,
    hasEdit: true,
    hasCommand: false,
  }));
  editor.workspace.files = each(name);
  editor.workspace.matches = each((index) => matchAt(name(index), index + 1, '\t"x"'.repeat(60)));
  editor.workspace.tasks = each((index) => ({ name: `t${index}${long(index)}`, source: 'npm' }));
  editor.workspace.changes = each((index) => ({ path: name(index), status: 'untracked', diff: `+"x"\n`.repeat(5) + long(index) }));
  const selections = each((index) => ({ range: rangeAt(index + 1), text: `\t"x"\n`.repeat(3) + long(index) }));
  editor.documents.selection = { path: 'src/a.ts', uri: 'file:///demo/src/a.ts', languageId: 'typescript', selections };
  editor.terminals.commands = each((index) => terminalCommand(`c${index}${long(index)}`, `\u0001"out"\n`.repeat(20) + long(index)));
  const failures = each((index) => ({ name: `t${index}${long(index)}`, message: `"m"\n${long(index)}` }));
  editor.tests.runs = [runNamed('run-1', { failures, output: '\t"out"\n'.repeat(count) + giant })];
  return editor;
}

const giants: Readonly<Record<string, string>> = {
  'a long line': 'x'.repeat(1_000_000),
  'a long line of characters that JSON writes as six': '\u0001'.repeat(300_000),
  'many lines': '"quoted"\n'.repeat(50_000),
};

function assertWithin(most: number, name: string, { output, text }: { readonly output: object; readonly text: string | undefined }): void {
  const structure = JSON.stringify(output).length;
  assert.ok(structure <= most, `${name}: ${structure} characters of structure`);
  assert.ok(text !== undefined, `${name} has a text`);
  assert.ok(text.length <= most, `${name}: ${text.length} characters of text`);
}

describe('The answers of tools that look', () => {
  const editors = ['', ...Object.values(giants)].map((giant) => crowdedEditor(2_000, giant));
  const calls = { ...wholeTools, ...Object.fromEntries(Object.entries(pagedTools).map(([name, [args]]) => [name, args])) };

  it('are all tested here', () => {
    const looking = tools.filter(({ acts }) => !acts).map(({ name }) => name);
    const elsewhere = ['read_file', 'read_symbol', 'list_directory', 'list_debug', 'get_debug_state'];
    assert.deepEqual(looking.filter((name) => !elsewhere.includes(name)).sort(), Object.keys(calls).sort());
  });

  for (const [name, args] of Object.entries(calls)) {
    it(`${name} holds 25,000 characters of text and of structure, and as many as maxChars says`, async () => {
      for (const editor of editors) {
        assertWithin(25_000, name, await answerOf(name, args, editor));
        assertWithin(5_000, name, await answerOf(name, { ...args, maxChars: 5_000 }, editor));
        const large = await answerOf(name, { ...args, limit: 1_000, maxChars: 200_000 }, editor).catch(() =>
          answerOf(name, { ...args, maxChars: 200_000 }, editor),
        );
        assertWithin(200_000, name, large);
        assert.ok(JSON.stringify(large.output).length > 10_000, `${name}: more is given when more is asked for`);
      }
    });
  }

  for (const [name, [args, member]] of Object.entries(pagedTools)) {
    it(`${name} comes in pages that hold everything exactly once`, async () => {
      const editor = crowdedEditor(137);
      const itemsOf = (pages: readonly { readonly output: Record<string, unknown> }[]): unknown[] =>
        pages.flatMap(({ output }) => output[member] as unknown[]);
      const whole = itemsOf(await allPages(name, { ...args, maxChars: 200_000 }, editor));
      assert.equal(whole.length, 137);
      for (const maxChars of [1_000, 2_345, 7_000, 25_000]) {
        const pages = await allPages(name, { ...args, maxChars }, editor);
        assert.deepEqual(itemsOf(pages), whole, `${maxChars}`);
        assert.ok(maxChars > 1_000 || pages.length > 2, `${pages.length} pages of ${maxChars}`);
      }
    });
  }

  for (const [name, [args]] of Object.entries(pagedTools)) {
    it(`${name} is sent as it was measured, and not written a second time`, async () => {
      for (const count of [1, 20, 21, 2_000]) {
        const { output, structure } = await answerOf(name, args, crowdedEditor(count));
        assert.equal(structure, JSON.stringify(output), `of ${count}`);
      }
    });
  }

  it('of resources are no longer than those of their tools', async () => {
    for (const giant of Object.values(giants)) {
      const editor = crowdedEditor(2_000, giant);
      editor.documents.files.set('src/000000.ts', { text: `${giant}\n${giant}` });
      const uris = [
        'symbols://file/src/a.ts',
        'syntax://file/src/a.ts',
        'diagnostics://file/src/000001.ts',
        'terminal://1',
        'tests://runs/run-1',
      ];
      const matches = uris.map((uri) => templates.map((template) => template.match(uri)).find((match) => match !== undefined));
      for (const resource of [...resources, ...matches]) {
        const content = await resource?.read({ editor, call: fakeCall() });
        assert.ok(content?.kind === 'json');
        const { length } = JSON.stringify(content.value);
        assert.ok(length <= 25_000, `${resource?.uri ?? ''}: ${length}`);
      }
    }
  });
});

describe('The answers of tools that act hold 25,000 characters', () => {
  const names = Array.from({ length: 2_000 }, (_, index) => `src/${String(index).padStart(6, '0')}.ts`);
  for (const [what, giant] of Object.entries(giants)) {
    it(`of a review of many files, and of a person who wrote ${what}`, async () => {
      const editor = new FakeEditor();
      editor.acting.changeReview = { outcome: 'rejected', files: names, reason: giant };
      for (const [name, args] of [
        ['rename_symbol', { ...place, newName: 'x' }],
        ['format_document', { path: 'src/a.ts' }],
      ] as const) {
        const answer = await answerOf(name, args, editor);
        assertWithin(25_000, name, answer);
        const { files, note } = answer.output as { files: string[]; note: string };
        assert.equal(note, `${names.length - files.length} more files were changed.`);
        assert.ok(files.length > 500);
      }
    });

    it(`of proposals for many files, with texts and diagnostics that are ${what}`, async () => {
      const editor = new FakeEditor();
      editor.acting.rejectedWith = giant;
      editor.acting.fileReview = { outcome: 'partlyAccepted', version: 'v'.repeat(22), isSaved: false, text: giant };
      const files = Array.from({ length: 50 }, (_, index) => ({ path: `${'deep/'.repeat(60)}${index}.ts`, newText: 'x' }));
      const paths = ['src/a.ts', ...files.flatMap(({ path }, index) => [path, `${index}.ts`])];
      paths.forEach((path) => editor.documents.files.set(path, { text: '' }));
      editor.diagnostics = paths.flatMap((path) => [1, 2, 3].map((line) => ({ ...diagnosticAt(line), path, message: giant })));
      const several = await answerOf('propose_edits', { files }, editor);
      assertWithin(25_000, 'propose_edits', several);
      assert.match(String(several.output['note']), /^\d+ more files of the proposal are not listed\. The text of .* is cut/);
      const few = await answerOf('propose_edits', { files: files.map(({ newText }, index) => ({ path: `${index}.ts`, newText })) }, editor);
      assertWithin(25_000, 'propose_edits', few);
      assert.equal((few.output['files'] as unknown[]).length, 50);
      assertWithin(25_000, 'propose_edit', await answerOf('propose_edit', { path: 'src/a.ts', newText: 'x' }, editor));
    });

    it(`of runs that wrote ${what} beside much unsaved text`, async () => {
      const editor = new FakeEditor();
      editor.unsaved.paths = names;
      editor.acting.taskOutput = giant;
      const task = await answerOf('run_task', { name: 'build' }, editor);
      assertWithin(25_000, 'run_task', task);
      assert.match(String(task.output['note']), /the unsaved text of \d+ more files/);
      const started = answerOf('run_tests', {}, editor);
      while (editor.tests.started.length === 0) {
        await turn();
      }
      const failures = names.map((name) => ({ name, message: giant }));
      editor.tests.finish(editor.tests.latestId() ?? '', { status: 'failed', output: giant, failures });
      assertWithin(25_000, 'run_tests', await started);
    });
  }
});

describe('Pages of an outline', () => {
  const nested = (name: string, width: number, depth: number): SymbolNode =>
    symbolAt(name, 1, depth === 0 ? [] : Array.from({ length: width }, (_, index) => nested(`${name}.${index}`, width, depth - 1)));
  const namesIn = (symbols: readonly SymbolNode[]): string[] => symbols.flatMap(({ name, children }) => [name, ...namesIn(children)]);

  it('hold every symbol once, and name again what they begin inside of', async () => {
    const editor = new FakeEditor();
    editor.language.symbols = Array.from({ length: 3 }, (_, index) => nested(`r${index}`, 4, 3));
    for (const depth of [1, 2, 3, 9]) {
      const args = { path: 'src/a.ts', depth };
      const [whole] = await allPages('get_document_symbols', { ...args, maxChars: 200_000 }, editor);
      const all = namesIn(whole?.output['symbols'] as SymbolNode[]);
      for (const maxChars of [1_000, 3_000, 10_000]) {
        const pages = await allPages('get_document_symbols', { ...args, maxChars }, editor);
        const seen = new Set<string>();
        for (const { output } of pages) {
          const fresh = namesIn(output['symbols'] as SymbolNode[]).filter((name) => !seen.has(name));
          assert.ok(fresh.length > 0, 'each page has something new');
          fresh.forEach((name) => seen.add(name));
        }
        assert.deepEqual([...seen], all, `depth ${depth}, ${maxChars} characters`);
      }
    }
  });
});

describe('What is too long for an answer', () => {
  it('is cut at its end with a mark, or in its middle between whole lines', () => {
    assert.equal(clip('short', 100), 'short');
    assert.match(clip('x'.repeat(1_000), 200), /^x{100,}… \[\d+ more characters\]$/);
    const lines = Array.from({ length: 1_000 }, (_, index) => `line ${index}`).join('\n');
    const cut = cutMiddle(lines, 500, '; look there');
    assert.match(cut, /^line 0\n[^]*line \d+\n\[… \d+ characters left out; look there …\]\nline \d+\n[^]*line 999$/);
    const [, left] = /(\d+) characters left out/.exec(cut) ?? [];
    const mark = /\n\[…[^\]]*\]\n/.exec(cut)?.[0].length ?? 0;
    assert.equal(Number(left) + cut.length - mark, lines.length, 'the mark tells the truth');
  });
});

describe('A page of a very long list', () => {
  it('is made of no more items than it may hold', () => {
    let shortened = 0;
    const { output: page } = pageOfList({
      items: Array.from({ length: 100_000 }, (_, index) => ({ name: `n${index}` })),
      shorten: (item) => {
        shortened += 1;
        return item;
      },
      asked: { maxChars: 1_000 },
      query: [],
      build: (shown, rest) => ({ shown, ...rest }),
      toText: () => '',
    });
    assert.ok(page.shown.length > 20 && page.nextCursor !== undefined);
    assert.ok(shortened > 20 && shortened <= 125, `${shortened} items`);
  });
});
