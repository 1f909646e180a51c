import assert from 'node:assert/strict';
import { AnthropicProvider } from '../../../../src/chat/models/anthropic.ts';
import { OfflineGuide } from '../../../../src/chat/models/offlineGuide.ts';
import { AnthropicServer } from '../../../fixtures/anthropic/anthropicServer.ts';
import { say } from '../../../fixtures/anthropic/turns.ts';
import { EagerClock, echoCall, FakeTools, lastAnswer, makeChat, makeQuestion, type TestChat } from '../support.ts';

describe('Before an answer, the chat', function () {
  this.timeout(20_000); // the first request loads the SDK
  let server: AnthropicServer;
  let tools: FakeTools;
  let chat: TestChat;

  beforeEach(async () => {
    server = await AnthropicServer.start();
    tools = new FakeTools([], echoCall);
    const provider = new AnthropicProvider({
      apiKey: () => Promise.resolve(server.apiKey),
      baseUrl: () => server.url,
      clock: new EagerClock(),
    });
    chat = makeChat(provider, tools);
  });
  afterEach(async () => {
    chat.dispose();
    await server.close();
  });

  /** Resolves when the question is open. */
  function askBeforeTheAnswer(): Promise<void> {
    return new Promise((asked) => {
      tools.prepare = async ({ ask, signal }) => {
        const answer = ask(makeQuestion('start'), signal);
        asked();
        await answer;
      };
    });
  }

  it('offers what waits for permission as a card of the answer, and goes on when the person has answered', async () => {
    server.script([say('Ready.')]);
    const asked = askBeforeTheAnswer();
    const sent = chat.session.send('hi');
    await asked;
    const startCards = (): unknown[] =>
      lastAnswer(chat.session)
        .parts.filter((part) => part.kind === 'question')
        .map((part) => part.question.askId);
    assert.deepEqual(startCards(), ['start']);
    assert.equal(chat.session.answer({ askId: 'start', choice: 'allowOnce' }), true);
    await sent;
    assert.deepEqual([startCards(), lastAnswer(chat.session).state], [[], 'done']);
  });

  it('needs only the servers that the message names, when an AI answers', async () => {
    server.script([say('Ready.')]);
    const offers: unknown[] = [];
    tools.prepare = ({ message, needsAny }) => Promise.resolve(void offers.push([message, needsAny]));
    await chat.session.send('What does @notes say?');
    assert.deepEqual(offers, [['What does @notes say?', false]]);
  });

  it('withdraws such a card when the answer is stopped', async () => {
    const asked = askBeforeTheAnswer();
    const sent = chat.session.send('hi');
    await asked;
    await chat.session.stop();
    await sent;
    assert.deepEqual(
      [lastAnswer(chat.session).parts, lastAnswer(chat.session).state, chat.session.questions.list().length],
      [[], 'stopped', 0],
    );
    assert.deepEqual(server.messageBodies, []);
  });
});

describe('Before the offline guide answers, the chat', () => {
  for (const [message, isOffered] of [
    ['run ask_name', false],
    ['run ask_name of forms with {"name": "Ada"}', false],
    ['hello', false],
    ['list tools', false],
    ['run roll_dice', true],
  ] as const) {
    it(`${isOffered ? 'needs any' : 'needs none'} of the servers that wait for permission on “${message}”, when one that runs has ask_name`, async () => {
      const tool = {
        name: 'forms_ask_name',
        serverId: 'forms',
        server: 'forms',
        tool: 'ask_name',
        description: '',
        inputSchema: { type: 'object' },
      };
      const tools = new FakeTools([tool], echoCall);
      const offers: unknown[] = [];
      tools.prepare = ({ message: about, needsAny }) => Promise.resolve(void offers.push([about, needsAny]));
      const chat = makeChat(new OfflineGuide({ chunkMs: 0 }), tools);
      await chat.session.send(message);
      assert.deepEqual(offers, [[message, isOffered]]);
      chat.dispose();
    });
  }
});
