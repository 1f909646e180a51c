import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import { answer, discardAll, failureOf, keepUnsaved, proposals, proposalTabs, textOf, writeFile } from './support/actingCalls.ts';
import { activateDuplex, until, workspacePath } from './support/duplex.ts';
import { LookingClient } from './support/mcpClient.ts';

const source = `/** A cart. */
export class Cart {
  lines = 0;

  /** Puts something in. */
  addItem(count: number): void {
    this.lines += count;
  }

  total(): number {
    return this.lines;
  }
}

export class Basket {
  addItem(): void {}
}

export const limit = 3;
`;

/** As a program outside of VS Code renames symbols, and changes them by their names. */
describe('A symbol that a client names', () => {
  let client: LookingClient;
  const uri = (name: string): vscode.Uri => vscode.Uri.file(workspacePath(`named/${name}`));

  before(async () => {
    const access = await activateDuplex();
    await keepUnsaved();
    client = await LookingClient.connect(access, 'editor');
  });
  after(async () => {
    await client.close();
    await rm(workspacePath('named'), { recursive: true, force: true });
  });

  let count = 0;
  let file = '';
  beforeEach(async () => {
    count += 1;
    file = `cart${count}.ts`; // VS Code remembers the texts of files that come back
    await writeFile(`named/${file}`, source);
    await writeFile(`named/use${count}.ts`, `import { Cart, limit } from './cart${count}';\n\nnew Cart().addItem(limit);\n`);
    await vscode.window.showTextDocument(uri(`use${count}.ts`));
    await vscode.window.showTextDocument(uri(file));
    await until('the language service', async () => {
      const command = 'vscode.executeDocumentRenameProvider';
      const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit | undefined>(
        command,
        uri(file),
        new vscode.Position(18, 14),
        'most',
      );
      return edit?.size === 2 ? edit : undefined;
    });
  });
  afterEach(async () => {
    assert.deepEqual(proposalTabs(), [], 'no diff is left open');
    await discardAll();
  });

  const rename = (symbol: string, newName: string, more: object = {}): ReturnType<LookingClient['result']> =>
    client.result('rename_symbol', { path: `named/${file}`, symbol, newName, ...more });

  it('is renamed to no reserved word, and to nothing that is no name', async () => {
    for (const [name, sentence] of [
      ['class', /"class" is a reserved word of typescript/],
      ['await', /"await" is a reserved word of typescript/],
      ['two words', /"two words" is not a name in typescript/],
      ['1st', /"1st" is not a name in typescript/],
      ['a-b', /"a-b" is not a name in typescript/],
      ['a\nb', /is not a name in typescript/],
    ] as const) {
      const result = rename('limit', name);
      assert.match(failureOf(await Promise.race([result, proposals(2).then(() => result)])), sentence, name);
    }
    assert.equal(await textOf(uri(file)), source);
  });

  it('is renamed to a reserved word where it is a member, which may be called so (release)', async () => {
    const result = rename('Cart.addItem', 'delete');
    await proposals(2);
    assert.equal((await answer('acceptAll', undefined, result)).structuredContent?.['outcome'], 'accepted');
    assert.match(await textOf(uri(`use${count}.ts`)), /new Cart\(\)\.delete\(limit\)/);
  });

  it('of Python is not renamed to a keyword either, whatever its language service makes of it', async () => {
    const provider = vscode.languages.registerRenameProvider('python', {
      provideRenameEdits: (document, _position, newName) => {
        const edit = new vscode.WorkspaceEdit();
        edit.replace(document.uri, new vscode.Range(0, 4, 0, 9), newName);
        return edit;
      },
    });
    try {
      await writeFile('named/price.py', 'def price():\n    return 1\n');
      const call = { path: 'named/price.py', line: 1, character: 5 };
      for (const [newName, sentence] of [
        ['lambda', /"lambda" is a reserved word of python/],
        ['net price', /"net price" is not a name in python/],
      ] as const) {
        const result = client.result('rename_symbol', { ...call, newName });
        assert.match(failureOf(await Promise.race([result, proposals(1).then(() => result)])), sentence);
      }
    } finally {
      provider.dispose();
    }
  });

  it('is renamed and saved, with the diagnostics of what that broke', async () => {
    await writeFile('named/taken.ts', `export const most = 1;\n`);
    const result = rename('limit', 'Cart', { save: true });
    await proposals(2);
    const { structuredContent } = await answer('acceptAllAndSave', undefined, result);
    const { outcome, files, diagnostics } = structuredContent as { outcome: string; files: string[]; diagnostics: { message: string }[] };
    assert.deepEqual([outcome, [...files].sort()], ['accepted', [`named/${file}`, `named/use${count}.ts`]]);
    assert.match(JSON.stringify(diagnostics), /Duplicate identifier|Cannot redeclare|Individual declarations|conflicts/i);
    assert.match(await readFile(uri(file).fsPath, 'utf8'), /export const Cart = 3;/);
  });

  it('is the place of an edit: its whole declaration, with the comment above only where the new text has one (release)', async () => {
    const edits = [
      { symbol: 'Cart.addItem', newText: '  /** Puts in. */\n  addItem(): void {\n    this.lines += 1;\n  }' },
      { symbol: 'Cart.total', newText: 'total(): number {\n    return 0;\n  }' },
      { symbol: 'limit', newText: 'export const limit = 4;\n' },
    ];
    const result = client.result('propose_edit', { path: `named/${file}`, edits });
    const [proposal] = await proposals(1);
    const expected = source
      .replace(
        '/** Puts something in. */\n  addItem(count: number): void {\n    this.lines += count;',
        '/** Puts in. */\n  addItem(): void {\n    this.lines += 1;',
      )
      .replace('return this.lines;', 'return 0;')
      .replace('limit = 3', 'limit = 4');
    assert.equal(proposal?.getText(), expected);
    const { structuredContent } = await answer('accept', undefined, result);
    assert.equal(structuredContent?.['outcome'], 'accepted');
    assert.equal(await textOf(uri(file)), expected);
  });

  it('is asked for again where it is missing or ambiguous, in one file as in several', async () => {
    const propose = async (symbol: string): Promise<string[]> => {
      const edits = [{ symbol, newText: '' }];
      const one = await client.result('propose_edit', { path: `named/${file}`, edits });
      const several = await client.result('propose_edits', { files: [{ path: `named/${file}`, edits }] });
      return [failureOf(one), failureOf(several)];
    };
    for (const said of await propose('addItem')) {
      assert.match(said, /"addItem" means several symbols .*Cart\.addItem \(method\) at 6:3, Basket\.addItem \(method\) at 16:3/);
    }
    for (const said of await propose('Cart.removeItem')) {
      assert.match(said, /There is no symbol "Cart\.removeItem" in .*There are: .*Cart/);
    }
    const both = await client.result('propose_edit', { path: `named/${file}`, edits: [{ symbol: 'limit', oldText: '3', newText: '' }] });
    assert.match(failureOf(both), /give either oldText, range or symbol/);
  });
});
