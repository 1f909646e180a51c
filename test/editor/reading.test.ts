import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile as writeToDisk } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { longestBlock } from '../support/longestBlock.ts';
import { discardAll, keepUnsaved, writeFile } from './support/actingCalls.ts';
import { activateDuplex, until, workspacePath } from './support/duplex.ts';
import { LookingClient } from './support/mcpClient.ts';

interface Entry {
  readonly path: string;
  readonly kind: string;
  readonly size?: number;
}

/** One pixel. */
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=', 'base64');

const source = `import { x } from 'x';

/** A cart. */
export class Cart {
  #lines = 0;

  /**
   * Puts something in.
   */
  addItem(count: number): void {
    this.#lines += count;
  }
}

export class Basket {
  addItem(): void {}
}
`;

/** As a program outside of VS Code reads, over HTTP. */
describe('Reading the workspace', () => {
  let client: LookingClient;

  before(async () => {
    const access = await activateDuplex();
    await keepUnsaved();
    client = await LookingClient.connect(access);
    await writeFile('reading/cart.ts', source);
  });
  after(async () => {
    await client.close();
    await discardAll();
    await rm(workspacePath('reading'), { recursive: true, force: true });
  });

  it('pages through a file of one long line to its end, every page within its budget', async () => {
    const line = Array.from({ length: 20_000 }, (_, index) => `"${index}"\t😀`).join(',');
    await writeFile('reading/long.json', line);
    let whole = '';
    let place: Record<string, unknown> | undefined = {};
    while (place !== undefined) {
      const page = await client.call('read_file', { path: 'reading/long.json', ...place });
      const { text, nextStartLine: startLine, nextStartCharacter: startCharacter } = page;
      assert.ok(JSON.stringify(page).length <= 25_000);
      assert.notEqual(text, '', 'each page goes on');
      whole += String(text);
      place = startLine === undefined ? undefined : { startLine, startCharacter };
    }
    assert.equal(whole, line);
    assert.equal(await client.readText(vscode.Uri.file(workspacePath('reading/long.json')).toString()), line, 'as a resource it is whole');
  });

  it('numbers the lines for a model, with unsaved text', async () => {
    const uri = await writeFile('reading/lines.txt', 'one\ntwo\n');
    await vscode.window.showTextDocument(uri);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), 'zero\n');
    await vscode.workspace.applyEdit(edit);
    const [block] = await client.content('read_file', { path: 'reading/lines.txt' });
    assert.match(block?.text ?? '', /^reading\/lines\.txt \(version \S+, unsaved changes, 4 lines\)\n1→zero\n2→one\n3→two$/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('reads a file as VS Code would, whatever its settings make of the bytes', async () => {
    const settings = vscode.workspace.getConfiguration('files');
    // The same bytes are one letter in UTF-8 and two in Windows-1252.
    await writeFile('reading/bytes.txt', Buffer.from('\u00FC'));
    await writeFile('reading/bytes.md', Buffer.from('\uFEFF\u00FC'));
    await writeFile('reading/wide.txt', Buffer.from('\uFEFFwide', 'utf16le'));
    const read = async (name: string): Promise<unknown> => (await client.call('read_file', { path: `reading/${name}` }))['text'];
    assert.deepEqual([await read('bytes.txt'), await read('bytes.md'), await read('wide.txt')], ['\u00FC', '\u00FC', 'wide']);
    const inPlainText = vscode.workspace.getConfiguration('files', { languageId: 'plaintext' });
    await inPlainText.update('encoding', 'windows1252', vscode.ConfigurationTarget.Global, true);
    try {
      assert.equal(await read('bytes.txt'), '\u00C3\u00BC');
    } finally {
      await inPlainText.update('encoding', undefined, vscode.ConfigurationTarget.Global, true);
    }
    await settings.update('encoding', 'windows1252', vscode.ConfigurationTarget.Global);
    try {
      assert.deepEqual([await read('bytes.txt'), await read('bytes.md')], ['\u00C3\u00BC', '\u00FC'], 'but for the mark that says UTF-8');
    } finally {
      await settings.update('encoding', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('gets an image as an image, and a text with the name of one as text', async () => {
    await writeToDisk(workspacePath('reading/logo.png'), png);
    await writeFile('reading/words.png', 'password = "hunter2hunter2"\n');
    const [text, image] = await client.content('read_file', { path: 'reading/logo.png' });
    assert.match(text?.text ?? '', /^reading\/logo\.png \(image\/png, 68 bytes, version \S+\)$/);
    assert.deepEqual(image, { type: 'image', data: png.toString('base64'), mimeType: 'image/png' });
    assert.match(String((await client.call('read_file', { path: 'reading/words.png' })).text), /password = "\[redacted\]"/);
    await writeToDisk(workspacePath('reading/large.png'), Buffer.concat([png, Buffer.alloc(4 * 1024 * 1024)]));
    assert.match(await client.failure('read_file', { path: 'reading/large.png' }), /more than 4 MiB/);
  });

  it('says what is in the way: folders, empty and binary files, lines that are not there', async () => {
    await writeFile('reading/empty.txt', '');
    assert.equal((await client.call('read_file', { path: 'reading/empty.txt' })).note, 'The file is empty.');
    assert.match(String((await client.call('read_file', { path: 'reading/cart.ts', startLine: 99 })).note), /There is no line 99/);
    assert.match(await client.failure('read_file', { path: 'reading' }), /is a folder; list_directory/);
    assert.match(await client.failure('read_file', { path: 'reading/cart.ts', startLine: 3, endLine: 2 }), /endLine is before startLine/);
  });

  /** It may take its time to start. */
  async function awaitLanguageService(): Promise<void> {
    await until('the language service', () => client.call('get_document_symbols', { path: 'reading/cart.ts' }).catch(() => undefined));
  }

  it('takes the name of a symbol where a place is wanted', async function () {
    this.timeout(60_000);
    await awaitLanguageService();
    const place = { path: 'reading/cart.ts', symbol: 'Cart.addItem' };
    const { contents } = await client.call('get_hover', place);
    assert.match(String(contents), /Cart\.addItem\(count: number\): void/);
    const { locations } = (await client.call('go_to_definition', place)) as { locations: { range: { start: object } }[] };
    assert.deepEqual(locations[0]?.range.start, { line: 10, character: 3 });
    assert.match(await client.failure('get_hover', { ...place, symbol: 'addItem' }), /Cart\.addItem \(method\) at 10:3, Basket\.addItem/);
    assert.match(await client.failure('get_hover', { ...place, symbol: 'Cart.add' }), /There are: Cart\.addItem/);
  });

  it('gets a symbol by its name, with the comment above it, from a file or from wherever it is', async function () {
    this.timeout(60_000);
    await awaitLanguageService();
    const expected = source.split('\n').slice(6, 12).join('\n');
    const read = await client.call('read_symbol', { path: 'reading/cart.ts', symbol: 'Cart.addItem' });
    assert.deepEqual(
      [read.path, read.text, read.range],
      ['reading/cart.ts', expected, { start: { line: 7, character: 1 }, end: { line: 12, character: 4 } }],
    );
    assert.equal(read.version, (await client.call('read_file', { path: 'reading/cart.ts' })).version);
    const found = await client.call('read_symbol', { symbol: 'priceOfLine' });
    assert.equal(found.path, 'src/cart.js');
    assert.match(String(found.text), /^\/\*\*\n \* Three for two[^]*\n\}$/);
    assert.match(await client.failure('read_symbol', { symbol: 'noSuchThingAnywhere' }), /No language service knows/);
  });

  it('lists folders, level by level and not into what git ignores, unless that is asked for by its path', async () => {
    await mkdir(workspacePath('reading/tree/deep/deeper'), { recursive: true });
    await mkdir(workspacePath('reading/tree/made/inner'), { recursive: true });
    await writeToDisk(workspacePath('reading/tree/.gitignore'), 'made\n');
    await writeToDisk(workspacePath('reading/tree/deep/deeper/a.txt'), 'abc');
    await writeToDisk(workspacePath('reading/tree/deep-b.txt'), '');
    await writeToDisk(workspacePath('reading/tree/made/inner/b.txt'), 'b');
    const list = async (args: Record<string, unknown>): Promise<{ entries: Entry[]; note?: string }> =>
      (await client.call('list_directory', args)) as unknown as { entries: Entry[]; note?: string };
    const tree = await list({ path: 'reading/tree', depth: 5 });
    assert.deepEqual(tree.entries, [
      { path: 'reading/tree/.gitignore', kind: 'file', size: 5 },
      { path: 'reading/tree/deep', kind: 'directory' },
      { path: 'reading/tree/deep/deeper', kind: 'directory' },
      { path: 'reading/tree/deep/deeper/a.txt', kind: 'file', size: 3 },
      { path: 'reading/tree/deep-b.txt', kind: 'file', size: 0 },
      { path: 'reading/tree/made', kind: 'directory' },
    ]);
    assert.match(tree.note ?? '', /^Not looked into: reading\/tree\/made\. List them by their path\./);
    assert.deepEqual((await list({ path: workspacePath('reading/tree/made'), depth: 2 })).entries, [
      { path: 'reading/tree/made/inner', kind: 'directory' },
      { path: 'reading/tree/made/inner/b.txt', kind: 'file', size: 1 },
    ]);
    const top = await list({});
    assert.ok(top.entries.some((entry) => entry.path === 'src' && entry.kind === 'directory'));
    assert.ok(top.entries.every((entry) => !entry.path.includes('/')));
    assert.deepEqual((await list({ path: 'reading/tree/deep' })).entries, [{ path: 'reading/tree/deep/deeper', kind: 'directory' }]);
    assert.match(await client.failure('list_directory', { path: 'reading/cart.ts' }), /is a file; read_file shows it/);
    assert.match(await client.failure('list_directory', { path: 'reading/nothing' }), /There is no/);
    assert.match(await client.failure('list_directory', { path: '..' }), /There is no/);
  });

  it('understands the names of arguments that models know from elsewhere, and answers others with the valid ones', async () => {
    const { text } = await client.call('read_file', { file_path: 'reading/cart.ts', start_line: 4, end_line: 4 });
    assert.match(String(text), /^export class Cart \{/);
    assert.match(
      await client.failure('get_hover', { path: 'reading/cart.ts', row: 3 }),
      /row.*Unrecognized key; valid: path, line, character, symbol, maxChars/s,
    );
    assert.match(await client.failure('read_file', { path: 'reading/cart.ts', file_path: 'README.md' }), /file_path.*stands for path/s);
  });

  it('lists no withheld file, and no link that leads to one or out of the workspace', async () => {
    await mkdir(workspacePath('reading/links/.ssh'), { recursive: true });
    await writeToDisk(workspacePath('reading/links/.env'), 'A=1');
    await writeToDisk(workspacePath('reading/links/.ssh/config'), 'Host *');
    await writeToDisk(workspacePath('reading/links/real.txt'), 'r');
    for (const [target, name] of [
      [workspacePath('reading/links/.env'), 'innocent.txt'],
      [workspacePath('reading/links/.ssh'), 'shell'],
      [path.dirname(workspacePath()), 'outside'],
      [workspacePath('reading/links/real.txt'), 'link.txt'],
      [workspacePath('reading/links/nothing'), 'broken'],
    ] as const) {
      await symlink(target, workspacePath(`reading/links/${name}`));
    }
    const { entries } = await client.call('list_directory', { path: 'reading/links', depth: 9 });
    assert.deepEqual(entries, [
      { path: 'reading/links/link.txt', kind: 'symlink' },
      { path: 'reading/links/real.txt', kind: 'file', size: 1 },
    ]);
    const { files } = await client.call('find_files', { pattern: 'reading/links/**' });
    assert.deepEqual(files, ['reading/links/link.txt', 'reading/links/real.txt'], 'the same are found');
    for (const folder of ['.ssh', 'shell', 'outside', 'innocent.txt', '.env', 'broken']) {
      assert.match(await client.failure('list_directory', { path: `reading/links/${folder}` }), /There is no/, folder);
    }
  });

  it('lists a huge folder in part, and does not hold up the editor (release)', async () => {
    await mkdir(workspacePath('reading/huge'));
    for (let start = 0; start < 4_000; start += 500) {
      await Promise.all(Array.from({ length: 500 }, (_, index) => writeToDisk(workspacePath(`reading/huge/${start + index}`), '')));
    }
    let listed: Record<string, unknown> = {};
    const blocked = await longestBlock(async () => {
      listed = await client.call('list_directory', { path: 'reading/huge', maxChars: 100_000 });
    });
    assert.ok((listed.entries as Entry[]).length > 0); // as many as there is time for
    assert.equal(typeof listed.nextCursor, 'string');
    assert.ok(blocked < 2_000, `nothing else could happen for ${blocked} ms`);
  });
});
