import assert from 'node:assert/strict';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { readSavedConversation } from '../../../../src/chat/conversation/conversationFile.ts';
import { fitted } from '../../../../src/chat/store/storeLimits.ts';

describe('What is kept of a conversation that is too large', () => {
  let count = 0;
  const id = (): string => `id${(count += 1)}`;
  const say = (conversation: Conversation, question: string, answer: string): string => {
    const { assistantItemId } = conversation.begin(question, id);
    conversation.addPart(assistantItemId, { kind: 'text', id: id(), text: answer });
    return assistantItemId;
  };
  const show = (conversation: Conversation, itemId: string, data: string): void => {
    conversation.addPart(itemId, {
      kind: 'toolCall',
      id: id(),
      server: 'demo',
      tool: 'look',
      state: 'done',
      arguments: '{}',
      result: [
        { kind: 'image', mimeType: 'image/png', data },
        { kind: 'text', text: 'a short word' },
      ],
      resultBytes: data.length,
    });
    conversation.updateTurn(itemId, (turn) => ({
      ...turn,
      messages: [
        ...turn.messages,
        {
          role: 'user',
          content: [
            {
              type: 'toolResult',
              toolUseId: 'u',
              isError: false,
              outcome: 'done',
              content: [
                { type: 'image', mimeType: 'image/png', data },
                { type: 'text', text: 'a short word' },
              ],
            },
          ],
        },
      ],
    }));
  };

  it('is every message: the images that tools returned go first, the oldest of them, and say that they went', () => {
    const conversation = new Conversation();
    const first = say(conversation, 'an old picture', 'here');
    show(conversation, first, 'A'.repeat(60_000));
    for (let index = 0; index < 20; index += 1) {
      say(conversation, `question ${index}`, 'an answer');
    }
    const last = say(conversation, 'a new picture', 'here');
    show(conversation, last, 'B'.repeat(30_000));
    const saved = conversation.toJSON();
    const kept = fitted(saved, 100_000);
    const text = JSON.stringify(kept);
    assert.deepEqual([kept.items.length, kept.turns.length, kept.messagesLeftOut], [saved.items.length, saved.turns.length, undefined]);
    assert.deepEqual([text.includes('AAAA'), text.includes('BBBB'), text.split('[left out]').length - 1], [false, true, 2]);
    assert.ok(text.includes('a short word'));
    assert.ok(text.length <= 100_000 + 1_000);
    assert.equal(readSavedConversation(JSON.parse(text)).items.length, saved.items.length);
    assert.equal(kept.items.at(-1), saved.items.at(-1), 'what fits stays the same object');
    const pressed = fitted(saved, 20_000);
    assert.deepEqual([pressed.items.length, JSON.stringify(pressed).includes('BBBB')], [saved.items.length, false]);
  });

  it('is the messages that are shown: other versions go before them, one by one', () => {
    const conversation = new Conversation();
    for (let index = 0; index < 4; index += 1) {
      say(conversation, `question ${index}`, `answer ${index}`);
    }
    for (const index of [1, 3]) {
      const turn = conversation.turns[index] ?? assert.fail();
      const again = conversation.beginInstead(turn, `${'long '.repeat(2_000)}${index}`, id);
      conversation.showVersion(again.userItemId, 0);
    }
    const saved = conversation.toJSON();
    assert.equal(saved.sides.length, 2);
    const kept = fitted(saved, JSON.stringify(saved).length - 1_000);
    assert.deepEqual([kept.items.length, kept.sides, kept.messagesLeftOut], [saved.items.length, saved.sides.slice(1), 1]);
  });

  it('is the newest messages when words alone are too much', () => {
    const conversation = new Conversation();
    for (let index = 0; index < 10; index += 1) {
      say(conversation, `question ${index}`, 'word '.repeat(400));
    }
    const kept = fitted(conversation.toJSON(), 12_000);
    const [first] = kept.items;
    assert.ok(kept.items.length > 2 && kept.items.length < 20);
    assert.deepEqual([first?.kind, kept.messagesLeftOut], ['user', 20 - kept.items.length]);
    assert.ok(JSON.stringify(kept).length <= 13_000);
  });
});
