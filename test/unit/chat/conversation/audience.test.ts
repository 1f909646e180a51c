import assert from 'node:assert/strict';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import type { Turn } from '../../../../src/chat/conversation/history.ts';
import { AnthropicProvider } from '../../../../src/chat/models/anthropic.ts';
import { OfflineGuide } from '../../../../src/chat/models/offlineGuide.ts';
import { unheardBy } from '../../../../src/chat/conversation/audience.ts';
import type { ModelEvent, ModelProvider } from '../../../../src/chat/models/modelProvider.ts';
import type { Choice, Question } from '../../../../src/contract/questions/questions.ts';
import { AnthropicServer } from '../../../fixtures/anthropic/anthropicServer.ts';
import { useTools } from '../../../fixtures/anthropic/turns.ts';
import { EagerClock, echoCall, FakeProvider, FakeTools, lastAnswer, makeChat, makeTool, textOf, type TestChat } from '../support.ts';

const noTools = new FakeTools([], echoCall);

interface ChangingChat extends TestChat {
  /** Who answers the next message. */
  provider: ModelProvider;
  /** How the person answers every question; not at all while undefined. */
  choice: Choice | undefined;
  readonly asked: Question[];
}

function chatWith(provider: ModelProvider, tools: FakeTools = noTools): ChangingChat {
  const asked: Question[] = [];
  const test = makeChat(provider, tools, {
    settings: () => ({ provider: chat.provider, model: 'm', maxTokens: 100, maxRounds: 3 }),
  });
  const { questions } = test.session;
  const watching = questions.onDidChange(() => {
    for (const question of questions.list().filter(({ askId }) => !asked.some((known) => known.askId === askId))) {
      asked.push(question);
      if (chat.choice !== undefined) {
        test.session.answer({ askId: question.askId, choice: chat.choice });
      }
    }
  });
  const dispose = (): void => {
    watching.dispose();
    test.dispose();
  };
  const chat: ChangingChat = { ...test, provider, choice: undefined, asked, dispose };
  return chat;
}

const guide = (): OfflineGuide => new OfflineGuide({ clock: new EagerClock() });
const model = (address: string): FakeProvider => Object.assign(new FakeProvider([]), { address });
const sentTexts = (provider: FakeProvider): readonly (readonly string[])[] =>
  provider.requests.map(({ messages }) =>
    messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'text' ? [block.text] : []))),
  );

