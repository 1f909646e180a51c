import assert from 'node:assert/strict';
import type { ContextSuggestion } from '../../../../../src/contract/chat/attachments.ts';
import { SuggestionRequests } from '../../../../../src/webview/chat/composer/suggestions.ts';

describe('An answer to fewer letters than are typed by now', () => {
  const items = ['fix_diagnostics', 'completable-prompt'].map((name) => ({ name }) as ContextSuggestion);
  const asked: [id: number, query: string][] = [];
  const requests = new SuggestionRequests({ suggest: (id, _trigger, query) => asked.push([id, query]), leave: () => undefined });
  const typed = (query: string): void => requests.ask({ trigger: '/', query, start: 0, end: query.length + 1 });
  afterEach(() => requests.cancel());

  it('brings back nothing that does not fit these, so that a quick Tab takes what is meant', () => {
    typed('');
    typed('completable');
    const [[first, query] = [0, 'nothing']] = asked;
    assert.deepEqual([asked.length, query], [1, '']);
    assert.deepEqual(
      requests.fitting(first, items, 'completable')?.map(({ name }) => name),
      ['completable-prompt'],
    );
    assert.deepEqual(requests.fitting(first, items, '')?.length, 2);
    assert.equal(requests.fitting(first + 1, items, ''), undefined);
  });
});
