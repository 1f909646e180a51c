import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activateDuplex } from './support/duplex.ts';
import { LookingClient } from './support/mcpClient.ts';

describe('A workspace of several folders', () => {
  let client: LookingClient;
  before(async () => {
    client = await LookingClient.connect(await activateDuplex());
  });
  after(() => client.close());

  const folderPath = (index: number): string => vscode.workspace.workspaceFolders?.[index]?.uri.fsPath ?? '';

  it('lists its folders with their absolute paths', async () => {
    const { folders } = (await client.call('list_workspace_folders')) as { folders: { name: string; path: string; index: number }[] };
    assert.deepEqual(
      folders.map(({ name, path, index }) => [name, path, index]),
      ['app', 'app', 'docs'].map((name, index) => [name, folderPath(index), index]),
    );
  });

  it('reads files by the folder’s name, made unique, and by their absolute path', async () => {
    const cases = [
      ['app/src/where.ts', 'app/src/where.ts', 'one'],
      ['app~2/src/where.ts', 'app~2/src/where.ts', 'two'],
      [`${folderPath(1)}/src/where.ts`, 'app~2/src/where.ts', 'two'],
      ['app/../../two/app/src/where.ts', 'app~2/src/where.ts', 'two'],
    ] as const;
    for (const [asked, path, where] of cases) {
      const read = await client.call('read_file', { path: asked });
      assert.deepEqual([read.path, read.text], [path, `export const where = "${where}";\n`], asked);
    }
    for (const path of ['src/where.ts', 'app~3/src/where.ts', 'app/../secret.ts', 'docs/../several.code-workspace']) {
      assert.match(await client.failure('read_file', { path }), /There is no/, path);
    }
  });

  it('says how a path begins that lacks the name of its folder, to read a file or to make one', async () => {
    const advice =
      /several folders, so a path begins with the name of one, also of a new file: "app\/src\/x\.ts" or "app~2\/src\/x\.ts" or "docs\/src\/x\.ts"/;
    assert.match(await client.failure('read_file', { path: 'src/x.ts' }), advice);
    assert.match(await client.failure('open_file', { path: 'src/x.ts' }), advice);
    assert.doesNotMatch(await client.failure('read_file', { path: 'app/src/x.ts' }), /several folders/);
  });

  it('lists the folders, and what is in one by its name or its absolute path', async () => {
    const paths = async (args: Record<string, unknown>): Promise<string[]> =>
      ((await client.call('list_directory', args)) as { entries: { path: string }[] }).entries.map(({ path }) => path);
    assert.deepEqual(await paths({}), ['app', 'app~2', 'docs']);
    for (const asked of ['app~2', 'app~2/', folderPath(1)]) {
      assert.deepEqual(await paths({ path: asked }), ['app~2/src'], asked);
    }
    assert.deepEqual(await paths({ depth: 9 }), [
      'app',
      'app/src',
      'app/src/where.ts',
      'app~2',
      'app~2/src',
      'app~2/src/where.ts',
      'docs',
      'docs/README.md',
    ]);
    for (const path of ['app~3', 'src', 'app/..']) {
      assert.match(await client.failure('list_directory', { path }), /There is no/, path);
    }
  });

  it('lists open editors and completes paths with the folder’s name', async () => {
    await vscode.window.showTextDocument(vscode.Uri.file(`${folderPath(1)}/src/where.ts`));
    const { editors } = (await client.call('list_open_editors')) as { editors: { path: string }[] };
    assert.deepEqual(
      editors.map(({ path }) => path),
      ['app~2/src/where.ts'],
    );
    assert.deepEqual(await client.complete('diagnostics://file/{+path}', 'app'), ['app/src/where.ts', 'app~2/src/where.ts']);
    assert.deepEqual(await client.complete('diagnostics://file/{+path}', 'docs/'), ['docs/README.md']);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
});
