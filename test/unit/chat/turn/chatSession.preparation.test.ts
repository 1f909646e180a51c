import assert from 'node:assert/strict';
import { AnthropicProvider } from '../../../../src/chat/models/anthropic.ts';
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
