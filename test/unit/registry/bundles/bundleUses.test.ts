import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BundleUses } from '../../../../src/registry/bundles/bundleUses.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';

const day = 24 * 60 * 60_000;
const [first, second] = [`notes@1.0.0@${'a'.repeat(32)}`, `notes@2.0.0@${'b'.repeat(32)}`];

describe('BundleUses', () => {
  let folder = '';
  let root = '';
  let user = '';
  let now = 0;
  let uses: BundleUses;

  beforeEach(async () => {
    folder = createTemporaryFolder();
    root = path.join(folder, 'bundles');
    user = path.join(folder, 'settings.json');
    now = 1_000;
    uses = new BundleUses(root, () => now);
    await mkdir(root);
    await writeFile(user, '{}');
  });
  afterEach(() => removeTemporaryFolder(folder));

  const install = (name: string, file: string): Promise<void> =>
    uses.taking(name, [file], async () => {
      await mkdir(path.join(root, name));
      await writeFile(file, JSON.stringify({ args: [path.join(root, name, 'index.js')] }));
    });
  const look = (texts: readonly string[] = [], files = [user]): Promise<readonly string[]> => uses.removeUnused({ texts, files });
  const there = async (): Promise<readonly string[]> => (await readdir(root)).filter((name) => !name.startsWith('.')).toSorted();

  it('removes a bundle a day after the last settings file named it, and only that', async () => {
    await install(first, user);
    await install(second, user); // as an update does it
    assert.deepEqual(await look(), []);
    now += day - 1;
    assert.deepEqual(await look(), []);
    now += 1;
    assert.deepEqual(await look(), [first]);
    assert.deepEqual(await there(), [second]);
    now += 10 * day;
    assert.deepEqual(await look(), []);
  });

  it('begins to count anew when the server was put back', async () => {
    await install(first, user);
    await writeFile(user, '{}');
    await look();
    now += day / 2;
    assert.deepEqual(await look([path.join(root, first)]), []);
    now += day / 2;
    assert.deepEqual(await look(), []);
    now += day;
    assert.deepEqual(await look(), [first]);
  });

  it('keeps what the settings of another workspace name, and what they may name while they are out of reach', async () => {
    const workspace = path.join(folder, 'project');
    const settings = path.join(workspace, '.vscode', 'settings.json');
    await mkdir(path.dirname(settings), { recursive: true });
    await install(first, settings);
    await look();
    now += day;
    assert.deepEqual(await look(), []);
    await rm(workspace, { recursive: true }); // as with a drive that is not there now
    for (let round = 0; round < 2; round += 1) {
      now += day;
      assert.deepEqual(await look(), []);
    }
    await mkdir(workspace);
    await look();
    now += day;
    assert.deepEqual(await look(), [first]);
  });

  it('keeps on a machine what the settings of a person on another one name, until a window of that person says otherwise', async () => {
    const lookAs = (id: string, text = ''): Promise<readonly string[]> =>
      uses.removeUnused({ texts: [], files: [`person:${id}`], person: { id: `person:${id}`, text } });
    await uses.taking(first, ['person:anna'], () => mkdir(path.join(root, first)));
    for (let round = 0; round < 3; round += 1) {
      assert.deepEqual(await lookAs('berta'), []); // who is connected to the same machine and does not have the server
      assert.deepEqual(await look(), []);
      now += day;
    }
    await lookAs('berta', path.join(root, first)); // who has it now, too
    await lookAs('anna');
    now += day;
    assert.deepEqual(await lookAs('anna'), []);
    await lookAs('berta');
    now += day - 1;
    assert.deepEqual(await lookAs('anna'), []);
    now += 1;
    assert.deepEqual(await lookAs('anna'), [first]);
  });

  it('keeps a folder of which nobody knows who uses it', async () => {
    await mkdir(path.join(root, first));
    for (let round = 0; round < 3; round += 1) {
      assert.deepEqual(await look(), []);
      now += day;
    }
    await writeFile(path.join(root, '.uses.json'), 'no JSON');
    assert.deepEqual([await look(), await there()], [[], [first]]);
  });

  it('removes nothing behind a link, and nothing whose name is not that of a bundle', async () => {
    const outside = path.join(folder, 'outside');
    await mkdir(outside);
    await writeFile(path.join(outside, 'precious.txt'), 'precious');
    await mkdir(path.join(root, 'precious'));
    await uses.taking(first, [user], () => symlink(outside, path.join(root, first), 'junction'));
    for (const name of ['..', 'precious', '../outside']) {
      await uses.taking(name, [user], async () => undefined);
    }
    await look();
    now += day;
    assert.deepEqual(await look(), []);
    assert.ok(existsSync(path.join(outside, 'precious.txt')) && existsSync(path.join(root, 'precious')));
  });

  it('removes a bundle that holds a link, but not what the link leads to', async () => {
    const outside = path.join(folder, 'outside');
    await mkdir(outside);
    await writeFile(path.join(outside, 'precious.txt'), 'precious');
    await install(first, user);
    await symlink(outside, path.join(root, first, 'link'), 'junction');
    await writeFile(user, '{}');
    await look();
    now += day;
    assert.deepEqual([await look(), await there()], [[first], []]);
    assert.ok(existsSync(path.join(outside, 'precious.txt')));
  });
});
