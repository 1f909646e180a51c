import assert from 'node:assert/strict';
import { matchLines } from '../../../src/worker/searchTexts.ts';

describe('Matching lines in the search thread', () => {
  it('tells a line once, with every match in it and without its line break', () => {
    assert.deepEqual(matchLines('one two one\r\ntwo\none', /one/g, 10), [
      { line: 1, text: 'one two one', spans: [0, 3, 8, 11] },
      { line: 3, text: 'one', spans: [0, 3] },
    ]);
  });

  it('ends with the last line that is asked for', () => {
    assert.deepEqual(
      matchLines('a\na\na\n', /a/g, 2).map(({ line }) => line),
      [1, 2],
    );
  });

  it('ends after 200,000 matches', () => {
    const lines = matchLines(`${'a'.repeat(150_000)}\n`.repeat(3), /a/g, Number.MAX_SAFE_INTEGER);
    assert.deepEqual(
      lines.map(({ spans }) => spans.length / 2),
      [150_000, 50_000],
    );
  });
});
