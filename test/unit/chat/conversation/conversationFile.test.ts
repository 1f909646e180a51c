import assert from 'node:assert/strict';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { heardAgain } from '../../../../src/chat/conversation/conversationFile.ts';
import type { ChatItem, ChatPart, ContentPart, ToolCallPart } from '../../../../src/contract/chat/chatState.ts';

const secretPlan = 'The quiet harbour opens its eastern gate at four in the morning.';
const call: ToolCallPart = {
  kind: 'toolCall',
  id: 'call-1',
  server: 'notes',
  serverId: 'user/notes',
  tool: 'read',
  state: 'done',
  arguments: '{"name": "plan"}',
  result: [{ kind: 'text', text: secretPlan }],
  resultBytes: 70,
};
const content: ContentPart = {
  kind: 'content',
  id: 'content-1',
  server: 'notes',
  source: { kind: 'resource', uri: 'notes://diary', name: 'diary' },
  state: 'sent',
  items: [{ kind: 'text', name: 'diary', pieces: ['Dear diary, ', 1, ' is my key.'] }],
  bytes: 20,
  removedSecrets: 1,
  keptSecrets: [],
};
const answered = (...parts: readonly ChatPart[]): ChatItem[] => [
  { kind: 'user', id: 'u', text: 'Read it.' },
  { kind: 'assistant', id: 'a', state: 'done', parts: [...parts] },
];

describe('What servers said in a stored conversation', () => {
  it('is recognised in the arguments of a call to another server once the conversation is opened again', async () => {
    const saved: unknown = JSON.parse(JSON.stringify({ version: 1, id: 'c', items: answered(call), turns: [] }));
    const opened = Conversation.fromJSON(saved);
    const { carried, compared } = await opened.heard.findIn({ text: `Tell them: ${secretPlan}` }, 'user/mail');
    assert.deepEqual([compared, carried.map(({ server, tool, path }) => [server, tool, path])], [1, [['notes', 'read', 'text']]]);
    const own = await opened.heard.findIn({ text: secretPlan }, 'user/notes');
    assert.equal(own.carried.length, 0, 'its own words may go back to a server');
    opened.dispose();
  });

  it('is recognised also where it stands in another version of a message than the one that was shown', async () => {
    let count = 0;
    const id = (): string => `id${(count += 1)}`;
    const conversation = new Conversation();
    conversation.addPart(conversation.begin('Read it.', id).assistantItemId, call);
    conversation.beginInstead(conversation.lastTurn ?? assert.fail(), 'Do not read it.', id);
    const opened = Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)));
    const { carried } = await opened.heard.findIn({ text: secretPlan }, 'user/mail');
    assert.equal(carried.length, 1);
    opened.dispose();
    conversation.dispose();
  });

  it('is what calls returned and what was sent of resources and prompts, in its order, with what each was given', () => {
    const structured: ToolCallPart = {
      ...call,
      id: 'call-2',
      tool: 'list',
      arguments: 'no JSON',
      result: [
        { kind: 'structured', json: '{"count":2}' },
        { kind: 'link', uri: 'https://example.com/a', name: 'a' },
        { kind: 'image', mimeType: 'image/png', data: 'AAAA' },
      ],
    };
    assert.deepEqual(heardAgain(answered(call, content, structured)), [
      { serverId: 'user/notes', server: 'notes', tool: 'read', arguments: { name: 'plan' }, result: [secretPlan] },
      { serverId: '', server: 'notes', tool: 'diary', arguments: { uri: 'notes://diary' }, result: ['Dear diary,   is my key.'] },
      {
        serverId: 'user/notes',
        server: 'notes',
        tool: 'list',
        arguments: {},
        result: ['{"count":2}', { uri: 'https://example.com/a', name: 'a' }],
      },
    ]);
  });

  it('is nothing where nothing came back, or the person did not let it in', () => {
    assert.deepEqual(heardAgain(answered({ ...call, state: 'denied', result: [] }, { ...content, state: 'denied' })), []);
  });
});