describe('A conversation that another model would answer', () => {
  let chat: ReturnType<typeof chatWith>;
  afterEach(() => chat.dispose());

  it('keeps a refused turn, which the question did not count, as not told', () => {
    const conversation = new Conversation();
    let id = 0;
    const begin = (text: string): Turn => conversation.begin(text, () => `id-${(id += 1)}`);
    const refused = begin('refused');
    begin('fine');
    conversation.updateTurn(refused.assistantItemId, (turn) => ({ ...turn, isWithheld: true }));
    conversation.tell('https://api.example');
    assert.deepEqual(
      conversation.turns.map(({ audience }) => audience),
      [[], ['https://api.example']],
    );
    conversation.dispose();
    chat = chatWith(guide());
  });

  it('is not sent to it: in a new conversation, the default, it gets the new message alone', async () => {
    chat = chatWith(guide());
    await chat.session.send('my private plan');
    const before = chat.session.conversation.id;
    const claude = model('https://api.example');
    chat.provider = claude;
    chat.choice = 'newConversation';
    await chat.session.send('hello');
    assert.deepEqual(
      chat.asked.map(({ detail, choices }) => [
        detail.kind === 'sendConversation' && [detail.destination, detail.messages, detail.images],
        choices,
      ]),
      [
        [
          ['https://api.example', 2, 0],
          ['newConversation', 'deny', 'allowOnce'],
        ],
      ],
    );
    assert.deepEqual(sentTexts(claude), [['hello']]);
    assert.notEqual(chat.session.conversation.id, before);
    assert.deepEqual(
      chat.session.conversation.items.map((item) => (item.kind === 'user' ? item.text : textOf(item))),
      ['hello', 'done'],
    );
  });

  it('is sent to nobody after a no, and the message is kept to be tried again', async () => {
    chat = chatWith(guide());
    await chat.session.send('my private plan');
    const claude = model('https://api.example');
    chat.provider = claude;
    chat.choice = 'deny';
    await chat.session.send('hello');
    assert.deepEqual([claude.requests, lastAnswer(chat.session).error?.action], [[], 'retry']);
    assert.ok(chat.session.conversation.items.some((item) => item.kind === 'user' && item.text === 'hello'));
    chat.choice = 'newConversation';
    await chat.session.retry();
    assert.deepEqual(sentTexts(claude), [['hello']]);
  });

  it('is sent after a yes, and then that model is not asked about again', async () => {
    chat = chatWith(guide());
    await chat.session.send('my private plan');
    const claude = model('https://api.example');
    chat.provider = claude;
    chat.choice = 'allowOnce';
    await chat.session.send('hello');
    await chat.session.send('and more');
    assert.equal(chat.asked.length, 1);
    assert.deepEqual(
      sentTexts(claude).map((texts) => [texts.includes('my private plan'), texts.at(-1)]),
      [
        [true, 'hello'],
        [true, 'and more'],
      ],
    );
  });

  it('is asked about for another address of the same provider, for a message tried again there, and not for the way back', async () => {
    const here = model('https://api.example');
    chat = chatWith(here);
    await chat.session.send('one');
    const there = model('https://proxy.example');
    chat.provider = there;
    chat.choice = 'deny';
    await chat.session.retry();
    assert.deepEqual(
      chat.asked.map(({ detail }) => detail.kind === 'sendConversation' && [detail.destination, detail.messages]),
      [['https://proxy.example', 1]],
    );
    assert.deepEqual(there.requests, []);
    chat.provider = here;
    await chat.session.retry();
    chat.provider = guide();
    await chat.session.send('two');
    assert.equal(chat.asked.length, 1, 'the first has heard it, and the guide sends nothing anywhere');
    chat.provider = here;
    await chat.session.send('three');
    assert.equal(chat.asked.length, 2, 'what was said to the guide meanwhile is news to the first');
  });

  it('is asked about again after a message tried again elsewhere: what its tools returned there is new', async () => {
    const failing = (): AsyncIterable<never> => {
      throw new Error('no answer today');
    };
    const claude = Object.assign(new FakeProvider([failing]), { address: 'https://api.example' });
    chat = chatWith(claude, new FakeTools([makeTool('everything', 'echo')], echoCall));
    await chat.session.send('look');
    const local = new FakeProvider([
      [
        { kind: 'toolUse', id: 't', name: 'everything_echo', input: { id: 1 } },
        { kind: 'stop', reason: 'toolUse' },
      ],
    ]);
    chat.provider = Object.assign(local, { destination: () => undefined });
    await chat.session.retry();
    assert.deepEqual([lastAnswer(chat.session).state, local.requests.length], ['done', 2]);
    chat.provider = claude;
    chat.choice = 'deny';
    await chat.session.send('and now?');
    assert.deepEqual([chat.asked.map(({ detail }) => detail.kind), claude.requests.length], [['sendConversation'], 1]);
  });

  it('has told its tools who gets what they return: the one that answers, whoever is chosen meanwhile', async () => {
    const use = (id: string): readonly ModelEvent[] => [
      { kind: 'toolUse', id, name: 'everything_echo', input: {} },
      { kind: 'stop', reason: 'toolUse' },
    ];
    const tools = new FakeTools([makeTool('everything', 'echo')], (call) => {
      chat.provider = model('https://other.example');
      return echoCall(call);
    });
    const claude = Object.assign(new FakeProvider([use('1'), use('2')]), { address: 'https://api.example' });
    chat = chatWith(claude, tools);
    await chat.session.send('look');
    chat.provider = Object.assign(new FakeProvider([use('3')]), { destination: () => undefined });
    await chat.session.send('again');
    const there = { kind: 'model', name: 'm', address: 'https://api.example' };
    assert.deepEqual(
      tools.calls.map(({ destination }) => destination),
      [there, there, { kind: 'guide' }],
    );
  });

  it('has its question withdrawn by Stop, and sends nothing', async () => {
    chat = chatWith(guide());
    await chat.session.send('my private plan');
    const claude = model('https://api.example');
    chat.provider = claude;
    const sent = chat.session.send('hello');
    await chat.until(() => chat.session.questions.list().length === 1);
    await chat.session.stop();
    await sent;
    assert.deepEqual([chat.session.questions.list(), claude.requests, lastAnswer(chat.session).state], [[], [], 'stopped']);
  });
});

