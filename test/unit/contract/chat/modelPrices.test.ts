import assert from 'node:assert/strict';
import { estimateTokens, priceOf } from '../../../../src/contract/chat/modelPrices.ts';

describe('The price of a model', () => {
  it('is that of its id, dated or not, and unknown for every other', () => {
    const ids = ['claude-opus-5', 'claude-opus-5-20260724', 'claude-opus-5-5', 'claude-opus-5-9', 'claude-opus-50', 'house-model', ''];
    assert.deepEqual(
      ids.map((id) => priceOf(id, 10)?.input),
      [5, 5, 4, undefined, undefined, undefined, undefined],
    );
  });

  it('grows with the length of the prompt where the provider’s does', () => {
    assert.deepEqual([priceOf('claude-haiku-5-5', 100_000)?.input, priceOf('claude-haiku-5-5', 100_001)?.input], [0.1, 0.5]);
  });

  it('is multiplied by an estimate of the tokens', () => {
    assert.deepEqual([estimateTokens([], 0), estimateTokens(['x'.repeat(10)], 0), estimateTokens(['x'.repeat(9)], 2)], [0, 4, 3_203]);
  });

  it('are one or more for each character of other scripts', () => {
    assert.deepEqual([estimateTokens(['漢字abc'], 0), estimateTokens(['😀'], 0)], [3, 2]);
  });
});
