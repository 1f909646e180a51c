import assert from 'node:assert/strict';
import { missingCapabilities, usedCapabilities } from '../../../../../src/server/protocol/requests/clientCapabilities.ts';

describe('What is kept of what a client declares', () => {
  it('is what it may be asked, and nothing else', () => {
    const declared = {
      experimental: { much: { more: 'x' } },
      elicitation: { form: { applyDefaults: true }, url: {}, other: 'x' },
      sampling: { tools: { many: 'x' }, context: {} },
      roots: { listChanged: true },
      tasks: {},
    };
    assert.deepEqual(usedCapabilities(declared), { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: { other: {} } });
    assert.deepEqual([usedCapabilities({}), usedCapabilities(undefined)], [{}, {}]);
  });

  it('says the same of every question as the whole would', () => {
    const questions = [
      { method: 'elicitation/create' as const, params: { mode: 'url' } },
      { method: 'elicitation/create' as const, params: {} },
      { method: 'sampling/createMessage' as const, params: { tools: [] } },
      { method: 'sampling/createMessage' as const, params: {} },
      { method: 'roots/list' as const },
    ];
    for (const declared of [
      {},
      { elicitation: {} },
      { elicitation: { url: {} } },
      { elicitation: { other: {} } },
      { sampling: {} },
      { sampling: { tools: {} }, roots: {} },
    ]) {
      assert.deepEqual(
        questions.map((question) => missingCapabilities({ question }, usedCapabilities(declared))),
        questions.map((question) => missingCapabilities({ question }, declared)),
      );
    }
  });
});
