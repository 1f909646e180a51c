import assert from 'node:assert/strict';
import { walkPaths, type PathEntry, type PathTree } from '../../../../src/editor/documents/walkPaths.ts';
import { turnsOfOthers } from '../../../support/longestBlock.ts';

/** Folders by their path, which is empty for the first one. */
function treeOf(folders: Readonly<Record<string, readonly PathEntry[]>>): PathTree<string> {
  return {
    beginnings: () => [''],
    list: (folder) => Promise.resolve(folders[folder] ?? []),
    child: (folder, name) => {
      const path = folder === '' ? name : `${folder}/${name}`;
      return { place: path, path };
    },
  };
}

const file = (name: string): PathEntry => ({ name, isFolder: false });
const folder = (name: string): PathEntry => ({ name, isFolder: true });
const { signal } = new AbortController();

describe('Paths by their beginning', () => {
  const tree = treeOf({
    '': [file('b.ts'), folder('src'), folder('node_modules'), file('a.ts')],
    src: [file('z.ts'), folder('part'), file('.env')],
    'src/part': [file('a.ts')],
    node_modules: [file('lib.js')],
  });

  it('come nearest first, without what nobody means unless they name it', async () => {
    const find = (prefix: string, limit: number): ReturnType<typeof walkPaths> =>
      walkPaths(tree, { prefix, limit, isShown: (path) => !path.endsWith('.env') }, signal);
    assert.deepEqual(await find('', 10), { paths: ['a.ts', 'b.ts', 'src/z.ts', 'src/part/a.ts'], isComplete: true });
    assert.deepEqual(await find('', 2), { paths: ['a.ts', 'b.ts'], isComplete: false });
    assert.deepEqual(await find('src/', 10), { paths: ['src/z.ts', 'src/part/a.ts'], isComplete: true });
    assert.deepEqual(await find('node_modules', 10), { paths: ['node_modules/lib.js'], isComplete: true });
    assert.deepEqual(await find('node', 10), { paths: [], isComplete: true });
  });

  it('of a folder with very many let others have their turn, and are looked at no further than is asked for', async () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `file${(index * 7_919) % 100_000}.ts`);
    const large = treeOf({ '': names.map(file) });
    let looks = 0;
    const isShown = (): boolean => (looks += 1) > 0;
    const turns = await turnsOfOthers(async () => {
      const { paths, isComplete } = await walkPaths(large, { prefix: 'file', limit: 5, isShown }, signal);
      assert.deepEqual([paths, isComplete], [names.sort().slice(0, 5), false]);
    });
    assert.equal(looks, 6);
    assert.ok(turns >= 3, `others had ${turns} turns`);
  });
});
