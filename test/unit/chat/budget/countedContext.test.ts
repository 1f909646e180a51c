import assert from 'node:assert/strict';
import { ChatBudget } from '../../../../src/chat/budget/chatBudget.ts';
import type { ModelRequest } from '../../../../src/chat/models/modelProvider.ts';
import type { ChatSessionOptions } from '../../../../src/chat/turn/sessionOptions.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { echoCall, FakeProvider, FakeTools, makeChat, makeTool, type TestChat } from '../support.ts';
import { ResultsInMemory } from './resultsInMemory.ts';

describe('The count of a conversation by its provider', () => {
  let clock: FakeClock;
  let tools: FakeTools;
  let provider: FakeProvider;
  let counted: ModelRequest[];
  let opened: { dispose(): void }[];
  const connected = [makeTool('one', 'a')];

  beforeEach(() => {
    clock = new FakeClock();
    tools = new FakeTools(connected, echoCall);
    counted = [];
    opened = [];
    const countTokens = (request: ModelRequest): Promise<number> => {
      counted.push(request);
      return Promise.resolve(1_234);
    };
    provider = Object.assign(new FakeProvider([]), { countTokens });
  });
  afterEach(() => opened.reverse().forEach((each) => each.dispose()));

  /** As in a window that has just begun. */
  const open = (options: Partial<ChatSessionOptions> = {}): TestChat => {
    const choice = { read: () => undefined, write: () => Promise.resolve() };
    const budget = new ChatBudget({ tools, results: new ResultsInMemory(), choice, clock });
    const chat = makeChat(provider, tools, { budget, createId: () => crypto.randomUUID(), ...options });
    opened.push(budget, chat);
    return chat;
  };
  const wait = async (chat: TestChat, ms: number): Promise<void> => {
    chat.session.refreshStatus();
    clock.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };

  it('is not asked for a conversation that is there again, before the person sends', async () => {
    const before = open({ isSeen: () => false });
    await before.session.send('hello');
    const { conversation } = before.session;
    const restored = open({ conversation });
    for (let look = 0; look < 20; look += 1) {
      tools.tools = look % 2 === 0 ? [makeTool('one', 'b')] : connected;
      await wait(restored, 60_000);
    }
    assert.deepEqual([counted.length, provider.requests.length], [0, 1]);
    await restored.session.send('again');
    await wait(restored, 2_000);
    assert.equal(counted.length, 1);
  });

  it('holds what the last request held and its answer, whatever servers connected since', async () => {
    const chat = open();
    await chat.session.send('hello');
    chat.session.refreshStatus();
    tools.tools = [...connected, makeTool('late', 'unasked')];
    clock.advance(2_000);
    await wait(chat, 2_000);
    const [sent] = provider.requests;
    const [request] = counted;
    assert.deepEqual([request?.system, request?.tools, request?.destination], [sent?.system, sent?.tools, provider.address]);
    assert.deepEqual(request?.messages, [
      ...(sent?.messages ?? []),
      { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
      { role: 'user', content: [{ type: 'text', text: '?' }] },
    ]);
    assert.equal(chat.session.state().context?.isCounted, false, 'it is none of what would be sent now');
    tools.tools = connected;
    assert.deepEqual([chat.session.state().context?.isCounted, chat.session.state().context?.used], [true, 1_234]);
  });

  it('is asked for once, however often servers change their tools', async () => {
    const chat = open();
    await chat.session.send('hello');
    await wait(chat, 2_000);
    for (let change = 0; change < 300; change += 1) {
      tools.tools = change % 2 === 0 ? [makeTool('one', `b${change}`)] : connected;
      await wait(chat, 2_000);
    }
    assert.deepEqual([counted.length, provider.requests.length], [1, 1]);
  });

  it('is asked for every ten seconds at most, and a hundred times in all', async () => {
    const chat = open();
    await chat.session.send('hello');
    await wait(chat, 2_000);
    await chat.session.send('more');
    await wait(chat, 5_000);
    assert.equal(counted.length, 1);
    await wait(chat, 5_000);
    assert.equal(counted.length, 2);
    for (let turn = 0; turn < 110; turn += 1) {
      await chat.session.send('more');
      await wait(chat, 20_000);
    }
    assert.equal(counted.length, 100);
  });

  it('is not asked for while nobody looks, nor after what the provider has not heard', async () => {
    let isSeen = false;
    const chat = open({ isSeen: () => isSeen });
    await chat.session.send('hello');
    await wait(chat, 60_000);
    assert.equal(counted.length, 0);
    isSeen = true;
    chat.session.refreshStatus();
    isSeen = false;
    clock.advance(60_000);
    assert.equal(counted.length, 0, 'it was hidden meanwhile');
    isSeen = true;
    chat.session.refreshStatus();
    provider.address = 'https://another.example';
    clock.advance(60_000);
    assert.equal(counted.length, 0, 'another one would answer meanwhile');
  });
});
