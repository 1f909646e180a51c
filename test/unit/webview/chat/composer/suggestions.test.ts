import assert from 'node:assert/strict';
import type { ContextSuggestion } from '../../../../../src/contract/chat/attachments.ts';
import { findTrigger, insertTrigger, replaceTrigger, SuggestionRequests } from '../../../../../src/webview/chat/composer/suggestions.ts';

const at = (text: string): string | undefined => {
  const found = findTrigger(text, text.length);
  return found === undefined ? undefined : `${found.trigger}${found.query}`;
};

describe('Suggestions in the composer', () => {
  it('begin with @ and # at the beginning of a word, and with / at the beginning of the message', () => {
    assert.deepEqual(['@', 'look at @src/a', '(@x', '#tool', '/pro', '  /pro'].map(at), ['@', '@src/a', '@x', '#tool', '/pro', '/pro']);
    assert.deepEqual(['me@example', 'and/or', 'see /etc', '@a b', 'C# is', ''].map(at), Array(6).fill(undefined));
  });

  it('know only what stands before the caret', () => {
    assert.deepEqual(findTrigger('@ab cd', 2), { trigger: '@', query: 'a', start: 0, end: 2 });
    assert.equal(findTrigger('@ab cd', 6), undefined);
  });

  it('leave nothing behind where they were alone, and a name within a sentence', () => {
    assert.deepEqual(replaceTrigger('@rea', { start: 0, end: 4 }, 'README.md'), { text: '', caret: 0 });
    assert.deepEqual(replaceTrigger('what does @rea say', { start: 10, end: 14 }, 'README.md'), {
      text: 'what does README.md say',
      caret: 19,
    });
    assert.deepEqual(replaceTrigger('see @rea', { start: 4, end: 8 }, 'README.md'), { text: 'see README.md ', caret: 14 });
  });

  it('can be asked for by a button, apart from the word before', () => {
    assert.deepEqual(insertTrigger('look', 4, '@'), { text: 'look @', caret: 6 });
    assert.deepEqual(insertTrigger('', 0, '@'), { text: '@', caret: 1 });
  });
});

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
