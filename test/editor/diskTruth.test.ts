import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import { callTool, discardAll, keepUnsaved } from './support/actingCalls.ts';
import { activateDuplex, until, workspacePath } from './support/duplex.ts';
import { LookingClient } from './support/mcpClient.ts';
import { press } from './support/reviewedFiles.ts';

interface Diagnosed {
  readonly diagnostics: readonly { readonly path: string; readonly code?: string }[];
  readonly settled: boolean;
  readonly note?: string;
}

/** Each test has a folder of its own: VS Code may miss that a folder went and came back at once, and keeps old texts for minutes. */
let folder = '';
let folders = 0;
const broken = (name: string): string => `export const ${name}: number = 'no number';\n`;
const right = (name: string): string => `export const ${name}: number = 1;\n`;

/** As an agent works that writes to the disk with tools of its own, and asks over HTTP. */
describe('What the disk has', () => {
  let access: TestAccess;
  let client: LookingClient;

  before(async () => {
    access = await activateDuplex();
    await keepUnsaved();
    client = await LookingClient.connect(access);
  });
  beforeEach(async () => {
    folders += 1;
    folder = `src/diskTruth${folders}`;
    await mkdir(workspacePath(folder), { recursive: true });
  });
  afterEach(async () => {
    await discardAll();
    await rm(workspacePath(folder), { recursive: true, force: true });
  });
  after(() => client.close());

  const onDisk = (name: string, text: string): Promise<void> => writeFile(workspacePath(folder, name), text);

  /** Asks again as often as the answer says to: a busy VS Code takes its time to read a file that has changed. */
  function known(tool: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
    return until(`an answer of ${tool}`, async () => {
      try {
        return await client.call(tool, args);
      } catch (error) {
        if (/changed on the disk.*Try again in a moment/.test(String(error))) {
          return undefined;
        }
        throw error;
      }
    });
  }

  async function errorsOf(path: string | undefined): Promise<readonly [paths: readonly string[], settled: boolean]> {
    const about = path === undefined ? {} : { path: `${folder}/${path}` };
    const answer = await client.call('get_diagnostics', { ...about, severity: 'error', waitMs: 15_000 });
    const { diagnostics, settled, note } = answer as unknown as Diagnosed;
    const own = diagnostics.filter((entry) => entry.path.startsWith(folder));
    assert.ok(settled || note !== undefined, 'what is not settled says why');
    return [own.map((entry) => entry.path.slice(folder.length + 1)), settled];
  }

  it('is in the list of problems as it is by path, after files without a tab were mended and saved', async () => {
    const names = ['a', 'b', 'c'];
    for (const name of names) {
      await onDisk(`${name}.ts`, broken(name));
    }
    for (const name of names) {
      assert.deepEqual(await errorsOf(`${name}.ts`), [[`${name}.ts`], true]);
    }
    const files = names.map((name) => ({ path: `${folder}/${name}.ts`, newText: right(name) }));
    const { result } = await callTool(access, 'propose_edits', { files, save: true });
    assert.notEqual((await press('acceptAllAndSave', result)).isError, true);
    const list = await errorsOf(undefined);
    const byPath = await Promise.all(names.map((name) => errorsOf(`${name}.ts`)));
    assert.deepEqual(
      [list, ...byPath],
      [0, 1, 2, 3].map(() => [[], true]),
    );
  });

  it('is found by the files that import it, when it is shown in the moment in which it comes or comes back (release)', async () => {
    for (const name of ['one', 'two']) {
      const file = vscode.Uri.file(workspacePath(folder, `${name}.ts`));
      const user = `user-${name}.ts`;
      await onDisk(user, `import { ${name} } from './${name}';\nexport const twice: number = ${name} * 2;\n`);
      await vscode.window.showTextDocument(vscode.Uri.file(workspacePath(folder, user)), { preview: false });
      assert.deepEqual(await errorsOf(user), [[user], true]);
      await onDisk(`${name}.ts`, right(name));
      await vscode.window.showTextDocument(file, { preview: false });
      assert.deepEqual(await errorsOf(user), [[], true], 'it came');
      await rm(file.fsPath);
      await errorsOf(user); // VS Code has heard of it by then; whoever sees the text still has it
      await onDisk(`${name}.ts`, broken(name));
      assert.deepEqual(await errorsOf(`${name}.ts`), [[`${name}.ts`], true], 'it came back');
    }
  });

  it('is what a file says and what files that import it say, right after it was written, by path and in the list', async () => {
    await onDisk('base.ts', right('base'));
    await onDisk('user.ts', `import { base } from './base';\nexport const twice: number = base * 2;\n`);
    await vscode.window.showTextDocument(vscode.Uri.file(workspacePath(folder, 'user.ts')));
    assert.deepEqual(
      [await errorsOf('base.ts'), await errorsOf('user.ts'), await errorsOf(undefined)],
      [
        [[], true],
        [[], true],
        [[], true],
      ],
    );
    const asked = async (text: string): Promise<unknown> => {
      await onDisk('base.ts', text);
      const read = await client.call('read_file', { path: `${folder}/base.ts` });
      const answers = [await errorsOf('user.ts'), await errorsOf('base.ts'), await errorsOf(undefined)];
      return [read['text'], answers];
    };
    const other = "export const other = 'x';\n";
    assert.deepEqual(await asked(other), [
      other,
      [
        [['user.ts'], true],
        [[], true],
        [['user.ts'], true],
      ],
    ]);
    assert.deepEqual(await asked(right('base')), [
      right('base'),
      [
        [[], true],
        [[], true],
        [[], true],
      ],
    ]);
    assert.deepEqual(await asked(broken('base')), [
      broken('base'),
      [
        [[], true],
        [['base.ts'], true],
        [[], true],
      ],
    ]);
  });

  it('is found by name and at its place right after it was written', async () => {
    await onDisk('base.ts', 'export function firstOfDisk() {}\n');
    await onDisk('user.ts', `import { firstOfDisk } from './base';\nfirstOfDisk();\n`);
    const place = { path: `${folder}/user.ts`, line: 2, character: 1 };
    const linesOf = (answer: Record<string, unknown>): unknown =>
      (answer['locations'] as { path: string; range: { start: { line: number } } }[]).map(
        ({ path, range }) => `${path.slice(folder.length + 1)}:${range.start.line}`,
      );
    assert.deepEqual(linesOf(await known('go_to_definition', place)), ['base.ts:1']);
    await onDisk('base.ts', '// one\n// two\nexport function firstOfDisk() {}\nexport function secondOfDisk() {}\n');
    assert.deepEqual(linesOf(await known('go_to_definition', place)), ['base.ts:3']);
    const { symbols } = await client.call('search_symbols', { query: 'secondOfDisk' });
    assert.deepEqual(
      (symbols as { name: string }[]).map(({ name }) => name.replace('()', '')),
      ['secondOfDisk'],
    );
    await onDisk('user.ts', `import { firstOfDisk } from './base';\n\nfirstOfDisk();\nfirstOfDisk();\n`);
    const base = { path: `${folder}/base.ts`, line: 3, character: 17 };
    assert.deepEqual(linesOf(await known('find_references', base)), ['base.ts:3', 'user.ts:1', 'user.ts:3', 'user.ts:4']);
  });

  it('is nothing once a file is removed, although VS Code keeps its text, and something again when it is back', async () => {
    await onDisk('gone.ts', 'export function goneFromDisk() {}\n');
    await onDisk('user.ts', `import { goneFromDisk } from './gone';\ngoneFromDisk();\n`);
    const path = `${folder}/gone.ts`;
    const symbolNames = async (): Promise<unknown> =>
      ((await client.call('search_symbols', { query: 'goneFromDisk' }))['symbols'] as unknown[]).length;
    assert.deepEqual([await errorsOf('gone.ts'), await errorsOf('user.ts'), await symbolNames()], [[[], true], [[], true], 1]);
    await rm(workspacePath(path));
    for (const tool of ['read_file', 'get_document_symbols', 'get_syntax_tree', 'get_diagnostics']) {
      assert.match(await client.failure(tool, { path }), /There is no/, tool);
    }
    assert.match(await client.failure('get_hover', { path, line: 1, character: 18 }), /There is no/);
    const use = { path: `${folder}/user.ts`, line: 2, character: 1 };
    const locations = async (): Promise<unknown> =>
      ((await known('go_to_definition', use))['locations'] as { path: string }[]).map((each) => each.path.slice(folder.length + 1));
    assert.deepEqual([await errorsOf('user.ts'), await symbolNames()], [[['user.ts'], true], 0]);
    assert.deepEqual(((await locations()) as string[]).includes('gone.ts'), false);
    await onDisk('gone.ts', '\nexport function goneFromDisk() {}\n');
    assert.deepEqual([await errorsOf('user.ts'), await errorsOf('gone.ts'), await symbolNames()], [[[], true], [[], true], 1]);
    assert.deepEqual(await locations(), ['gone.ts']);
    assert.equal((await vscode.workspace.openTextDocument(vscode.Uri.file(workspacePath(path)))).languageId, 'typescript');
  });

  it('is found by files that import it, although it was looked at the moment it came', async () => {
    await onDisk('user.ts', `import { fresh } from './fresh';\nexport const twice: number = fresh * 2;\n`);
    assert.deepEqual(await errorsOf('user.ts'), [['user.ts'], true]);
    await onDisk('fresh.ts', right('fresh'));
    await client.call('get_document_symbols', { path: `${folder}/fresh.ts` });
    assert.deepEqual(await errorsOf('user.ts'), [[], true]);
  });
});
