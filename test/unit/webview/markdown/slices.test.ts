import assert from 'node:assert/strict';
import { hostileAnswers } from '../../../fixtures/hostileAnswers.ts';
import { type CodePiece, highlightCode } from '../../../../src/webview/markdown/highlightCode.ts';
import { type Block, parseMarkdown } from '../../../../src/webview/markdown/parseMarkdown.ts';
import { groupSlices, sliceBlocks, sliceCode, sliceText } from '../../../../src/webview/markdown/slices.ts';

const slicesOf = (text: string): readonly Block[] => sliceBlocks(parseMarkdown(text)).map(({ value }) => value);
const plain = (pieces: readonly CodePiece[]): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : plain(piece.pieces))).join('');

describe('What a page draws in one go', () => {
  it('is a piece of a plain text, and the pieces are the text', () => {
    for (const { text } of hostileAnswers.filter(({ name }) => !name.includes('4,000,000'))) {
      const slices = sliceText(text);
      assert.ok(slices.map(({ value }) => value).join('') === text);
      assert.ok(slices.every(({ value }) => value.length <= 1_500 && value.split('\n').length <= 41));
    }
  });

  it('never begins or ends within a character', () => {
    const text = '\u{1F468}'.repeat(5_000);
    assert.ok(sliceText(text).every(({ value }) => !/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/.test(value)));
  });

  it('is all of a usual answer', () => {
    const usual = '# a\n\nb\n\n- c\n- d\n\n| e |\n|---|\n| f |\n\n```ts\nlet g\n```';
    assert.deepEqual(
      slicesOf(usual),
      parseMarkdown(usual).map(({ block }) => block),
    );
    assert.equal(groupSlices(sliceBlocks(parseMarkdown(usual))).length, 1);
  });

  it('is a part of a long list that goes on counting, and of a long table that has its heading again', () => {
    const lists = slicesOf('3. a\n'.repeat(1_000));
    assert.ok(lists.length > 2);
    let next = 3;
    for (const list of lists) {
      assert.ok(list.kind === 'list' && list.start === next);
      next += list.items.length;
    }
    assert.equal(next, 1_003);
    const tables = slicesOf(`| a |\n|---|\n${'| b |\n'.repeat(1_000)}`);
    assert.ok(tables.length > 2 && tables.every((table) => table.kind === 'table' && table.header.length === 1));
  });

  it('is text where a block is too large in itself, and after too much of everything (release)', () => {
    assert.ok(slicesOf('a *b* '.repeat(290).padEnd(40_000, 'c')).every(({ kind }) => kind === 'raw'));
    assert.deepEqual([slicesOf('a\n\n'.repeat(50_000)).at(-1)?.kind, slicesOf('a\n\n'.repeat(2_000)).at(-1)?.kind], ['raw', 'paragraph']);
  });

  it('is some lines of long code, with the colours of what began before', () => {
    const code = `/*\n${'a\n'.repeat(1_000)}*/ let b;`;
    const slices = sliceCode(code, highlightCode(code, 'ts'));
    assert.ok(slices.length > 2 && slices.map(({ value }) => plain(value)).join('') === code);
    const [first] = slices[1]?.value ?? [];
    assert.ok(first !== undefined && typeof first !== 'string' && first.scope === 'comment');
  });
});
