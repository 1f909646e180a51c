import assert from 'node:assert/strict';
import type { ConversationEntry } from '../../../../src/contract/chat/conversations.ts';
import { keyInList, nextActive } from '../../../../src/webview/chat/conversations.tsx';

const entries = ['a', 'b', 'c'].map((id): ConversationEntry => ({ id, title: id, changedAt: 0, messages: 2, state: 'kept' }));

describe('The keys in the list of conversations', () => {
  const press = (key: string, where: 'search' | 'rows' | 'button', active = 'b'): string => {
    const pressed = keyInList({ key, isComposing: false }, entries, active, where === 'rows', where === 'button');
    return pressed === undefined ? 'none' : `${pressed.action} ${pressed.id}`.trim();
  };

  it('move the mark, open, rename, delete and close, and leave the search its own', () => {
    assert.deepEqual(
      [
        press('ArrowDown', 'search'),
        press('ArrowUp', 'rows'),
        press('ArrowDown', 'rows', 'c'),
        press('Home', 'rows'),
        press('End', 'rows'),
      ],
      ['mark c', 'mark a', 'mark c', 'mark a', 'mark c'],
    );
    assert.deepEqual(
      [press('Enter', 'search'), press(' ', 'rows'), press('F2', 'rows'), press('Delete', 'rows'), press('Escape', 'button')],
      ['open b', 'open b', 'rename b', 'delete b', 'close'],
    );
    assert.deepEqual(
      [press('Delete', 'search'), press('Home', 'search'), press(' ', 'search'), press('Enter', 'button'), press('x', 'rows')],
      ['none', 'none', 'none', 'none', 'none'],
    );
  });

  it('mark the next one when one is gone, and the one before it at the end', () => {
    assert.deepEqual(
      ['a', 'c'].map((id) => nextActive(entries, id)),
      ['b', 'b'],
    );
    assert.equal(nextActive(entries.slice(0, 1), 'a'), undefined);
  });
});
