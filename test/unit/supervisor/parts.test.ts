import assert from 'node:assert/strict';
import { FrameDecoder, encodeFrame, type ToSupervisor } from '../../../src/contract/supervisorMessages.ts';
import { ErrorOutput } from '../../../src/supervisor/errorOutput.ts';
import { LineSplitter } from '../../../src/supervisor/lineSplitter.ts';

describe('Frames between window and supervisor', () => {
  const messages: readonly (readonly [ToSupervisor, string])[] = [
    [{ type: 'write', child: '1' }, 'ünïcode\n'],
    [{ type: 'stop', child: '2' }, ''],
    [{ type: 'write', child: '3' }, 'x'.repeat(100_000)],
  ];
  const bytes = Buffer.concat(messages.flatMap(([header, payload]) => [...encodeFrame(header, Buffer.from(payload))]));

  it('come out as they went in, however the pipe cuts them', () => {
    for (const size of [1, 7, 4_096, bytes.length]) {
      const decoder = new FrameDecoder();
      const frames = [];
      for (let offset = 0; offset < bytes.length; offset += size) {
        frames.push(...decoder.push(bytes.subarray(offset, offset + size)));
      }
      assert.deepEqual(
        frames.map(({ header, payload }) => [header, Buffer.from(payload).toString('utf8')]),
        messages,
      );
    }
  });

  it('that claim to be huge are refused before memory is taken', () => {
    const decoder = new FrameDecoder();
    assert.throws(() => decoder.push(Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])), RangeError);
  });
});

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

describe('Standard error', () => {
  it('passes lines on, thins out a flood, keeps the last ones and slows the writer', () => {
    let now = 0;
    const output = new ErrorOutput(() => now);
    const first = output.push(Buffer.from('one\ntwo\n'));
    assert.deepEqual(first, { lines: ['one', 'two'], dropped: 0, pauseMs: 0 });

    const flood = Array.from({ length: 100_000 }, (_, index) => `line ${index} ${'x'.repeat(40)}\n`).join('');
    const second = output.push(Buffer.from(flood));
    assert.deepEqual([second.lines.length, second.dropped, second.pauseMs], [198, 99_802, 1_000]);
    assert.deepEqual([output.lastLines().length, output.lastLines().at(-1)?.slice(0, 10)], [50, 'line 99999']);

    assert.deepEqual(output.push(Buffer.from('lost\n')).lines, []);
    now = 1_000;
    assert.deepEqual(output.push(Buffer.from('later\n')), { lines: ['later'], dropped: 1, pauseMs: 0 });
  });

  it('without line breaks is cut, not collected', () => {
    const output = new ErrorOutput(() => 0);
    const { lines } = output.push(Buffer.alloc(5_000, 'x'));
    assert.deepEqual(
      [...lines, ...output.end().lines].map((line) => line.length),
      [2_000, 2_000, 1_000],
    );
  });
});
