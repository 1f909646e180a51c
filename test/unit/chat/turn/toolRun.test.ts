import assert from 'node:assert/strict';
import type { ModelEvent } from '../../../../src/chat/models/modelProvider.ts';
import { askingCall, cards, echoCall, FakeProvider, FakeTools, lastAnswer, makeChat, makeTool, textOf, type TestChat } from '../support.ts';

const use = (id: string): ModelEvent => ({ kind: 'toolUse', id, name: 'demo_echo', input: { id } });

describe('Stopping one call of a tool', () => {
  let chat: TestChat;
  afterEach(() => chat.dispose());

  it('ends that call alone: the others go on, and the model is told', async () => {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const signals: AbortSignal[] = [];
    const tools = new FakeTools([makeTool('demo', 'echo')], async (call) => {
      signals.push(call.signal);
      call.onStart(call.arguments);
      await finished;
      return echoCall(call);
    });
    const provider = new FakeProvider([[use('one'), use('two'), { kind: 'stop', reason: 'toolUse' }]]);
    chat = makeChat(provider, tools);
    const sent = chat.session.send('go');
    await tools.untilCalls(2);
    const [first] = cards(chat.session);
    chat.session.calls.stop(first?.id ?? '');
    await chat.until(() => cards(chat.session)[0]?.state === 'cancelled');
    assert.deepEqual([cards(chat.session)[1]?.state, signals.map(({ aborted }) => aborted)], ['running', [true, false]]);
    finish();
    await sent;
    assert.deepEqual(
      cards(chat.session).map(({ state }) => state),
      ['cancelled', 'done'],
    );
    assert.deepEqual([lastAnswer(chat.session).state, textOf(lastAnswer(chat.session))], ['done', 'done']);
    const results = provider.requests[1]?.messages.at(-1)?.content.map((block) => (block.type === 'toolResult' ? block.outcome : ''));
    assert.deepEqual(results, ['cancelled', 'done']);
  });

  it('takes its question back, and does nothing once the call is over', async () => {
    const tools = new FakeTools([makeTool('demo', 'echo')], askingCall);
    chat = makeChat(new FakeProvider([[use('one'), { kind: 'stop', reason: 'toolUse' }]]), tools);
    const sent = chat.session.send('go');
    await chat.until(() => chat.session.questions.list().length === 1);
    const id = cards(chat.session)[0]?.id ?? '';
    chat.session.calls.stop(id);
    await sent;
    assert.deepEqual([chat.session.questions.list(), cards(chat.session)[0]?.state], [[], 'cancelled']);
    chat.session.calls.stop(id);
    assert.equal(lastAnswer(chat.session).state, 'done');
  });
});
