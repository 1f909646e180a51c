import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskSpelling, parseClientPath } from '../../../../src/platform/paths/clientPath.ts';
import { RealPaths } from '../../../../src/platform/paths/realPath.ts';

const composed = 'caf\u00E9';
const decomposed = 'cafe\u0301';

describe('A name with two spellings', () => {
  let root: string;
  const spelled = (...names: readonly string[]): string => diskSpelling(join(root, ...names), new RealPaths());

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'duplex-spelling-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  it('means the file that is there, whichever way it is written, in folders too', async () => {
    await mkdir(join(root, decomposed));
    await writeFile(join(root, decomposed, `${composed}.txt`), '');
    for (const folder of [composed, decomposed]) {
      for (const file of [`${composed}.txt`, `${decomposed}.txt`]) {
        assert.equal(spelled(folder, file), join(root, decomposed, `${composed}.txt`));
      }
    }
  });

  it('means exactly what is written where both are there, or none is', async () => {
    assert.deepEqual([spelled(composed), spelled(decomposed)], [join(root, composed), join(root, decomposed)]);
    await writeFile(join(root, composed), '1');
    await writeFile(join(root, decomposed), '2');
    assert.deepEqual([spelled(composed), spelled(decomposed)], [join(root, composed), join(root, decomposed)]);
  });

  it('that mixes both means neither of two, and the one that is there', async () => {
    const mixed = `${composed}${decomposed}`;
    await writeFile(join(root, mixed.normalize('NFC')), '');
    assert.equal(spelled(mixed), join(root, mixed.normalize('NFC')));
    await writeFile(join(root, mixed.normalize('NFD')), '');
    assert.equal(spelled(mixed), join(root, mixed));
  });

  it('is not looked for behind a link to another machine', async () => {
    const there = join(root, 'there');
    await symlink('/net/elsewhere/share', there);
    assert.equal(spelled('there', decomposed), join(there, decomposed));
  });

  it('is read the same way for the filter and for the editor, as part of any client path', async () => {
    await writeFile(join(root, decomposed), '');
    const folders = [{ name: 'root', path: root, uri: `file://${root}`, index: 0 }];
    for (const path of [composed, join(root, composed), `file://${root}/${encodeURIComponent(composed)}`]) {
      assert.deepEqual(parseClientPath(path, folders), { kind: 'file', path: join(root, decomposed) });
    }
  });
});
