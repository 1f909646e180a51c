import assert from 'node:assert/strict';
import { diffOfLines, lastChangedLine } from '../../../../src/views/proposals/lineDiff.ts';
import { ownTime } from '../../../support/longestBlock.ts';

const signs = { same: ' ', added: '+', removed: '-', gap: '~' } as const;

function drawn(before: string, after: string): readonly string[] {
  return diffOfLines(before, after).lines.map(({ kind, text }) => `${signs[kind]}${text}`);
}

describe('A diff of lines', () => {
  it('shows what goes and what comes, with a few lines around it', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    const after = [...lines.slice(0, 10), 'new', ...lines.slice(11)];
    assert.deepEqual(drawn(lines.join('\n'), after.join('\n')), [
      '~',
      ' line 7',
      ' line 8',
      ' line 9',
      '-line 10',
      '+new',
      ' line 11',
      ' line 12',
      ' line 13',
      '~',
    ]);
    assert.equal(lastChangedLine(lines.join('\n'), after.join('\n')), 10);
  });

  it('finds the lines that stay between changes, and takes other line ends for the same', () => {
    assert.deepEqual(drawn('a\r\nb\r\nc\r\nd\r\n', 'a\nx\nc\ny\nd\n'), [' a', '-b', '+x', ' c', '+y', ' d']);
    const { added, removed } = diffOfLines('', 'one\ntwo\n');
    assert.deepEqual([added, removed, drawn('one\n', '')], [2, 0, ['-one']]);
    assert.deepEqual([lastChangedLine('a\nb\n', ''), lastChangedLine('a\n', 'a\nb\nc\n')], [0, 2]);
  });

  it('turns one text into the other, whatever they are', () => {
    let seed = 7;
    const random = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most;
    for (let round = 0; round < 300; round += 1) {
      const text = (): string[] => Array.from({ length: random(12) }, () => `${random(4)}`);
      const [before, after] = [text(), text()];
      const { lines, added, removed } = diffOfLines(before.map((line) => `${line}\n`).join(''), after.map((line) => `${line}\n`).join(''));
      const changes = (kind: string): string[] => lines.filter((line) => line.kind === kind).map((line) => line.text);
      assert.equal(before.length - removed + added, after.length);
      assert.deepEqual([changes('added').length, changes('removed').length], [added, removed]);
      if (!lines.some(({ kind }) => kind === 'gap')) {
        const side = (left: string): string[] => lines.flatMap(({ kind, text: line }) => (kind === left || kind === 'same' ? [line] : []));
        assert.deepEqual([side('removed'), side('added')], [before, after]);
      }
    }
  });

  it('of two long texts that have nothing in common takes no long time', async () => {
    const long = (word: string): string => Array.from({ length: 50_000 }, (_, index) => `${word} ${index}`).join('\n');
    const [before, after] = [long('old'), long('new')];
    const elapsed = await ownTime(() => {
      const { added, removed } = diffOfLines(before, after);
      assert.deepEqual([added, removed], [50_000, 50_000]);
    });
    assert.ok(elapsed < 2_000, `${elapsed} ms`);
  });
});
