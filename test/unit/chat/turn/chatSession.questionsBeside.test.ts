import assert from 'node:assert/strict';
import type { ModelEvent } from '../../../../src/chat/models/modelProvider.ts';
import { cards, echoCall, FakeProvider, FakeTools, lastAnswer, makeChat, makeQuestion, makeTool, type TestChat } from '../support.ts';

const callsEcho: readonly ModelEvent[] = [
  { kind: 'toolUse', id: 'use-1', name: 'everything_echo', input: {} },
  { kind: 'stop', reason: 'toolUse' },
];
const answers: readonly ModelEvent[] = [
  { kind: 'text', text: 'done' },
  { kind: 'stop', reason: 'end' },
];

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

describe('When a server asks beside its call, the chat', () => {
  let tools: FakeTools;
  let chat: TestChat;
  beforeEach(() => {
    tools = new FakeTools([makeTool('everything', 'echo')], echoCall);
    chat = makeChat(new FakeProvider([callsEcho, answers, callsEcho]), tools);
  });
  afterEach(() => chat.dispose());

  /** The call is over at once; what it asked stays. */
  let asked: Promise<string>;
  const say = async (): Promise<void> => {
    tools.behave = async (call) => {
      asked = call.ask(makeQuestion('beside'), new AbortController().signal).then(
        ({ choice }) => choice,
        (error: unknown) => nameOf(error),
      );
      await chat.until(() => chat.session.questions.list().length === 1);
      return echoCall(call);
    };
    await chat.session.send('echo');
  };
  const shown = (): readonly string[] =>
    chat.session.conversation.items.flatMap((item) =>
      item.kind === 'assistant' ? item.parts.flatMap((part) => (part.kind === 'question' ? [part.question.askId] : [])) : [],
    );

  it('keeps the question in the answer when the call is over, until it is answered', async () => {
    await say();
    assert.deepEqual([lastAnswer(chat.session).state, cards(chat.session)[0]?.question, shown()], ['done', undefined, ['beside']]);
    chat.session.answer({ askId: 'beside', choice: 'deny' });
    assert.deepEqual([await asked, shown(), chat.session.questions.list()], ['deny', [], []]);
  });

  for (const [how, end] of [
    ['the conversation is left', () => chat.session.newConversation()],
    ['the answer is written anew', () => chat.session.retry()],
    ['the chat goes', () => chat.session.dispose()],
  ] as const) {
    it(`withdraws the question when ${how}`, async () => {
      await say();
      tools.behave = echoCall;
      await end();
      assert.deepEqual([await asked, chat.session.questions.list(), shown()], ['AbortError', [], []]);
    });
  }

  it('withdraws a question that waits behind another one at once when it is taken back, and shows the third after the first', async () => {
    const [first, second, third] = ['first', 'second', 'third'].map((askId) => ({ askId, withdraw: new AbortController() }));
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    const ended: string[] = [];
    tools.behave = async (call) => {
      await Promise.all(
        [first, second, third].map(({ askId, withdraw }) =>
          call.ask(makeQuestion(askId), withdraw.signal).then(
            ({ choice }) => ended.push(`${askId} ${choice}`),
            (error: unknown) => ended.push(`${askId} ${nameOf(error)}`),
          ),
        ),
      );
      return echoCall(call);
    };
    const sent = chat.session.send('echo');
    await chat.until(() => chat.session.questions.list().length === 1);
    second.withdraw.abort();
    await new Promise(setImmediate);
    assert.deepEqual([ended, chat.session.questions.list().map(({ askId }) => askId)], [['second AbortError'], ['first']]);
    chat.session.answer({ askId: 'first', choice: 'deny' });
    await chat.until(() => chat.session.questions.list()[0]?.askId === 'third');
    chat.session.answer({ askId: 'third', choice: 'allowOnce' });
    await sent;
    assert.deepEqual(ended, ['second AbortError', 'first deny', 'third allowOnce']);
  });
});
