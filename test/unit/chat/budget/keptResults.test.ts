import assert from 'node:assert/strict';
import { headAndTail, maxModelBytes, resultShare, wholeCharacters } from '../../../../src/chat/budget/keptResults.ts';
import { ChatBudget } from '../../../../src/chat/budget/chatBudget.ts';
import type { ModelEvent } from '../../../../src/chat/models/modelProvider.ts';
import { cards, FakeProvider, FakeTools, makeChat, makeTool, textResult } from '../support.ts';
import { ResultsInMemory } from './resultsInMemory.ts';

describe('A result that is too long for one request', () => {
  const use = (name: string, input: Record<string, string | number>): readonly ModelEvent[] => [
    { kind: 'toolUse', id: `use-${name}`, name, input },
    { kind: 'stop', reason: 'toolUse' },
  ];

  it('reaches the model as head and tail, is read on by a tool of the chat, and is whole for the person', async () => {
    const text = `BEGIN ${'€'.repeat(60_000)} MIDDLE ${'x'.repeat(60_000)} END`;
    const tools = new FakeTools([makeTool('big', 'dump')], () => Promise.resolve(textResult(text)));
    const from = Buffer.byteLength(text.slice(0, text.indexOf('MIDDLE')));
    const provider = new FakeProvider([use('big_dump', {}), use('read_result', { result: 'kept-1', from, bytes: 30 })]);
    const results = new ResultsInMemory();
    const budget = new ChatBudget({ tools, results, choice: { read: () => undefined, write: () => Promise.resolve() } });
    const chat = makeChat(provider, tools, { budget });
    await chat.session.send('dump');
    const blocks = provider.requests.map(({ messages }) => JSON.stringify(messages.at(-1)?.content));
    assert.match(blocks[1] ?? '', /BEGIN €.*The whole result is kept as .{1,3}kept-1.*x END/);
    assert.doesNotMatch(blocks[1] ?? '', /MIDDLE/);
    assert.ok(Buffer.byteLength(blocks[1] ?? '') < maxModelBytes + 1_000);
    assert.match(blocks[2] ?? '', /MIDDLE x/, 'the model read on');
    assert.deepEqual(
      provider.requests.map((request) => request.tools.map(({ name }) => name)),
      [['big_dump'], ['read_result', 'big_dump'], ['read_result', 'big_dump']],
    );
    const kept = { id: 'kept-1', bytes: Buffer.byteLength(text) };
    assert.deepEqual(
      cards(chat.session).map((card) => card.kept),
      [kept, undefined],
    );
    assert.equal(await chat.session.room.wholeResult('kept-1'), text);
    await assert.rejects(chat.session.room.wholeResult('kept-2'), { code: 'chat.resultGone' });
    chat.dispose();
    budget.dispose();
  });

  it('is not read from another conversation', async () => {
    const tools = new FakeTools([makeTool('big', 'dump')], () => Promise.resolve(textResult('x'.repeat(200_000))));
    const provider = new FakeProvider([use('big_dump', {}), [{ kind: 'stop', reason: 'end' }], use('read_result', { result: 'kept-1' })]);
    const budget = new ChatBudget({
      tools,
      results: new ResultsInMemory(),
      choice: { read: () => undefined, write: () => Promise.resolve() },
    });
    const chat = makeChat(provider, tools, { budget });
    await chat.session.send('dump');
    await chat.session.newConversation();
    await chat.session.send('read');
    assert.match(JSON.stringify(provider.requests.at(-1)?.messages.at(-1)), /There is no tool named read_result/);
    chat.dispose();
    budget.dispose();
  });

  it('is cut between characters, and its share follows the room of the model', () => {
    const cut = headAndTail('€'.repeat(100), 40, 'id');
    assert.match(cut, /^€{10}\n\[Cut by the chat: the first 30 and the last 9 of 300 bytes are here\..*\]\n€{3}$/);
    assert.deepEqual(wholeCharacters(Buffer.from('€€€').subarray(1, 8)), { text: '€', from: 2, to: 5 });
    assert.deepEqual(wholeCharacters(Buffer.from('abc')), { text: 'abc', from: 0, to: 3 });
    assert.deepEqual([undefined, 1_000_000, 100_000, 1_000].map(resultShare), [maxModelBytes, maxModelBytes, 50_000, 4_000]);
  });
});