describe('What another model would get', () => {
  const turn = (more: Partial<Turn>): Turn => ({
    userItemId: 'u',
    assistantItemId: 'a',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'häh' }] }],
    safe: { messages: 1, parts: 0 },
    isWithheld: false,
    audience: [],
    ...more,
  });

  it('is counted in messages, images and bytes, without what is withheld or known there', () => {
    const withImage: Turn['messages'] = [
      { role: 'user', content: [{ type: 'text', text: 'look' }] },
      { role: 'assistant', content: [{ type: 'toolUse', id: 't', name: 'x', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'toolResult',
            toolUseId: 't',
            isError: false,
            outcome: 'done',
            content: [
              { type: 'image', mimeType: 'image/png', data: Buffer.alloc(300).toString('base64') },
              { type: 'text', text: '12345' },
            ],
          },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'nice' }] },
    ];
    const turns = [turn({ messages: withImage }), turn({ isWithheld: true }), turn({ audience: ['there'] })];
    assert.deepEqual(unheardBy(turns, 'there'), { messages: 4, images: 1, bytes: 4 + 2 + 300 + 5 + 4 });
    assert.equal(unheardBy([turn({ audience: ['there'] })], 'there'), undefined);
  });

  it('is known after the conversation was stored, and to nobody in a file from before', async () => {
    const claude = model('https://api.example');
    const { session, dispose } = makeChat(claude, noTools);
    await session.send('hi');
    const stored = JSON.parse(JSON.stringify(session.conversation)) as { turns: { audience?: unknown }[] };
    const again = Conversation.fromJSON(stored);
    assert.equal(unheardBy(again.turns, 'https://api.example'), undefined);
    stored.turns.forEach((each) => delete each.audience);
    const old = Conversation.fromJSON(stored);
    assert.equal(unheardBy(old.turns, 'https://api.example')?.messages, 2);
    [again, old].forEach((each) => each.dispose());
    dispose();
  });
});

describe('An answer whose model gets another address while it is written', function () {
  this.timeout(20_000); // the first request loads the SDK

  it('ends before the next request, which goes to neither address', async () => {
    const [here, there] = [await AnthropicServer.start(), await AnthropicServer.start()];
    let address = here.url;
    const tools = new FakeTools([makeTool('everything', 'echo')], (call) => {
      address = there.url;
      return echoCall(call);
    });
    const provider = new AnthropicProvider({ apiKey: () => Promise.resolve(here.apiKey), baseUrl: () => address, clock: new EagerClock() });
    const { session, dispose } = makeChat(provider, tools);
    here.script([useTools(['everything_echo', { id: 1 }])]);
    await session.send('go');
    assert.equal(
      lastAnswer(session).error?.message,
      'The address of the model changed while the answer was written, so nothing more was sent.',
    );
    assert.deepEqual([here.messageBodies.length, there.requests.length], [1, 0]);
    dispose();
    await Promise.all([here.close(), there.close()]);
  });
});
