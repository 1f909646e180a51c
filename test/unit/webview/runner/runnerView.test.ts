import assert from 'node:assert/strict';
import type { ArgumentRefusal } from '../../../../src/contract/forms/formFields.ts';
import { createRunnerIntents } from '../../../../src/webview/runner/runnerView.ts';

describe('What is typed into the form of Run Tool', () => {
  it('is held against the whole schema, and the answer goes to the question of its number', async () => {
    const sent: unknown[] = [];
    const looked: unknown[] = [];
    const { intents, answer } = createRunnerIntents(
      { send: (name, body) => void sent.push([name, body]) },
      { typed: () => undefined, checked: (...seen) => void looked.push(seen) },
    );
    const given: ArgumentRefusal[] = [{ path: ['a'], keyword: 'pattern', wanted: '^x', reason: 'must match pattern' }];
    const left = new AbortController();
    void intents.check('{"a": 1}', left.signal);
    left.abort();
    const checked = intents.check('{"a": 2}', new AbortController().signal);
    assert.deepEqual(sent, [
      ['runner/check', { requestId: 1, arguments: '{"a": 1}' }],
      ['runner/check', { requestId: 2, arguments: '{"a": 2}' }],
    ]);
    answer({ name: 'runner/checked', body: { requestId: 1, refusals: [], mayKeep: true } });
    answer({ name: 'runner/checked', body: { requestId: 2, refusals: given, mayKeep: false } });
    assert.deepEqual(await checked, given);
    assert.deepEqual(looked, [['{"a": 2}', false]]);
  });
});
