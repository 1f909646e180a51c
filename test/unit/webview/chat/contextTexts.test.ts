import assert from 'node:assert/strict';
import type { ContextBudget } from '../../../../src/contract/chat/contextBudget.ts';
import { shortUse } from '../../../../src/webview/chat/contextTexts.ts';

const budget = (more: Partial<ContextBudget>): ContextBudget => ({
  used: 12_000,
  isCounted: false,
  sources: [],
  tools: { total: 0, offered: 0, leftOut: 0, tokens: 0, savedTokens: 0 },
  canCompact: false,
  ...more,
});

describe('How full the context is', () => {
  it('is marked as an estimate until the provider has counted', () => {
    assert.deepEqual(
      [
        shortUse(budget({})),
        shortUse(budget({ limit: 100_000 })),
        shortUse(budget({ isCounted: true })),
        shortUse(budget({ limit: 100_000, isCounted: true })),
      ],
      ['≈ 12k', '≈ 12 %', '12k', '12 %'],
    );
  });
});
