import assert from 'node:assert/strict';
import { LineSplitter } from '../../../../src/platform/processes/lineSplitter.ts';

describe('Lines of a stream', () => {
  const textOf = (lines: readonly Buffer[]): string[] => lines.map((line) => line.toString('utf8'));

  it('are whole wherever the chunks end', () => {
    const splitter = new LineSplitter(100, 'fail');
    const chunks = ['{"a"', ':1}\r', '\n\n{"b":2}\n{"c"', ':3}'].map((chunk) => splitter.push(Buffer.from(chunk)));
    assert.deepEqual([chunks.flatMap(({ lines }) => textOf(lines)), textOf(splitter.end())], [['{"a":1}', '', '{"b":2}'], ['{"c":3}']]);
  });

  it('over the limit end the stream or come in pieces', () => {
    const failing = new LineSplitter(4, 'fail').push(Buffer.from('ab\nabcdefgh'));
    assert.deepEqual([textOf(failing.lines), failing.tooLong], [['ab'], true]);
    const cutting = new LineSplitter(4, 'cut').push(Buffer.from('ab\nabcdefgh\ni'));
    assert.deepEqual([textOf(cutting.lines), cutting.tooLong], [['ab', 'abcd', 'efgh'], false]);
  });
});
