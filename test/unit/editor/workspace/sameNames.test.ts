import assert from 'node:assert/strict';
import { clientNames, findNamed } from '../../../../src/editor/workspace/sameNames.ts';

const app = { name: 'app' };
const other = { name: 'app' };
const web = { name: 'web' };
const folders = [app, other, web];
const all = [
  { name: 'build', folder: app },
  { name: 'build', folder: other },
  { name: 'test', folder: web },
  { name: 'build', folder: undefined },
];

function find(name: string, among = all, within = folders): readonly unknown[] {
  return findNamed(name, among, within, (wanted, those) => those.filter((each) => each.name === wanted));
}

describe('Tasks and configurations of several folders', () => {
  it('have their folder before their name where another folder has one of this name, and are found by it', () => {
    const names = clientNames(all, folders);
    assert.deepEqual(names, ['app/build', 'app~2/build', 'test', 'build']);
    assert.deepEqual([find('app/build'), find('app~2/build'), find('web/test'), find('app/test')], [[all[0]], [all[1]], [all[2]], []]);
  });

  it('have each the name by which they are found, also what no folder brings', () => {
    const listed = clientNames(all, folders).map((name) => find(name));
    assert.deepEqual(
      listed,
      all.map((each) => [each]),
    );
    assert.deepEqual(find('build', all.slice(0, 3)), all.slice(0, 2));
  });

  it('have their name alone in a workspace of one folder', () => {
    const two = [all[0], all[0]].flatMap((each) => each ?? []);
    assert.deepEqual(clientNames(two, [app]), ['build', 'build']);
    assert.deepEqual(find('app/build', two, [app]), []);
  });

  it('are found by what they are called before a folder is', () => {
    const called = { name: 'app/build', folder: web };
    assert.deepEqual(find('app/build', [...all, called]), [called]);
  });
});
