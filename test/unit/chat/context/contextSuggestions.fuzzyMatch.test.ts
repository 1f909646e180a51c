import assert from 'node:assert/strict';
import { bestMatches, fuzzyScore } from '../../../../src/chat/context/contextSuggestions.ts';

const best = (query: string, ...texts: readonly string[]): readonly string[] => bestMatches(texts, query, (text) => [text], 10);

describe('What is typed after @', () => {
  it('finds names whose letters it has in their order, the name of a file before its folders', () => {
    assert.deepEqual(best('chat', 'src/chat/model.ts', 'src/views/chatView.ts', 'README.md'), [
      'src/views/chatView.ts',
      'src/chat/model.ts',
    ]);
    assert.deepEqual(best('cvw', 'src/views/chatView.ts', 'src/cover.ts'), ['src/views/chatView.ts']);
  });

  it('prefers the beginning of a word, and of two alike the shorter name', () => {
    assert.deepEqual(best('run', 'prune.ts', 'toolRun.ts', 'run.ts'), ['run.ts', 'toolRun.ts', 'prune.ts']);
    assert.deepEqual(best('a.ts', 'deep/er/a.ts', 'a.ts'), ['a.ts', 'deep/er/a.ts']);
  });

  it('takes everything for nothing, and nothing for letters that are not there', () => {
    assert.equal(fuzzyScore('', 'anything'), 0);
    assert.equal(fuzzyScore('xyz', 'anything'), undefined);
    assert.deepEqual(best('', 'b', 'a'), ['b', 'a']);
  });

  it('looks at a very long name only so far', () => {
    assert.equal(fuzzyScore('z', `${'a'.repeat(1_000_000)}z`), undefined);
  });
});
