import assert from 'node:assert/strict';
import { ErrorOutput } from '../../../../src/host/processes/supervisedChild.ts';

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
