import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { discardAll } from './support/actingCalls.ts';
import { activateDuplex, until, workspacePath } from './support/duplex.ts';
import { LookingClient } from './support/mcpClient.ts';

const folder = 'src/unwatched';
const setting = 'files.watcherExclude';

/** VS Code does not follow what this setting names, and keeps for minutes what it once read there. */
describe('Files that VS Code does not watch', () => {
  let client: LookingClient;

  before(async () => {
    client = await LookingClient.connect(await activateDuplex());
    const { globalValue = {} } = vscode.workspace.getConfiguration().inspect<Record<string, boolean>>(setting) ?? {};
    await changeSetting({ ...globalValue, [`**/${folder}/**`]: true });
    await mkdir(workspacePath(folder), { recursive: true });
    await untilUnwatched();
  });
  afterEach(async () => {
    await discardAll();
    await rm(workspacePath(folder), { recursive: true, force: true });
    await mkdir(workspacePath(folder));
  });
  after(async () => {
    await changeSetting(undefined);
    await rm(workspacePath(folder), { recursive: true, force: true });
    await client.close();
  });

  const changeSetting = (value: Record<string, boolean> | undefined): Thenable<void> =>
    vscode.workspace.getConfiguration().update(setting, value, vscode.ConfigurationTarget.Global);
  const at = (name: string): string => workspacePath(folder, name);
  const held = (name: string): vscode.TextDocument | undefined => vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === at(name));

  /** A change here is not heard of while a later one next to it is. */
  async function untilUnwatched(): Promise<void> {
    const heard: string[] = [];
    const watcher = vscode.workspace.createFileSystemWatcher('**/*.probe');
    watcher.onDidCreate(({ fsPath }) => heard.push(fsPath));
    watcher.onDidChange(({ fsPath }) => heard.push(fsPath));
    let rounds = 0;
    await until('VS Code to leave the folder alone', async () => {
      rounds += 1;
      const [inside, beside] = [at(`${rounds}.probe`), workspacePath('src', `unwatched${rounds}.probe`)];
      await writeFile(inside, '');
      await until('the file beside', async () => {
        await writeFile(beside, ''); // as often as it takes: VS Code hears nothing while it changes what it watches
        return heard.includes(beside) || undefined;
      });
      await Promise.all([rm(inside), rm(beside)]);
      return !heard.includes(inside) || undefined;
    });
    watcher.dispose();
  }

  /** Asks again as often as the answer says to: VS Code, and the TypeScript service with it, reads a file anew only so often. */
  function told(tool: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
    return until('an answer', async () => {
      const { isError, structuredContent, content } = await client.result(tool, args);
      if (isError && /Try again in a moment/.test(JSON.stringify(content))) {
        return undefined;
      }
      assert.equal(isError, false, JSON.stringify(content));
      return structuredContent;
    });
  }

  async function symbolsOf(name: string): Promise<unknown> {
    const { symbols } = await told('get_document_symbols', { path: `${folder}/${name}` });
    return (symbols as { name: string }[]).map((each) => each.name);
  }

  async function definitionsAt(
    place: Record<string, unknown>,
  ): Promise<readonly { readonly range: { readonly start: { readonly line: number } } }[]> {
    const { locations } = await told('go_to_definition', place);
    return locations as Awaited<ReturnType<typeof definitionsAt>>;
  }

  it('are read anew for the tools, and stay unseen, unmodified and in their encoding', async () => {
    const bytesOf: Record<string, (text: string) => Buffer> = {
      'utf8.ts': (text) => Buffer.from(text),
      'utf8bom.ts': (text) => Buffer.from(`\uFEFF${text}`),
      'windows1252.ts': (text) => Buffer.from(text, 'latin1'),
      'utf16le.ts': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
    };
    const files = Object.entries(bytesOf);
    const encodings = files.map(([name]) => name.replace('.ts', ''));
    const write = (text: string): Promise<unknown> => Promise.all(files.map(([name, bytes]) => writeFile(at(name), bytes(text))));
    const symbols = (): Promise<unknown> => Promise.all(files.map(([name]) => symbolsOf(name)));
    await write('export const früher = 1;\n');
    for (const encoding of encodings) {
      await vscode.workspace.openTextDocument(vscode.Uri.file(at(`${encoding}.ts`)), { encoding });
    }
    for (const name of ['früher', 'später', 'zuletzt']) {
      await write(`export const ${name} = 1;\n`);
      assert.deepEqual(
        await symbols(),
        files.map(() => [name]),
      );
      assert.deepEqual(
        files.map(([file]) => [held(file)?.encoding, held(file)?.isDirty]),
        encodings.map((encoding) => [encoding, false]),
      );
    }
    assert.deepEqual(
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs),
      [],
    );
  });

  it('have the byte order mark that the disk gave them or took from them', async () => {
    for (const [name, before, after] of [
      ['given.ts', '', '\uFEFF'],
      ['taken.ts', '\uFEFF', ''],
    ] as const) {
      await writeFile(at(name), `${before}export const first = 1;\n`);
      assert.deepEqual(await symbolsOf(name), ['first']);
      await writeFile(at(name), `${after}export const second = 1;\n`);
      assert.deepEqual(await symbolsOf(name), ['second']);
      assert.equal(held(name)?.encoding, after === '' ? 'utf8' : 'utf8bom', name);
    }
  });

  it('are what other files are told about, too, however long ago they changed', async () => {
    await writeFile(at('base.ts'), 'export function unwatched() {}\n');
    await writeFile(at('user.ts'), `import { unwatched } from './base';\nunwatched();\n`);
    const place = { path: `${folder}/user.ts`, line: 2, character: 1 };
    const lineOf = async (): Promise<unknown> => (await definitionsAt(place))[0]?.range.start.line;
    assert.deepEqual([await symbolsOf('base.ts'), await lineOf()], [['unwatched'], 1]);
    await writeFile(at('base.ts'), '\n\nexport function unwatched() {}\n');
    assert.equal(await lineOf(), 3);
  });

  it('are read anew when their folder went and came back at once', async () => {
    await writeFile(at('moved.ts'), 'export const first = 1;\n');
    assert.deepEqual(await symbolsOf('moved.ts'), ['first']);
    await rename(workspacePath(folder), workspacePath('src/unwatchedBefore'));
    await mkdir(workspacePath(folder));
    await writeFile(at('moved.ts'), 'export const second = 1;\n');
    await rm(workspacePath('src/unwatchedBefore'), { recursive: true });
    assert.deepEqual(await symbolsOf('moved.ts'), ['second']);
  });

  it('are not read anew where their folder has become a link to the outside, and hold up no question about others', async () => {
    const outside = await mkdtemp(path.join(os.tmpdir(), 'outside-'));
    await writeFile(path.join(outside, 'file.ts'), 'export const outside = 1;\n');
    await mkdir(at('sub'));
    await writeFile(at('sub/file.ts'), 'export const inside = 1;\n');
    await writeFile(at('other.ts'), 'export const other = 1;\nother;\n');
    assert.deepEqual([await symbolsOf('sub/file.ts'), await symbolsOf('other.ts')], [['inside'], ['other']]);
    await rename(at('sub'), at('before'));
    await symlink(outside, at('sub'), 'junction');
    assert.match(await client.failure('get_document_symbols', { path: `${folder}/sub/file.ts` }), /There is no/);
    assert.equal((await definitionsAt({ path: `${folder}/other.ts`, line: 2, character: 1 })).length, 1);
    assert.match(held('sub/file.ts')?.getText() ?? 'inside', /inside/);
    await rm(outside, { recursive: true });
  });
});
