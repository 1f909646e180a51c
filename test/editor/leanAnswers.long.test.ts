import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { activateDuplex, until, workspacePath } from './support/duplex.ts';
import { LookingClient } from './support/mcpClient.ts';

const maxCharacters = 25_000;
const untracked = 5_000;
const functions = 25_000;
/** Far more than an answer holds. */
const manyPlaces = 5_000;
const isFloor = vscode.version.startsWith('1.100.');

type Calls = readonly (readonly [string, Record<string, unknown>])[];

/** Every tool that looks and that a reader may call, about one file. */
function callsAbout(path: string, line: number, character: number): Calls {
  const place = { path, line, character };
  return [
    ['list_open_editors', {}],
    ['list_workspace_folders', {}],
    ['get_selection', {}],
    ['get_diagnostics', {}],
    ['get_diagnostics', { path }],
    ['get_document_symbols', { path }],
    ['get_document_symbols', { path, depth: 9 }],
    ['get_syntax_tree', { path, range: { start: { line: 1, character: 1 }, end: { line: 400, character: 1 } } }],
    ['search_symbols', { query: 'o', limit: 1_000 }],
    ['go_to_definition', place],
    ['find_references', place],
    ['get_hover', place],
    ['get_call_hierarchy', { ...place, direction: 'incoming' }],
    ['list_code_actions', { path, startLine: line, endLine: line }],
    ['find_files', { pattern: '**', limit: 1_000 }],
    ['search_text', { query: 'e', limit: 1_000 }],
    ['list_tasks', {}],
    ['get_git_changes', { limit: 1_000 }],
    ['get_git_changes', { summary: true, limit: 1_000 }],
    ['get_test_results', {}],
  ];
}

/** A language service that has very much to say of a file whose name ends in `.lines`. */
function talkativeProviders(): vscode.Disposable {
  const files = { pattern: '**/*.lines' };
  const at = (index: number): vscode.Range => new vscode.Range(index * 4, 9, index * 4, 11);
  const all = Array.from({ length: functions }, (_, index) => index);
  const places = all.slice(0, manyPlaces);
  const around = (index: number): vscode.Range => new vscode.Range(index * 4, 0, index * 4 + 3, 1);
  return vscode.Disposable.from(
    vscode.languages.registerDocumentSymbolProvider(files, {
      provideDocumentSymbols: () =>
        all.map((index) => new vscode.DocumentSymbol(`f${index}`, 'detail', vscode.SymbolKind.Function, around(index), at(index))),
    }),
    vscode.languages.registerReferenceProvider(files, {
      provideReferences: ({ uri }) => places.map((index) => new vscode.Location(uri, at(index))),
    }),
    vscode.languages.registerDefinitionProvider(files, {
      provideDefinition: ({ uri }) => places.map((index) => new vscode.Location(uri, at(index))),
    }),
    vscode.languages.registerHoverProvider(files, { provideHover: () => new vscode.Hover('"words"\n'.repeat(100_000)) }),
  );
}

