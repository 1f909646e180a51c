import assert from 'node:assert/strict';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { readSavedConversation } from '../../../../src/chat/conversation/conversationFile.ts';
import { deltaText, withDelta } from '../../../../src/chat/store/storedText.ts';

describe('What is written while an answer streams', () => {
  const begun = (): { readonly conversation: Conversation; readonly itemId: string } => {
    let count = 0;
    const conversation = new Conversation();
    const { assistantItemId: itemId } = conversation.begin('Look', () => `id${(count += 1)}`);
    conversation.addPart(itemId, { kind: 'text', id: 'first', text: 'long '.repeat(10_000) });
    conversation.updateTurn(itemId, (turn) => ({
      ...turn,
      messages: [{ role: 'user', content: [{ type: 'image', mimeType: 'image/png', data: 'A'.repeat(50_000) }] }],
    }));
    return { conversation, itemId };
  };

  for (const isWhole of [true, false]) {
    it(`gives the conversation as it is, with what waits (${isWhole ? 'the file has all' : 'the file was shortened'})`, async () => {
      const { conversation, itemId } = begun();
      const base = conversation.toJSON();
      const file: unknown = JSON.parse(JSON.stringify(base));
      conversation.addPart(itemId, { kind: 'text', id: 'second', text: 'and more' });
      conversation.updateTurn(itemId, (turn) => ({
        ...turn,
        messages: [...turn.messages, { role: 'assistant', content: [{ type: 'text', text: 'and more' }] }],
      }));
      conversation.queue = [{ id: 'q', text: 'Next' }];
      const delta = deltaText(base, conversation.toJSON(), 4, isWhole) ?? assert.fail();
      assert.equal(delta.length < 2_000, isWhole, 'what the file has is not written again');
      assert.deepEqual(
        readSavedConversation(await withDelta(file, delta, 4)),
        readSavedConversation(JSON.parse(JSON.stringify(conversation.toJSON()))),
      );
      conversation.dispose();
    });
  }
});
