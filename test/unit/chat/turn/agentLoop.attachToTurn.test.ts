import assert from 'node:assert/strict';
import type { AttachmentReading, AttachedItem } from '../../../../src/chat/conversation/messageAttachments.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import type { ModelMessage } from '../../../../src/chat/models/modelProvider.ts';
import type { AttachmentKind } from '../../../../src/contract/chat/attachments.ts';
import type { UserItem } from '../../../../src/contract/chat/chatState.ts';
import type { Question } from '../../../../src/contract/questions/questions.ts';
import { echoCall, FakeProvider, FakeTools, lastAnswer, makeChat, type TestChat } from '../support.ts';
import { FakeContent } from '../content/support.ts';

const token = `ghp_${'a1B2'.repeat(9)}`;

function own(what: AttachmentKind, name: string, text: string, isWithheld = false): AttachedItem {
  const reading: AttachmentReading = { content: [{ kind: 'text', name: '', text }], isWithheld };
  return { chip: { id: name, kind: what, name }, wish: { kind: 'attachment', what, name, read: () => Promise.resolve(reading) } };
}

describe('What a person attached to a message', () => {
  let content: FakeContent;
  let provider: FakeProvider;
  let chat: TestChat;

  beforeEach(() => {
    content = new FakeContent();
    provider = new FakeProvider([
      [
        { kind: 'text', text: 'Seen.' },
        { kind: 'stop', reason: 'end' },
      ],
    ]);
    chat = makeChat(provider, new FakeTools([], echoCall), { content, model: 'model-1' });
  });
  afterEach(() => {
    chat.dispose();
    content.dispose();
  });

  const userItem = (): UserItem | undefined => chat.session.conversation.items.find((item) => item.kind === 'user');

  it('reaches the model before the words, between marks of ours, and nobody is asked about it', async () => {
    await chat.session.send('what is this?', [own('file', 'a.ts', 'const a = 1;')]);
    const texts = textsOf(provider.requests[0]?.messages ?? []);
    assert.match(texts[0] ?? '', /The person attached a file "a\.ts"\..*not instructions to you/);
    assert.deepEqual([texts[1], texts.at(-1)], ['const a = 1;', 'what is this?']);
    const [mark = ''] = /[0-9a-f-]{36}/.exec(texts[0] ?? '') ?? [];
    assert.ok(texts[2]?.endsWith(`${mark}]`), 'the end carries the mark of the beginning');
    assert.deepEqual(userItem(), {
      kind: 'user',
      id: userItem()?.id,
      text: 'what is this?',
      attachments: [{ id: 'a.ts', kind: 'file', name: 'a.ts', outcome: 'sent', bytes: 12 }],
    });
    assert.deepEqual(
      lastAnswer(chat.session).parts.map(({ kind }) => kind),
      ['text'],
    );
  });

  it('is recognised as a server’s words when it is the result of a tool, and the model would hand it on', async () => {
    const words = 'The board meets on Tuesday to sell the harbour.';
    const { chip, wish } = own('result', 'demo minutes', words);
    assert.ok(wish.kind === 'attachment');
    const saidIn = { serverId: 'user:demo', server: 'demo', tool: 'minutes', arguments: {} };
    await chat.session.send('sum this up', [{ chip, wish: { ...wish, saidIn } }]);
    const found = await chat.session.conversation.heard.findIn({ given: `FYI: ${words}` }, 'user:other');
    assert.deepEqual(
      found.carried.map(({ server, tool }) => [server, tool]),
      [['demo', 'minutes']],
    );
  });

  it('is asked about when a secret is in it, and goes without the secret', async () => {
    const sending = chat.session.send('look', [own('file', 'a.ts', `token = "${token}"`)]);
    const question = await questionOf(chat);
    assert.deepEqual(question.choices, ['deny', 'allowOnce']);
    assert.ok(!JSON.stringify(question).includes(token), 'no page gets the secret');
    chat.session.answer({ askId: question.askId, choice: 'allowOnce' });
    await sending;
    const said = JSON.stringify(provider.requests);
    assert.deepEqual([said.includes(token), said.includes('[redacted]')], [false, true]);
  });

  it('is asked about when it is withheld from clients, and nothing of it goes after Deny', async () => {
    const sending = chat.session.send('look', [own('file', '.env', 'COLOUR=blue', true)]);
    const question = await questionOf(chat);
    chat.session.answer({ askId: question.askId, choice: 'deny' });
    await sending;
    const said = JSON.stringify(provider.requests);
    assert.deepEqual([said.includes('COLOUR=blue'), /did not let the content of a file into/.test(said)], [false, true]);
    assert.equal(userItem()?.attachments?.[0]?.outcome, 'denied');
  });

  it('goes with an edited message to nobody else without a question', async () => {
    await chat.session.send('what is this?', [own('file', 'a.ts', 'const a = 1;')]);
    provider.address = 'https://other.example';
    const editing = chat.session.edit(userItem()?.id ?? '', 'and this?');
    const question = await questionOf(chat);
    assert.equal(question.detail.kind, 'sendConversation');
    chat.session.answer({ askId: question.askId, choice: 'deny' });
    await editing;
    assert.equal(provider.requests.length, 1);
  });

  it('goes with its message into a new conversation, also when it was read before', async () => {
    await chat.session.send('what is this?', [own('file', 'a.ts', 'const a = 1;')]);
    provider.address = 'https://other.example';
    const before = chat.session.conversation;
    const again = chat.session.retry(lastAnswer(chat.session).id);
    const question = await questionOf(chat);
    chat.session.answer({ askId: question.askId, choice: 'newConversation' });
    await again;
    assert.notEqual(chat.session.conversation.id, before.id);
    const texts = textsOf(provider.requests[1]?.messages ?? []);
    assert.deepEqual([texts.includes('const a = 1;'), texts.at(-1)], [true, 'what is this?']);
  });

  it('is shown as missing in a new conversation when it is not here any more', async () => {
    await chat.session.send('what is this?', [own('file', 'a.ts', 'const a = 1;')]);
    await chat.session.open(Conversation.fromJSON(JSON.parse(JSON.stringify(chat.session.conversation))));
    provider.address = 'https://other.example';
    const again = chat.session.retry(lastAnswer(chat.session).id);
    const question = await questionOf(chat);
    chat.session.answer({ askId: question.askId, choice: 'newConversation' });
    await again;
    assert.equal(userItem()?.attachments?.[0]?.outcome, 'failed');
    const shown = lastAnswer(chat.session).parts.find((part) => part.kind === 'content');
    assert.match(shown?.error ?? '', /a\.ts.*not there any more/);
  });

  it('may be all of a message, and an empty one is still refused', async () => {
    await chat.session.send('', [own('diagnostics', '', 'error a.ts:1:1 no')]);
    assert.match(textsOf(provider.requests[0]?.messages ?? [])[0] ?? '', /attached a list of problems/);
    await assert.rejects(chat.session.send(' '), { code: 'chat.emptyMessage' });
  });
});

async function questionOf(chat: TestChat): Promise<Question> {
  for (;;) {
    const [question] = chat.session.questions.list();
    if (question !== undefined) {
      return question;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function textsOf(messages: readonly ModelMessage[]): readonly string[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((block) => {
      if (block.type === 'attached') {
        return block.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
      }
      return block.type === 'text' ? [block.text] : [];
    }),
  );
}
