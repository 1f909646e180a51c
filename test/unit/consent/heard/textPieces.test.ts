import assert from 'node:assert/strict';
import { textPieces } from '../../../../src/consent/heard/textPieces.ts';

describe('The pieces of text in a value', () => {
  it('have paths of a bounded length, however long the keys are and however deep they stand', () => {
    const members = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`a${index}`, 'x']));
    const deep = Array.from({ length: 60 }).reduce<object>((inside, _, level) => ({ [`${level}`.repeat(100)]: [inside] }), members);
    for (const value of [{ ['k'.repeat(20_000)]: members }, deep]) {
      const { pieces, isCut } = textPieces(value as never, 1_000_000);
      assert.deepEqual([pieces.filter(({ text }) => text === 'x').length, isCut], [500, false]);
      const longest = Math.max(...pieces.map(({ path }) => path.length));
      assert.ok(longest < 1_500, `a path has ${longest} characters`);
    }
  });

  it('still say where they stand', () => {
    const { pieces } = textPieces({ list: [{ name: 'x' }], ['k'.repeat(300)]: { name: 'y' } }, 1_000);
    const paths = pieces.filter(({ isKey }) => !isKey).map(({ path }) => path);
    assert.deepEqual(paths, ['list[0].name', `${'k'.repeat(200)}….name`]);
  });
});
