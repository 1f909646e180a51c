import assert from 'node:assert/strict';
import { parseMatches } from '../../../../../src/editor/workspace/search/ripgrepOutput.ts';
import { turnsOfOthers } from '../../../../support/longestBlock.ts';

/** As `rg --json` writes it. */
function written(file: string, line: string, submatches: readonly (readonly [start: number, end: number])[]): string {
  const found = submatches.map(([start, end]) => ({ match: { text: line.slice(start, end) }, start, end }));
  const data = { path: { text: file }, lines: { text: `${line}\n` }, line_number: 3, absolute_offset: 7, submatches: found };
  return `${JSON.stringify({ type: 'match', data })}\n`;
}

function everyOther(count: number): (readonly [number, number])[] {
  return Array.from({ length: count }, (_, index) => [2 * index, 2 * index + 1] as const);
}

describe('The output of ripgrep', () => {
  it('says where a very long line matches, as it does for a short one', async () => {
    const begin = '"submatches":[{"match":{"text":"x"},{"match":]}} ';
    for (const length of [10, 5_000]) {
      const line = `${begin}${'ab'.repeat(length)}`;
      const submatches = everyOther(length);
      const found = await parseMatches(Buffer.from(written('./a.js', line, submatches)));
      const expected = submatches.map(([start, end]) => ({ line: 3, character: start + 1, endCharacter: end + 1, text: line }));
      assert.deepEqual([...found], [['a.js', expected]]);
    }
  });

  it('drops a very long line that was cut off', async () => {
    const output = written('./a.js', 'ab'.repeat(5_000), everyOther(5_000));
    assert.deepEqual([...(await parseMatches(Buffer.from(output.slice(0, -100))))], []);
  });

  it('is no failure where a line was cut off at what looks like its end', async () => {
    const line = ']}}'.repeat(30_000);
    const output = written('./a.js', line, [[0, line.length]]);
    const cut = output.slice(0, output.lastIndexOf(']}}', output.length - 100) + 3);
    assert.deepEqual([...(await parseMatches(Buffer.from(cut)))], []);
  });

  it('is read in turns with others, one line or many', async () => {
    const long = Buffer.from(written('./a.js', 'ab'.repeat(100_000), everyOther(100_000)));
    const many = Buffer.from(written('./a.js', 'ab'.repeat(20), everyOther(20)).repeat(5_000));
    for (const output of [long, many]) {
      const turns = await turnsOfOthers(async () => {
        assert.equal((await parseMatches(output)).get('a.js')?.length, 100_000);
      });
      assert.ok(turns > 0, `${turns} turns`);
    }
  });
});
