import assert from 'node:assert/strict';
import type { ModelMessage } from '../../../../src/chat/models/modelProvider.ts';
import { addCost, addUsage, requestCost } from '../../../../src/chat/budget/turnCost.ts';

const messages: readonly ModelMessage[] = [
  { role: 'user', content: [{ type: 'text', text: 'go' }] },
  {
    role: 'assistant',
    content: [
      { type: 'toolUse', id: 'a', name: 'x', input: { q: 'abc' } },
      { type: 'toolUse', id: 'b', name: 'y', input: {} },
    ],
  },
  {
    role: 'user',
    content: [
      {
        type: 'toolResult',
        toolUseId: 'a',
        called: { server: 'files', tool: 'x' },
        isError: false,
        outcome: 'done',
        content: [{ type: 'text', text: 'x'.repeat(300) }],
      },
      { type: 'toolResult', toolUseId: 'b', called: { server: 'web', tool: 'y' }, isError: false, outcome: 'done', content: [] },
    ],
  },
];

describe('The cost of an answer', () => {
  it('counts what the cache gave at a tenth and what it took at a quarter more', () => {
    // Opus 5: 5 dollars a million in, 25 out.
    const usage = { inputTokens: 1_000_000, outputTokens: 100_000, cacheReadTokens: 600_000, cacheWrittenTokens: 200_000 };
    assert.equal(requestCost(usage, 'claude-opus-5'), 5.05);
  });

  it('is unknown for a model without a price, and where nobody said what was used', () => {
    assert.deepEqual(
      [requestCost({ inputTokens: 1, outputTokens: 1 }, 'gateway-model'), requestCost(undefined, 'claude-opus-5')],
      [undefined, undefined],
    );
  });

  it('adds up over requests, and is unknown when one of them is', () => {
    const turn = { model: 'claude-opus-5', messages: [] };
    const once = addCost(undefined, { inputTokens: 1_000_000, outputTokens: 0 }, turn);
    const twice = addCost(once, { inputTokens: 1_000_000, outputTokens: 0 }, turn);
    const unknown = addCost(twice, undefined, turn);
    assert.deepEqual(
      [once.usd, twice.usd, unknown.usd, addCost(unknown, { inputTokens: 1, outputTokens: 0 }, turn).usd],
      [5, 10, undefined, undefined],
    );
  });

  it('has an estimated share for each server that was called', () => {
    const { servers } = addCost(undefined, { inputTokens: 1, outputTokens: 1 }, { model: 'claude-opus-5', messages });
    assert.deepEqual(servers, [
      { server: 'files', calls: 1, tokens: 104, usd: (100 * 5 + 4 * 25) / 1_000_000 },
      { server: 'web', calls: 1, tokens: 1, usd: 25 / 1_000_000 },
    ]);
  });

  it('keeps the counts of the cache apart from all that was read', () => {
    const once = addUsage(undefined, { inputTokens: 10, outputTokens: 2, cacheWrittenTokens: 8 });
    assert.deepEqual(addUsage(once, { inputTokens: 12, outputTokens: 1, cacheReadTokens: 8 }), {
      inputTokens: 22,
      outputTokens: 3,
      cacheReadTokens: 8,
      cacheWrittenTokens: 8,
    });
  });
});
