import assert from 'node:assert/strict';
import { slicePieces } from '../../../../../src/webview/question/details/actText.tsx';

const piecesOf = (pieces: Parameters<typeof slicePieces>[0]): readonly (readonly (string | number)[])[] =>
  slicePieces(pieces).map(({ value }) => value);

describe('The text of a question', () => {
  it('is one piece as long as it is short', () => {
    assert.deepEqual(piecesOf(['a\n\nb ', 1, ' c\n', 2]), [['a\n\nb ', 1, ' c\n', 2]]);
    assert.deepEqual(piecesOf([]), []);
  });

  it('is cut between its lines, where a secret stays in its line', () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => [`line ${index} with `, index, ' in it\n']).flat();
    const slices = piecesOf(lines);
    assert.deepEqual(slices.flat(), lines);
    assert.ok(slices.length > 20 && slices.every((slice) => String(slice.at(-1)).endsWith('\n')));
  });

  it('is cut within a line that nothing breaks, into pieces that are drawn in no time each', () => {
    const text = 'a\u0301 '.repeat(130_000);
    const slices = slicePieces([text]);
    assert.equal(slices.map(({ value }) => value.join('')).join(''), text);
    assert.ok(slices.every(({ weight }) => weight <= 250));
  });
});
