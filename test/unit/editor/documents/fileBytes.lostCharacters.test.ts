import assert from 'node:assert/strict';
import { firstDifference, firstHalf } from '../../../../src/editor/documents/fileBytes.ts';
import { longestBlock } from '../../../support/longestBlock.ts';

const stepLength = 250_000;

describe('Characters that would be lost', () => {
  it('are found where a half of one stands, and not where both are, also across steps', async () => {
    const whole = '\u{1F600}';
    for (const before of ['', 'a', 'a'.repeat(stepLength - 1), 'a'.repeat(stepLength), 'a'.repeat(2 * stepLength - 1)]) {
      assert.equal(await firstHalf(`${before}${whole}b`), undefined);
      assert.equal(await firstHalf(`${before}\uD83Db`), before.length);
      assert.equal(await firstHalf(`${before}\uDE00b`), before.length);
      assert.equal(await firstHalf(`${before}${whole}\uDE00`), before.length + 2);
    }
    assert.equal(await firstHalf('a\uD83D'), 1);
  });

  it('are found where the text that came back differs, or ends', async () => {
    for (const length of [0, 1, stepLength - 1, stepLength, 2 * stepLength + 1]) {
      const same = 'a'.repeat(length);
      assert.equal(await firstDifference(`${same}\u20ACb`, `${same}?b`), length);
      assert.equal(await firstDifference(`${same}b`, same), length);
      assert.equal(await firstDifference(same, `${same}b`), undefined);
    }
  });

  it('are looked for in turns, so that nobody waits for a text of many megabytes', async () => {
    const text = '\u{1F600}ab'.repeat(10_000_000);
    const copy = `${text.slice(0, -1)}c`;
    const block = await longestBlock(async () => {
      assert.equal(await firstHalf(text), undefined);
      assert.equal(await firstDifference(text, copy), text.length - 1);
    });
    assert.ok(block < 1_000, `${block} ms`);
  }).timeout(60_000);
});
