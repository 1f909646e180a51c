import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { chatError } from '../../../../src/chat/conversation/chatSentences.ts';
import type { ModelEvent } from '../../../../src/chat/models/modelProvider.ts';
import { orGiveBack } from '../../../../src/views/chat/orGiveBack.ts';
import { echoCall, FakeProvider, FakeTools, makeChat, type TestChat } from '../../chat/support.ts';

const noTools = new FakeTools([], echoCall);

async function* endless(): AsyncGenerator<ModelEvent> {
  yield { kind: 'text', text: 'still' };
  await new Promise(() => undefined);
}

describe('What a person wrote', () => {
  let chat: TestChat;
  let back: string[];
  beforeEach(() => (back = []));
  afterEach(() => chat.dispose());

  const send = (text: string): Promise<void> =>
    orGiveBack(
      (onTaken) => chat.session.send(text, undefined, onTaken),
      () => back.push(text),
    );
  const edit = (itemId: string, text: string): Promise<void> =>
    orGiveBack(
      (onTaken) => chat.session.edit(itemId, text, onTaken),
      () => back.push(text),
    );

  it('comes back when too many messages wait already, and not when it is one of those', async () => {
    chat = makeChat(new FakeProvider([endless]), noTools);
    void send('first');
    await chat.until(() => chat.session.isRunning);
    for (let queued = 1; queued <= 20; queued += 1) {
      await send(`queued ${queued}`);
    }
    await assert.rejects(send('one too many'), { code: 'chat.queueFull' });
    assert.deepEqual(back, ['one too many']);
    assert.equal(chat.session.conversation.queue.length, 20);
  });

  it('comes back when the edited message is gone, and when another window answers', async () => {
    let claims = 0;
    const claim = (): Promise<{ release(): Promise<void> }> => {
      claims += 1;
      return claims === 3 ? Promise.reject(chatError('chat.answeredElsewhere')) : Promise.resolve({ release: () => Promise.resolve() });
    };
    chat = makeChat(new FakeProvider([]), noTools, { claim });
    await send('first');
    await assert.rejects(edit('no such message', 'edited words'), { code: 'chat.messageGone' });
    await assert.rejects(edit(chat.session.conversation.items[0]?.id ?? '', 'other words'), { code: 'chat.answeredElsewhere' });
    assert.deepEqual(back, ['edited words', 'other words']);
  });

  /** Each claim has to be allowed by the test. */
  const makeSlowChat = (): (() => Promise<void>) => {
    const waiting: (() => void)[] = [];
    const claim = (): Promise<{ release(): Promise<void> }> =>
      new Promise((resolve) => waiting.push(() => resolve({ release: () => Promise.resolve() })));
    chat = makeChat(new FakeProvider([]), noTools, { claim });
    return async () => {
      while (waiting.length === 0) {
        await nextTurn();
      }
      waiting.shift()?.();
    };
  };

  it('comes back when another conversation was opened before it was sure that it could be said', async () => {
    const allow = makeSlowChat();
    const first = send('first');
    await allow();
    await first;
    const sent = send('words');
    await nextTurn();
    await chat.session.newConversation();
    await allow();
    await assert.rejects(sent, { code: 'chat.leftConversation' });
    assert.deepEqual([back, chat.session.conversation.items], [['words'], []]);
  });

  it('is said in the new conversation when nothing stood in the one before', async () => {
    const allow = makeSlowChat();
    const sent = send('words');
    await nextTurn();
    const before = chat.session.conversation;
    await chat.session.newConversation();
    await allow();
    await allow();
    await sent;
    assert.deepEqual([back, before.items], [[], []]);
    assert.deepEqual(
      chat.session.conversation.items.map(({ kind }) => kind),
      ['user', 'assistant'],
    );
  });

  it('does not come back when it was said, whatever fails after that', async () => {
    const claim = (): Promise<{ release(): Promise<void> }> =>
      Promise.resolve({ release: () => Promise.reject(new Error('not given back')) });
    chat = makeChat(new FakeProvider([]), noTools, { claim });
    await assert.rejects(send('said'), /not given back/);
    await assert.rejects(edit(chat.session.conversation.items[0]?.id ?? '', 'said differently'), /not given back/);
    assert.deepEqual(back, []);
  });
});
