import assert from 'node:assert/strict';
import type { ArgumentRefusal } from '../../../../src/contract/forms/formFields.ts';
import { createRunnerIntents, KeptDraft } from '../../../../src/webview/runner/runnerView.ts';

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

const key = { serverId: 'user:trains', tool: 'book_trip' };

describe('What is typed into the form of Run Tool', () => {
  let stored: unknown;
  const open = (): KeptDraft => new KeptDraft({ readStored: () => stored, store: (value) => (stored = value) });

  beforeEach(() => (stored = undefined));

  it('is there again after a reload, with the tool that it is for', () => {
    const draft = open();
    draft.belongTo({ key });
    assert.deepEqual([draft.isRestored, stored], [false, { key }], 'the tab itself comes back without a word typed');
    draft.typed('{"name": "A"}');
    draft.checked('{"name": "A"}', true);
    assert.deepEqual(stored, { key, text: '{"name": "A"}' });
    const again = open();
    again.belongTo({ key });
    assert.deepEqual([again.isRestored, again.text], [true, '{"name": "A"}']);
  });

  it('is never stored while it seems to hold a secret, nor is what was typed before it', () => {
    const draft = open();
    draft.belongTo({ key });
    draft.typed('{"name": "A"}');
    draft.checked('{"name": "A"}', true);
    draft.typed('{"token": "s"}');
    draft.checked('{"token": "s"}', false);
    assert.deepEqual([stored, draft.text], [{ key }, '{"token": "s"}']);
  });

  it('is not stored when it was typed on since, and not taken over by another tool or from nonsense', () => {
    const draft = open();
    draft.belongTo({ key });
    draft.typed('{"b": 1}');
    draft.checked('{"a": 1}', true);
    assert.deepEqual(stored, { key });
    stored = { key, text: '{}' };
    const other = open();
    other.belongTo({ key: { ...key, tool: 'cancel_trip' } });
    assert.equal(other.text, undefined);
    stored = { key: 7, text: '{}' };
    assert.deepEqual([open().text, open().isRestored], [undefined, false]);
  });
});