describe('What an agent is answered', () => {
  let client: LookingClient;

  const git = (...args: string[]): void => {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgSign=false'];
    execFileSync('git', [...identity, ...args], { cwd: workspacePath(), stdio: 'ignore' });
  };

  before(async function () {
    this.timeout(120_000);
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '-m', 'first');
    client = await LookingClient.connect(await activateDuplex());
    await vscode.commands.executeCommand('git.openRepository', workspacePath()).then(undefined, () => undefined);
    await until('the repository', async () => ((await noteOf('get_git_changes', {})).startsWith('No folder') ? undefined : true));
  });

  after(async () => {
    await client.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(workspacePath('untracked'), { recursive: true, force: true });
    rmSync(workspacePath('large.lines'), { force: true });
  });

  async function noteOf(name: string, args: Record<string, unknown>): Promise<string> {
    const { text, structure } = await patiently(name, args);
    const note = typeof structure['note'] === 'string' ? structure['note'] : '';
    assert.ok(text.includes(note), `${name}: the text has the note, too`);
    return note;
  }

  /** Language services of a window that has just opened take their time. */
  async function patiently(name: string, args: Record<string, unknown>): ReturnType<LookingClient['answer']> {
    for (let attempts = 0; ; attempts += 1) {
      try {
        return await client.answer(name, args);
      } catch (error) {
        if (attempts === 5 || !String(error).includes('did not answer in time')) {
          throw error;
        }
      }
    }
  }

  async function assertLean(calls: Calls): Promise<void> {
    for (const [name, args] of calls) {
      const { text, structure } = await patiently(name, args);
      const sizes = [text.length, JSON.stringify(structure).length];
      assert.ok(
        sizes.every((size) => size > 0 && size <= maxCharacters),
        `${name} ${JSON.stringify(args)}: ${sizes.join(' and ')} characters`,
      );
      assert.ok(!text.startsWith('{'), `${name} is told in lines`);
    }
  }

  it('is lean about a small workspace', async function () {
    this.timeout(120_000);
    await vscode.window.showTextDocument(vscode.Uri.file(workspacePath('src', 'cart.js')));
    await assertLean(callsAbout('src/cart.js', 38, 18));
  });

  it('says why there is nothing, and what to try', async function () {
    this.timeout(120_000);
    const file = { path: 'src/cart.js' };
    const notes: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
      ['get_hover', { ...file, line: 9_999, character: 1 }, /has \d+ lines; there is no line 9999/],
      ['go_to_definition', { ...file, line: 1, character: 9_999 }, /^Line 1 of "src\/cart\.js" has \d+ characters/],
      ['find_references', { ...file, line: 9_999, character: 1 }, /there is no line 9999/],
      ['list_code_actions', { ...file, startLine: 1, endLine: 9_999 }, /there is no line 9999/],
      ['get_document_symbols', { path: 'src' }, /^"src" is a folder/],
      ['get_diagnostics', { path: 'src/*.none' }, /^No file matches "src\/\*\.none"/],
      // Which is waited for in full.
      ...(isFloor ? [] : ([['get_document_symbols', { path: 'LICENSE.unknown' }, /^No language service has answered/]] as const)),
      ['find_files', { pattern: 'src' }, /^"src" is a folder: "src\/\*\*" finds/],
      ['find_files', { pattern: 'src\\cart.js' }, /forward slashes/],
      ['find_files', { pattern: 'src/{cart,prices.js' }, /bracket without its other half/],
      ['search_text', { query: 'cart', include: 'nowhere' }, /^No file matches "nowhere"/],
      ['search_text', { query: 'no such words anywhere' }, /^No line matches/],
      ['search_symbols', { query: 'noSuchSymbolAnywhere' }, /search_text finds a name in any file/],
    ];
    writeFileSync(workspacePath('LICENSE.unknown'), 'Plain words.\n');
    try {
      for (const [name, args, expected] of notes) {
        assert.match(await noteOf(name, args), expected, `${name} ${JSON.stringify(args)}`);
      }
      assert.deepEqual((await client.call('find_files', { pattern: './src/cart.js' }))['files'], ['src/cart.js']);
      assert.deepEqual((await client.call('find_files', { pattern: '/src/cart.js' }))['files'], ['src/cart.js']);
    } finally {
      rmSync(workspacePath('LICENSE.unknown'), { force: true });
    }
  });

  it('is lean about a file of 100,000 lines', async function () {
    this.timeout(240_000);
    const block = (index: number): string => `function f${index}() {\n  // noted\n  return f0() + ${index};\n}\n`;
    writeFileSync(workspacePath('large.lines'), Array.from({ length: functions }, (_, index) => block(index)).join(''));
    const providers = talkativeProviders();
    try {
      const editor = await vscode.window.showTextDocument(vscode.Uri.file(workspacePath('large.lines')));
      assert.equal(editor.document.lineCount, functions * 4 + 1);
      editor.selection = new vscode.Selection(0, 0, functions * 4, 0);
      // Those of a language that has no service wait for one; the small workspace has it.
      const waiting = new Set(['search_symbols', 'get_syntax_tree']);
      await assertLean(callsAbout('large.lines', 1, 11).filter(([name]) => !waiting.has(name)));
      const names: string[] = [];
      for (let cursor: unknown; names.length < 2_000;) {
        const asked = { path: 'large.lines', maxChars: 200_000, ...(cursor !== undefined && { cursor }) };
        const page = await client.call('get_document_symbols', asked);
        names.push(...(page['symbols'] as { name: string }[]).map(({ name }) => name));
        cursor = page['nextCursor'];
      }
      assert.deepEqual(
        names,
        names.map((_, index) => `f${index}`),
        'each symbol once, in order',
      );
    } finally {
      providers.dispose();
    }
  });

  it('is lean about 5,000 untracked files, and reaches all of them page by page', async function () {
    this.timeout(240_000);
    mkdirSync(workspacePath('untracked'));
    for (let index = 0; index < untracked; index += 1) {
      writeFileSync(workspacePath('untracked', `${index}.txt`), 'One line.\n'.repeat(20));
    }
    await assertLean(callsAbout('src/cart.js', 38, 18));
    const seen = new Set<string>();
    for (let cursor: unknown, pages = 0; pages === 0 || cursor !== undefined; pages += 1) {
      const asked = { path: 'untracked', summary: true, limit: 1_000, maxChars: 200_000, ...(cursor !== undefined && { cursor }) };
      const page = await client.call('get_git_changes', asked);
      for (const { path, status, addedLines } of page['changes'] as { path: string; status: string; addedLines: number }[]) {
        assert.deepEqual([seen.has(path), status, addedLines], [false, 'untracked', 20], path);
        seen.add(path);
      }
      cursor = page['nextCursor'];
    }
    assert.equal(seen.size, untracked);
  });
});
