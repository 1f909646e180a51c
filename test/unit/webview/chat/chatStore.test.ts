import assert from 'node:assert/strict';
import type { AssistantItem, ChatState } from '../../../../src/contract/chat/chatState.ts';
import {
  applyMessage,
  ChatStore,
  conversationTitle,
  lastUserItem,
  openQuestions,
  storedDraft,
} from '../../../../src/webview/chat/chatStore.ts';

const running: ChatState = {
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
    store.receive({ name: 'chat/state', body: running });
    assert.equal(store.view.draft, 'draft');
  });

  it('comes before the draft once nothing runs, once, and the host is told', () => {
    const store = new ChatStore('draft');
    const returned: (readonly string[])[] = [];
    const subscription = store.onReturned((ids) => returned.push(ids));
    store.receive({ name: 'chat/state', body: running });
    store.receive({ name: 'chat/status', body: { ...running, isRunning: false } });
    store.receive({ name: 'chat/status', body: { ...running, isRunning: false } });
    assert.deepEqual([store.view.draft, returned], ['second\n\nthird\n\ndraft', [['q1', 'q2']]]);
    subscription.dispose();
  });

  it('is all there for a page that opens after the answer was stopped', () => {
    const store = new ChatStore('');
    store.receive({ name: 'chat/state', body: { ...running, isRunning: false } });
    assert.equal(store.view.draft, 'second\n\nthird');
  });

  it('comes back one by one when the person edits it', () => {
    const store = new ChatStore('');
    store.receive({ name: 'chat/state', body: running });
    store.takeBack([{ id: 'q2', text: 'third' }]);
    assert.equal(store.view.draft, 'third');
  });
});

const answer: AssistantItem = { kind: 'assistant', id: 'a', state: 'streaming', parts: [{ kind: 'text', id: 'p', text: 'Hel' }] };
const state: ChatState = {
  conversationId: 'c',
  items: [{ kind: 'user', id: 'u', text: '\nHi there\nmore' }, answer],
  isRunning: true,
  provider: { kind: 'offline', label: 'Offline guide, not an AI', isAi: false },
  tools: [],
  suggestions: [],
};

describe('The copy of the chat in its page', () => {
  it('appends streamed text to its part and leaves every other item the same object', () => {
    const next = applyMessage(state, { name: 'chat/text', body: { conversationId: 'c', itemId: 'a', partId: 'p', text: 'lo' } });
    assert.deepEqual(next?.items[1], { ...answer, parts: [{ kind: 'text', id: 'p', text: 'Hello' }] });
    assert.equal(next.items[0], state.items[0]);
  });

  it('replaces an item by id and appends a new one', () => {
    const done: AssistantItem = { ...answer, state: 'done' };
    const replaced = applyMessage(state, { name: 'chat/item', body: { conversationId: 'c', item: done } });
    assert.deepEqual(replaced?.items, [state.items[0], done]);
    const appended = applyMessage(state, { name: 'chat/item', body: { conversationId: 'c', item: { kind: 'user', id: 'u2', text: 'x' } } });
    assert.deepEqual(
      appended?.items.map(({ id }) => id),
      ['u', 'a', 'u2'],
    );
  });

  it('ignores what belongs to another conversation or to a part it does not have', () => {
    const item = { conversationId: 'other', itemId: 'a', partId: 'p', text: 'x' };
    assert.equal(applyMessage(state, { name: 'chat/text', body: item }), state);
    assert.equal(applyMessage(state, { name: 'chat/text', body: { ...item, conversationId: 'c', partId: 'missing' } }), state);
    assert.equal(applyMessage(state, { name: 'chat/item', body: { conversationId: 'other', item: answer } }), state);
    assert.equal(applyMessage(undefined, { name: 'chat/text', body: item }), undefined);
  });

  it('keeps the items on a new status, unless the conversation is another one', () => {
    const { items, ...status } = { ...state, isRunning: false };
    assert.deepEqual(applyMessage(state, { name: 'chat/status', body: status }), { ...status, items });
    assert.deepEqual(applyMessage(state, { name: 'chat/status', body: { ...status, conversationId: 'd' } })?.items, []);
  });

  it('finds open questions, the last message and a title', () => {
    const question = {
      askId: 'q',
      detail: {
        kind: 'callTool',
        asker: { kind: 'guide' },
        server: 's',
        tool: 't',
        description: '',
        claims: [],
        arguments: '{}',
        risk: 'unknown',
      },
      why: 'new',
      differences: [],
      choices: ['allowOnce', 'deny'],
    } as const satisfies object;
    const call = {
      kind: 'toolCall',
      id: 't',
      server: 's',
      tool: 't',
      state: 'waiting',
      arguments: '{}',
      result: [],
      resultBytes: 0,
    } as const;
    const waiting = {
      ...answer,
      parts: [
        {
          ...call,
          result: [],
          question: { ...question, detail: { ...question.detail, claims: [] }, differences: [], choices: [...question.choices] },
        },
      ],
    };
    assert.deepEqual(
      openQuestions([waiting]).map(({ askId }) => askId),
      ['q'],
    );
    assert.equal(lastUserItem(state.items)?.text, '\nHi there\nmore');
    assert.equal(conversationTitle(state), 'Hi there');
    assert.equal(conversationTitle({ items: [] }), '');
    const heading = { title: 'Given', isAnsweredElsewhere: false, messagesLeftOut: 0 };
    assert.equal(conversationTitle({ heading, items: state.items }), 'Given');
  });
});

describe('The store of the chat page', () => {
  it('tells of a change once and asks for the focus with a draft from the host', () => {
    const store = new ChatStore('kept');
    const seen: string[] = [];
    const listening = [store.onChange(({ draft }) => seen.push(draft)), store.onFocusAsked(() => seen.push('focus'))];
    store.receive({ name: 'chat/state', body: state });
    store.setDraft('kept');
    store.receive({ name: 'chat/draft', body: { text: 'from the host' } });
    store.receive({ name: 'chat/focus', body: {} });
    assert.deepEqual(seen, ['kept', 'kept\nfrom the host', 'focus', 'focus']);
    listening.forEach((each) => each.dispose());
  });

  it('takes only a text as stored draft', () => {
    assert.deepEqual([{ draft: 'x' }, { draft: 1 }, undefined, 'x'].map(storedDraft), ['x', '', '', '']);
  });
});
