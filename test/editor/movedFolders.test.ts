import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, symlink } from 'node:fs/promises';
import * as vscode from 'vscode';
import { answer, discardAll, failureOf, keepUnsaved, proposals, proposalTabs, textOf, writeFile } from './support/actingCalls.ts';
import { activateDuplex, workspacePath } from './support/duplex.ts';
import { LookingClient } from './support/mcpClient.ts';

/** As a program outside of VS Code moves folders. */
describe('A folder that a client moves', () => {
  let client: LookingClient;

  before(async () => {
    const access = await activateDuplex();
    await keepUnsaved();
    client = await LookingClient.connect(access, 'editor');
  });
  after(() => client.close());

  beforeEach(async () => {
    await writeFile('moving/cart/index.ts', 'export {};\n');
    await writeFile('moving/cart/deep/price.ts', 'export const price = 1;\n');
    await writeFile('moving/cart/logo.bin', new Uint8Array([0, 1, 2, 255]));
    await writeFile('moving/user.ts', 'import "./cart/index";\n');
  });
  afterEach(async () => {
    assert.deepEqual(proposalTabs(), [], 'no diff is left open');
    await discardAll();
    await rm(workspacePath('moving'), { recursive: true, force: true });
  });

  const move = { path: 'moving/cart', moveTo: 'moving/basket' };
  const namesIn = async (name: string): Promise<string[]> =>
    (await readdir(workspacePath(name), { recursive: true })).map((each) => each.replaceAll('\\', '/')).sort();
  const all = ['deep', 'deep/price.ts', 'index.ts', 'logo.bin'];

  it('is one diff that lists every file, and moves whole, with the unsaved text in it, together with the other files', async () => {
    const typing = new vscode.WorkspaceEdit();
    const price = vscode.Uri.file(workspacePath('moving/cart/deep/price.ts'));
    await vscode.workspace.openTextDocument(price);
    typing.insert(price, new vscode.Position(0, 0), '// typed\n');
    await vscode.workspace.applyEdit(typing);
    const importer = { path: 'moving/user.ts', edits: [{ oldText: './cart/', newText: './basket/' }] };
    const result = client.result('propose_edits', { files: [move, importer] });
    const shown = await proposals(2);
    assert.deepEqual(
      shown.map((document) => document.getText()).find((text) => text.includes('price')),
      ['moving/basket/', 'moving/basket/deep/price.ts', 'moving/basket/index.ts', 'moving/basket/logo.bin', ''].join('\n'),
    );
    assert.match(proposalTabs()[0]?.label ?? '', /^cart → basket \(move proposed by /);
    const { structuredContent } = await answer('acceptAll', undefined, result);
    const files = structuredContent?.['files'] as { path: string; outcome: string; version: string; movedFiles?: number }[];
    assert.deepEqual(
      files.map(({ path, outcome, version, movedFiles }) => [path, outcome, version !== '', movedFiles]),
      [
        ['moving/basket', 'accepted', false, 3],
        ['moving/user.ts', 'accepted', true, undefined],
      ],
    );
    assert.deepEqual([existsSync(workspacePath('moving/cart')), await namesIn('moving/basket')], [false, all]);
    assert.equal(await textOf(vscode.Uri.file(workspacePath('moving/basket/deep/price.ts'))), '// typed\nexport const price = 1;\n');
    assert.equal(await textOf(vscode.Uri.file(workspacePath('moving/user.ts'))), 'import "./basket/index";\n');
  });

  it('stays where it is when the person rejects it, or something came into it while they looked (release)', async () => {
    const refused = client.result('propose_edits', { files: [move] });
    await proposals(1);
    const { structuredContent } = await answer('reject', { reason: 'no' }, refused);
    assert.deepEqual((structuredContent?.['files'] as { outcome: string }[])[0]?.outcome, 'rejected');
    const accepted = client.result('propose_edits', { files: [move] });
    await proposals(1);
    await writeFile('moving/cart/late.ts', '');
    assert.match(failureOf(await answer('accept', undefined, accepted)), /"moving\/cart" changed while the person looked/);
    assert.deepEqual([existsSync(workspacePath('moving/basket')), await namesIn('moving/cart')], [false, [...all, 'late.ts'].sort()]);
  });

  it('is put back when another file of the proposal cannot be made (release)', async () => {
    const meddling = vscode.workspace.onWillCreateFiles((event) => {
      meddling.dispose();
      event.waitUntil(writeFile('moving/made.ts', 'was here first'));
    });
    const result = client.result('propose_edits', { files: [move, { path: 'moving/made.ts', newText: '' }] });
    await proposals(2);
    assert.match(failureOf(await answer('acceptAll', undefined, result)), /Nothing was changed: what had been done by then was taken back/);
    assert.deepEqual([existsSync(workspacePath('moving/basket')), await namesIn('moving/cart')], [false, all]);
    assert.equal(await readFile(workspacePath('moving/cart/index.ts'), 'utf8'), 'export {};\n');
  });

  it('is refused, with the reason, where it cannot be', async () => {
    await writeFile('moving/taken/a.txt', '');
    await symlink(workspacePath('moving/taken'), workspacePath('moving/link'));
    const refused: [object[], RegExp][] = [
      [[{ ...move, moveTo: 'moving/taken' }], /"moving\/taken" exists already/],
      [[{ ...move, moveTo: 'moving/cart/inner' }], /"moving\/cart\/inner" is inside "moving\/cart": a folder cannot be moved into itself/],
      [[{ ...move, newText: 'x' }], /"moving\/cart" is a folder, which can only be moved/],
      [[{ ...move, expectedVersion: 'x' }], /"moving\/cart" is a folder, which can only be moved/],
      [[move, { path: 'moving/cart/index.ts', newText: '' }], /"moving\/cart\/index\.ts" is inside "moving\/cart", or where that moves to/],
      [[move, { path: 'moving/basket/new.ts', newText: '' }], /is inside "moving\/cart", or where that moves to/],
      [[{ path: 'moving/link', moveTo: 'moving/linked' }], /"moving\/link" cannot be moved as a whole/],
      [[{ path: '.', moveTo: 'moving/all' }], /is a folder of the workspace/],
      [[{ path: 'moving/nowhere', moveTo: 'moving/else' }], /There is no "moving\/nowhere"/],
    ];
    for (const [files, sentence] of refused) {
      assert.match(failureOf(await client.result('propose_edits', { files })), sentence, JSON.stringify(files));
    }
  });

  it('is refused in the same words for a withheld file, a link and too many files in it', async () => {
    const why = async (): Promise<string> => failureOf(await client.result('propose_edits', { files: [move] }));
    await writeFile('moving/cart/.env', 'TOKEN=secret4711\n');
    const withheld = await why();
    await rm(workspacePath('moving/cart/.env'));
    await symlink('index.ts', workspacePath('moving/cart/link.ts'));
    const linked = await why();
    await rm(workspacePath('moving/cart/link.ts'));
    await Promise.all(Array.from({ length: 600 }, (_, index) => writeFile(`moving/cart/many/${index}.txt`, '')));
    const large = await why();
    assert.match(withheld, /"moving\/cart" cannot be moved as a whole\..*at most 500 of them.*move its files by their own paths/);
    assert.deepEqual([linked, large], [withheld, withheld]);
    assert.equal(existsSync(workspacePath('moving/basket')), false);
  });
});
