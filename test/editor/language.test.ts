import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Disposable } from '../../src/base/lifecycle.ts';
import { DiskNews } from '../../src/editor/documents/diskNews.ts';
import { createEditorLanguage } from '../../src/editor/language/editorLanguage.ts';
import { typescriptFiles } from '../../src/editor/language/typescriptService.ts';
import type { LanguagePort, SymbolNode, SyntaxNode } from '../../src/server/seen/ports/languagePort.ts';
import { until, workspacePath } from './support/duplex.ts';

const signal = new AbortController().signal;
/** `priceOfLine` where it is called in src/receipt.ts. */
const call = { path: 'src/receipt.ts', line: 11, character: 85 };

describe('What language services know', () => {
  let disk: DiskNews;
  let language: LanguagePort & Disposable;

  before(() => {
    disk = new DiskNews(typescriptFiles);
    language = createEditorLanguage(disk);
  });

  after(async () => {
    language.dispose();
    disk.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('is there for a file that was never opened, without opening a tab: its outline, waiting for the service to start', async () => {
    const symbols = await language.getDocumentSymbols('src/receipt.ts', signal);
    const outline = (nodes: readonly SymbolNode[]): unknown[] =>
      nodes.map(({ name, kind, children }) => [name, kind, ...outline(children)]);
    assert.deepEqual(
      outline(symbols).map((entry) => (entry as unknown[]).slice(0, 2)),
      [
        ['printReceipt', 'function'],
        ['Receipt', 'interface'],
      ].sort((a, b) => (symbols[0]?.name === a[0] ? -1 : symbols[0]?.name === b[0] ? 1 : 0)),
    );
    const receipt = symbols.find(({ name }) => name === 'Receipt');
    assert.deepEqual(receipt?.children.map(({ name, kind }) => [name, kind]).sort(), [
      ['itemCount', 'property'],
      ['lines', 'property'],
      ['total', 'property'],
    ]);
    assert.deepEqual(receipt.range, { start: { line: 4, character: 1 }, end: { line: 8, character: 2 } });
    assert.deepEqual(receipt.selectionRange, { start: { line: 4, character: 18 }, end: { line: 4, character: 25 } });
    const shown = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(({ input }) => input instanceof vscode.TabInputText);
    assert.deepEqual(shown, []);
  });

  it('is the definition of a symbol, with its line', async () => {
    const locations = await until('the definition', async () => {
      const found = await language.goToDefinition(call, signal);
      return found.length > 0 ? found : undefined;
    });
    assert.deepEqual(locations, [
      {
        path: 'src/cart.js',
        range: { start: { line: 38, character: 17 }, end: { line: 38, character: 28 } },
        preview: 'export function priceOfLine({ item, count }) {',
      },
    ]);
  });

  it('is every reference, with or without the declaration', async () => {
    const places = async (includeDeclaration: boolean): Promise<string[]> =>
      (await language.findReferences(call, includeDeclaration, signal)).map(({ path, range }) => `${path}:${range.start.line}`);
    assert.deepEqual(await places(true), ['src/cart.js:29', 'src/cart.js:38', 'src/receipt.ts:1', 'src/receipt.ts:11']);
    const without = await places(false);
    assert.ok(!without.includes('src/cart.js:38') && without.includes('src/cart.js:29'), String(without));
  });

  it('is what a hover says, as Markdown', async () => {
    const contents = await language.getHover(call, signal);
    assert.match(contents, /```typescript[^]*priceOfLine[^]*```/);
    assert.match(contents, /every third piece of the same item is free/);
  });

  it('is who calls a function, and what it calls', async () => {
    const definition = { path: 'src/cart.js', line: 38, character: 18 };
    const incoming = await language.getCallHierarchy(definition, 'incoming', signal);
    assert.deepEqual(
      incoming
        .map(({ name, path }) => `${name} ${path}`)
        .filter((caller) => /totalOf|printReceipt/.test(caller))
        .sort(),
      ['printReceipt src/receipt.ts', 'totalOf src/cart.js'],
    );
    const outgoing = await language.getCallHierarchy({ path: 'src/cart.js', line: 28, character: 18 }, 'outgoing', signal);
    const priceOfLine = outgoing.find(({ name }) => name === 'priceOfLine');
    assert.deepEqual([priceOfLine?.kind, priceOfLine?.path, priceOfLine?.ranges[0]?.start.line], ['function', 'src/cart.js', 29]);
  });

  it('is what a function of another file calls, with that file, when its place is a call', async () => {
    const outgoing = await language.getCallHierarchy({ path: 'src/receipt.ts', line: 13, character: 26 }, 'outgoing', signal);
    const priceOfLine = outgoing.find(({ name }) => name === 'priceOfLine');
    assert.deepEqual([priceOfLine?.functionPath, priceOfLine?.ranges[0]?.start.line], ['src/cart.js', 29]);
  });

  it('finds symbols of the whole workspace by name', async () => {
    const symbols = await until('the symbol', async () => {
      const found = await language.searchSymbols('formatPrice', signal);
      return found.length > 0 ? found : undefined;
    });
    const [best] = symbols;
    assert.deepEqual([best?.kind, best?.path, best?.range.start.line], ['function', 'src/prices.js', 14]);
  });

  it('lists code actions, whether they carry an edit, and of one kind alone', async () => {
    const refactorings = await until('refactorings', async () => {
      const found = await language.listCodeActions({ path: 'src/receipt.ts', startLine: 11, endLine: 11, kind: 'refactor' }, signal);
      return found.length > 0 ? found : undefined;
    });
    assert.ok(
      refactorings.every(({ kind, title }) => kind.startsWith('refactor') && title !== ''),
      JSON.stringify(refactorings),
    );
  });

  it('is a syntax tree with kinds, within the depth and the range asked for', async () => {
    const tree = await until('semantic tokens', async () => {
      const found = await language.getSyntaxTree({ path: 'src/receipt.ts', depth: 20 }, signal);
      return found.providers.semanticTokens ? found : undefined;
    });
    const kinds = new Set<string>();
    const visit = (node: SyntaxNode): void => {
      kinds.add(node.kind);
      node.children.forEach(visit);
    };
    visit(tree.root);
    assert.deepEqual(tree.providers, { selectionRange: true, folding: true, semanticTokens: true });
    for (const kind of ['document', 'function', 'interface', 'parameter', 'block']) {
      assert.ok(kinds.has(kind), `${kind} in ${[...kinds].join()}`);
    }
    const part = await language.getSyntaxTree(
      { path: 'src/receipt.ts', depth: 1, range: { start: { line: 10, character: 1 }, end: { line: 14, character: 2 } } },
      signal,
    );
    assert.deepEqual(
      [part.isCut, part.root.range.start.line, part.root.children.every(({ children }) => children.length === 0)],
      [true, 10, true],
    );
  });

  it('takes unsaved text into account', async () => {
    const document = await vscode.workspace.openTextDocument({
      language: 'typescript',
      content: 'export class Fresh {\n  method() {}\n}\n',
    });
    const symbols = await language.getDocumentSymbols(document.uri.toString(), signal);
    assert.deepEqual(
      symbols.map(({ name, kind }) => [name, kind]),
      [['Fresh', 'class']],
    );
  });

  it('is nothing for files that are missing, folders and lines that are not there', async () => {
    await assert.rejects(language.getDocumentSymbols('src', signal), { code: 'editor.isFolder' });
    for (const path of ['src/missing.ts', '../outside.ts', workspacePath('..', 'x.ts')]) {
      await assert.rejects(language.getDocumentSymbols(path, signal), { code: 'editor.pathNotFound' }, path);
    }
    await assert.rejects(language.getHover({ ...call, line: 999 }, signal), { code: 'editor.noSuchLine' });
    await assert.rejects(language.getHover({ ...call, character: 999 }, signal), { code: 'editor.noSuchCharacter' });
  });

  it('is not waited for once the caller has gone', async () => {
    await assert.rejects(language.getHover(call, AbortSignal.abort()), { name: 'AbortError' });
  });
});
