import assert from 'node:assert/strict';
import type { ChatState } from '../../../../src/contract/chat/chatState.ts';
import { ChatStore } from '../../../../src/webview/chat/chatStore.ts';

const state: ChatState = {
  conversationId: 'c',
  items: [],
  isRunning: true,
  queue: [
    { id: 'q1', text: 'second' },
    { id: 'q2', text: 'third' },
  ],
  provider: { kind: 'offline', label: '', isAi: false },
  tools: [],
  suggestions: [],
};

describe('What is queued, in the page', () => {
  it('stays queued while an answer runs', () => {
    const store = new ChatStore('draft');
    store.receive({ name: 'chat/state', body: state });
    assert.equal(store.view.draft, 'draft');
  });

  it('comes before the draft once nothing runs, once, and the host is told', () => {
    const store = new ChatStore('draft');
    const returned: (readonly string[])[] = [];
    const subscription = store.onReturned((ids) => returned.push(ids));
    store.receive({ name: 'chat/state', body: state });
    store.receive({ name: 'chat/status', body: { ...state, isRunning: false } });
    store.receive({ name: 'chat/status', body: { ...state, isRunning: false } });
    assert.deepEqual([store.view.draft, returned], ['second\n\nthird\n\ndraft', [['q1', 'q2']]]);
    subscription.dispose();
  });

  it('is all there for a page that opens after the answer was stopped', () => {
    const store = new ChatStore('');
    store.receive({ name: 'chat/state', body: { ...state, isRunning: false } });
    assert.equal(store.view.draft, 'second\n\nthird');
  });

  it('comes back one by one when the person edits it', () => {
    const store = new ChatStore('');
    store.receive({ name: 'chat/state', body: state });
    store.takeBack([{ id: 'q2', text: 'third' }]);
    assert.equal(store.view.draft, 'third');
  });
});
