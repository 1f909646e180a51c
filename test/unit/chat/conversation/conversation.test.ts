import assert from 'node:assert/strict';
import { DisposableStore } from '../../../../src/base/lifecycle.ts';
import { Conversation, type ConversationChange } from '../../../../src/chat/conversation/conversation.ts';
import { chatItem, type ChatItem } from '../../../../src/contract/chat/chatState.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { makeQuestion } from '../support.ts';

/** A view as the contract describes it: whole items replace, text is appended. */
class View {
  items: ChatItem[] = [];

  apply(change: ConversationChange): void {
    if (change.kind === 'item') {
      const index = this.items.findIndex((item) => item.id === change.item.id);
      this.items = index < 0 ? [...this.items, change.item] : this.items.with(index, change.item);
      return;
    }
    if (change.kind !== 'text') {
      throw new Error('Nothing here shows other items.');
    }
    this.items = this.items.map((item) =>
      item.id === change.itemId && item.kind === 'assistant'
        ? {
            ...item,
            parts: item.parts.map((part) =>
              part.id === change.partId && part.kind === 'text' ? { ...part, text: part.text + change.text } : part,
            ),
          }
        : item,
    );
  }
}

describe('Conversation', () => {
  let clock: FakeClock;
  let conversation: Conversation;
  let changes: ConversationChange[];
  let owned: DisposableStore;
  let id = 0;
  const createId = (): string => `id-${(id += 1)}`;

  beforeEach(() => {
    id = 0;
    changes = [];
    clock = new FakeClock();
    conversation = new Conversation({ id: 'c1', clock, coalesceMs: 30 });
    owned = new DisposableStore();
    watch((change) => changes.push(change));
  });
  afterEach(() => {
    conversation.dispose();
    owned.dispose();
  });
  const watch = (listener: (change: ConversationChange) => void): void => void owned.add(conversation.onDidChange(listener));

  const beginWithText = (): string => {
    const { assistantItemId } = conversation.begin('hi', createId);
    conversation.addPart(assistantItemId, { kind: 'text', id: 'p', text: 'a' });
    changes.length = 0;
    return assistantItemId;
  };

  it('sends the first piece of text at once and gathers the rest', () => {
    const itemId = beginWithText();
    for (const text of 'bcdef') {
      conversation.appendText(itemId, 'p', text);
    }
    clock.advance(29);
    assert.deepEqual(
      changes.map((change) => change.kind === 'text' && change.text),
      ['b'],
    );
    clock.advance(1);
    assert.deepEqual(
      changes.map((change) => change.kind === 'text' && change.text),
      ['b', 'cdef'],
    );
    clock.advance(100);
    assert.equal(clock.pending, 0);
  });

  it('keeps a view equal to its items through any mix of changes', () => {
    const view = new View();
    watch((change) => view.apply(change));
    const { assistantItemId } = conversation.begin('hi', createId);
    conversation.addPart(assistantItemId, { kind: 'text', id: 'p', text: 'a' });
    conversation.appendText(assistantItemId, 'p', 'b');
    conversation.appendText(assistantItemId, 'p', 'c');
    conversation.addPart(assistantItemId, {
      kind: 'toolCall',
      id: 't',
      server: 's',
      tool: 'x',
      state: 'running',
      arguments: '{}',
      result: [],
      resultBytes: 0,
    });
    conversation.appendText(assistantItemId, 'p', 'd');
    conversation.updateToolCall(assistantItemId, 't', (part) => ({ ...part, progress: { value: 1 } }), 'soon');
    conversation.appendText(assistantItemId, 'p', 'e');
    clock.advance(30);
    assert.deepEqual(view.items, conversation.items);
    conversation.appendText(assistantItemId, 'p', 'f');
    conversation.dispose();
    assert.deepEqual(view.items, conversation.items);
  });

  it('hands a late view a snapshot after which nothing comes twice', () => {
    const itemId = beginWithText();
    conversation.appendText(itemId, 'p', 'b');
    conversation.appendText(itemId, 'p', 'c');
    const view = new View();
    view.items = [...conversation.snapshot()];
    watch((change) => view.apply(change));
    clock.advance(30);
    conversation.appendText(itemId, 'p', 'd');
    clock.advance(60);
    assert.deepEqual(view.items, conversation.items);
  });

  it('sends many steps of progress as one change', () => {
    const itemId = beginWithText();
    conversation.addPart(itemId, {
      kind: 'toolCall',
      id: 't',
      server: 's',
      tool: 'x',
      state: 'running',
      arguments: '{}',
      result: [],
      resultBytes: 0,
    });
    changes.length = 0;
    for (let value = 0; value < 100; value += 1) {
      conversation.updateToolCall(itemId, 't', (part) => ({ ...part, progress: { value } }), 'soon');
    }
    clock.advance(30);
    assert.equal(changes.length, 2);
  });

  it('comes back from JSON as it was, with what was running interrupted and no question open', () => {
    const itemId = beginWithText();
    conversation.addPart(itemId, {
      kind: 'toolCall',
      id: 't',
      server: 's',
      tool: 'x',
      state: 'waiting',
      arguments: '{}',
      result: [],
      resultBytes: 0,
      question: makeQuestion('q'),
    });
    const restored = Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)));
    assert.equal(restored.id, 'c1');
    assert.deepEqual(restored.turns, conversation.turns);
    assert.deepEqual(restored.items, [
      { kind: 'user', id: 'id-1', text: 'hi' },
      {
        kind: 'assistant',
        id: 'id-2',
        state: 'interrupted',
        parts: [
          { kind: 'text', id: 'p', text: 'a' },
          { kind: 'toolCall', id: 't', server: 's', tool: 'x', state: 'cancelled', arguments: '{}', result: [], resultBytes: 0 },
        ],
      },
    ]);
    restored.items.forEach((item) => chatItem.parse(item));
    restored.dispose();
  });

  it('refuses damaged saved conversations with one clear code', () => {
    const good = JSON.parse(JSON.stringify(conversation)) as Record<string, unknown>;
    const damaged = [
      null,
      'text',
      {},
      { ...good, version: 2 },
      { ...good, items: [{ kind: 'user' }] },
      { ...good, id: '' },
      { ...good, turns: [{ messages: [{ role: 'system', content: [] }] }] },
    ];
    for (const value of damaged) {
      assert.throws(() => Conversation.fromJSON(value), { code: 'chat.savedConversationInvalid' });
    }
  });

  it('drops a saved turn whose items are gone', () => {
    conversation.begin('hi', createId);
    const saved = JSON.parse(JSON.stringify(conversation)) as { items: unknown[] };
    const restored = Conversation.fromJSON({ ...saved, items: saved.items.slice(0, 1) });
    assert.deepEqual([restored.items.length, restored.turns.length], [1, 0]);
    restored.dispose();
  });
});
