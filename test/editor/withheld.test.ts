import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { discardAll, keepUnsaved } from './support/actingCalls.ts';
import { activateDuplex, until, workspacePath } from './support/duplex.ts';
import { LookingClient } from './support/mcpClient.ts';

const outsideText = 'outside4711text';

/** As a program outside of VS Code looks for what is withheld from it. */
describe('What is withheld', () => {
  let client: LookingClient;
  let outside: string;

  before(async () => {
    const access = await activateDuplex();
    await keepUnsaved();
    client = await LookingClient.connect(access);
    outside = await mkdtemp(path.join(tmpdir(), 'duplex-outside-'));
    await mkdir(workspacePath('withheld/sub'), { recursive: true });
    await writeFile(workspacePath('withheld/sub/keep.txt'), 'keep\n');
  });
  after(async () => {
    await client.close();
    await discardAll();
    await rm(workspacePath('withheld'), { recursive: true, force: true });
    await rm(outside, { recursive: true, force: true });
  });

  const sub = (): string => workspacePath('withheld/sub');
  /** Does something while the folder is a link to one outside. */
  const swapped = async (act: () => Promise<unknown>): Promise<void> => {
    await rename(sub(), `${sub()}-away`);
    await symlink(outside, sub());
    try {
      await act();
    } finally {
      await unlink(sub());
      await rename(`${sub()}-away`, sub());
    }
  };
  /** Whatever a call answers, as text. */
  const answer = async (tool: string, args: object): Promise<string> =>
    JSON.stringify(await client.call(tool, args as never).catch((error: unknown) => String(error)));

  for (const [tool, args] of [
    ['get_document_symbols', {}],
    ['get_syntax_tree', {}],
    ['get_diagnostics', { waitMs: 500 }],
    ['get_hover', { line: 1, character: 3 }],
    ['list_code_actions', { startLine: 1, endLine: 1 }],
  ] as const) {
    it(`is not loaded by ${tool} while a folder is a link to the outside, and read when it is a folder again`, async () => {
      const name = `withheld/sub/${tool}.json`;
      await writeFile(path.join(outside, `${tool}.json`), `{ "${outsideText}": 1 }\n`);
      await answer('read_file', { path: 'withheld/sub/keep.txt' });
      const told: string[] = [];
      await swapped(async () => told.push(await answer(tool, { path: name, ...args })));
      told.push(await answer('read_file', { path: name }), await answer('get_document_symbols', { path: name }));
      told.push(await answer('get_hover', { path: name, line: 1, character: 3 }));
      assert.deepEqual(
        told.filter((text) => text.includes(outsideText)),
        [],
      );
      assert.match(told[1] ?? '', /There is no/);
    });
  }

  it('is not read from the memory of VS Code, which loaded it while a folder was a link to the outside', async () => {
    const uri = vscode.Uri.file(path.join(sub(), 'loaded.txt'));
    await writeFile(path.join(outside, 'loaded.txt'), `${outsideText}\n`);
    await writeFile(path.join(sub(), 'loaded.txt'), 'inside\n');
    await swapped(async () => assert.match((await vscode.workspace.openTextDocument(uri)).getText(), /outside/));
    // For a moment the folder may still count as the link that it was: then the file is absent, never the other one.
    const read = (): Promise<unknown> => answer('read_file', { path: 'withheld/sub/loaded.txt' });
    const text = await until('the file to be there again', async () => {
      const said = String(await read());
      assert.ok(!said.includes(outsideText), said);
      return said.includes('inside') ? said : undefined;
    });
    assert.match(text, /inside/);
  });

  it('is not what a language service is asked about, when VS Code loaded it while a folder was a link to the outside', async () => {
    const uri = vscode.Uri.file(path.join(sub(), 'asked.json'));
    await writeFile(path.join(outside, 'asked.json'), `{ "${outsideText}": 1, }\n`);
    await writeFile(path.join(sub(), 'asked.json'), '{ "inside": 1 }\n');
    await swapped(async () => assert.match((await vscode.workspace.openTextDocument(uri)).getText(), /outside/));
    const about = { path: 'withheld/sub/asked.json' };
    const told = [
      await answer('get_document_symbols', about),
      await answer('get_diagnostics', about),
      await answer('get_hover', { ...about, line: 1, character: 5 }),
    ];
    assert.deepEqual(
      told.filter((text) => text.includes(outsideText)),
      [],
    );
  });

  it('is not found out by patterns that match only where a part of it was guessed', async () => {
    await writeFile(workspacePath('withheld/config.yaml'), 'name: demo\npassword: "hunter7horse"\n');
    const guessed = (guess: string): Promise<string> =>
      answer('search_text', { query: `password: "\\B|password: "${guess}`, isRegex: true, include: 'withheld/**' });
    const [right, ...wrong] = await Promise.all(['[a-m]', '[n-z]', 'hunter8'].map(guessed));
    assert.match(right ?? '', /password: \\"\[redacted\]/);
    assert.deepEqual(
      wrong.filter((text) => text !== right),
      [],
    );
  });

  it('is not in the outline of a file that shows it redacted', async () => {
    await writeFile(workspacePath('withheld/settings.json'), '{ "name": "demo", "password": "Json4711pass" }\n');
    const about = { path: 'withheld/settings.json' };
    const symbols = await answer('get_document_symbols', about);
    const told = [symbols, await client.readText('symbols://file/withheld/settings.json'), await answer('get_syntax_tree', about)];
    assert.match(symbols, /"name":"password"/);
    assert.deepEqual(
      told.filter((text) => text.includes('Json4711pass')),
      [],
    );
  });

  it('is in no hover, diagnostic or title of an action that a language service makes of its value', async () => {
    const shown = 'shown-4711-mode';
    await writeFile(workspacePath('withheld/.env.ts'), "export const pass = 'Env4711pass';\n");
    await writeFile(workspacePath('withheld/modes.ts'), `export const mode = '${shown}';\n`);
    const source = [
      "import { pass } from './.env';",
      "import { mode } from './modes';",
      'const alias = pass;',
      'const other = mode;',
      "export const wrong: 'no' = alias;",
      "export const alike: 'no' = other;",
    ];
    await writeFile(workspacePath('withheld/main.ts'), `${source.join('\n')}\n`);
    const about = { path: 'withheld/main.ts' };
    const [hover, shownHover] = [
      await answer('get_hover', { ...about, line: 3, character: 8 }),
      await answer('get_hover', { ...about, line: 4, character: 8 }),
    ];
    const diagnostics = await answer('get_diagnostics', { ...about, waitMs: 5_000 });
    const told = [hover, diagnostics, await answer('list_code_actions', { ...about, startLine: 1, endLine: 6 })];
    told.push(await answer('get_diagnostics', {}), await answer('get_diagnostics', {}), await client.readText('diagnostics://workspace'));
    assert.deepEqual(
      told.filter((text) => text.includes('Env4711pass')),
      [],
    );
    assert.match(hover, /const alias: \\"\[redacted\]\\"/);
    assert.ok(shownHover.includes(shown), shownHover);
    assert.ok(diagnostics.includes(shown), diagnostics);
  });

  it('is not what the person has selected in a document that VS Code loaded while a folder was a link to the outside', async () => {
    const uri = vscode.Uri.file(path.join(sub(), 'selected.txt'));
    await writeFile(path.join(outside, 'selected.txt'), `${outsideText}\n`);
    await writeFile(path.join(sub(), 'selected.txt'), 'inside\n');
    await swapped(async () => {
      const editor = await vscode.window.showTextDocument(uri);
      editor.selection = new vscode.Selection(0, 0, 0, 7);
    });
    await until('the selection', () => (vscode.window.activeTextEditor?.selection.isEmpty === false ? true : undefined));
    const told = [await answer('get_selection', {}), await client.readText('editor://active').catch(String)];
    assert.deepEqual(
      told.filter((text) => text.includes(outsideText) || text.includes(outsideText.slice(0, 7))),
      [],
    );
  });
});
