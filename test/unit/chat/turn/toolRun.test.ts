import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { EditReview } from '../../../../src/contract/chat/editReview.ts';
import type { ToolCallPart } from '../../../../src/contract/chat/chatState.ts';
import type { ModelEvent } from '../../../../src/chat/models/modelProvider.ts';
import type { QuestionDetail } from '../../../../src/contract/questions/questions.ts';
import {
  askingCall,
  cards,
  echoCall,
  FakeProvider,
  FakeTools,
  lastAnswer,
  makeChat,
  makeQuestion,
  makeTool,
  textOf,
  type TestChat,
} from '../support.ts';

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

describe('The card of a call', () => {
  let chat: TestChat;
  afterEach(() => chat.dispose());

  it('says what the call is about, with the arguments as the person left them, and what came of it', async () => {
    const tools = new FakeTools([makeTool('editor', 'get_diagnostics')], (call) => {
      call.onStart({ path: 'src/b.ts' });
      const ownAnswer = { diagnostics: [{ severity: 'error' }], total: 1 };
      return Promise.resolve({ kind: 'result', isError: false, items: [], ownAnswer });
    });
    const call: ModelEvent = { kind: 'toolUse', id: 'one', name: 'editor_get_diagnostics', input: { path: 'src/a.ts' } };
    chat = makeChat(new FakeProvider([[call, { kind: 'stop', reason: 'toolUse' }]]), tools);
    await chat.session.send('go');
    const [card] = cards(chat.session);
    assert.deepEqual([card?.about, card?.facts], ['src/b.ts', [{ kind: 'count', of: 'errors', count: 1 }]]);
  });

  it('shows a proposed change as long as it waits for the person', async () => {
    let tell: ((review: EditReview | undefined) => void) | undefined;
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const tools = new FakeTools([makeTool('editor', 'propose_edit')], async (call) => {
      call.onStart(call.arguments);
      tell = call.onReview;
      await finished;
      return { kind: 'result', isError: false, items: [], ownAnswer: { outcome: 'accepted' } };
    });
    const call: ModelEvent = { kind: 'toolUse', id: 'one', name: 'editor_propose_edit', input: { path: 'src/a.ts' } };
    chat = makeChat(new FakeProvider([[call, { kind: 'stop', reason: 'toolUse' }]]), tools);
    const sent = chat.session.send('go');
    await tools.untilCalls(1);
    const state = (): readonly unknown[] => cards(chat.session).map((card) => [card.state, card.review?.id]);
    tell?.({ id: 'review', files: [], isSeenInEditor: false });
    assert.deepEqual(state(), [['waiting', 'review']]);
    tell?.(undefined);
    assert.deepEqual(state(), [['running', undefined]]);
    tell?.({ id: 'again', files: [], isSeenInEditor: false });
    finish();
    await sent;
    assert.deepEqual(state(), [['done', undefined]]);
  });

  it('has the last words of a server that ended, with nothing invisible, and the model does not get them', async () => {
    const tools = new FakeTools([makeTool('demo', 'echo')], () =>
      Promise.resolve({ kind: 'failed', message: 'It ended.', sentence: 'It ended.', lastWords: ['no\u200b key'] }),
    );
    const provider = new FakeProvider([[use('one'), { kind: 'stop', reason: 'toolUse' }]]);
    chat = makeChat(provider, tools);
    await chat.session.send('go');
    assert.deepEqual(cards(chat.session)[0]?.lastWords, ['no⟨U+200B⟩ key']);
    assert.ok(!JSON.stringify(provider.requests).includes(' key'));
  });
});

describe('Several calls of one answer', () => {
  let chat: TestChat;
  afterEach(() => chat.dispose());

  it('are asked about together, each a question of its own; what acts, reads elsewhere or runs already is asked about alone', async () => {
    const { detail } = makeQuestion('');
    assert.ok(detail.kind === 'callTool');
    const alone: Readonly<Record<string, QuestionDetail>> = {
      edits: { ...detail, risk: 'changesEditor' },
      runs: { ...detail, risk: 'runsCode' },
      reads: { ...detail, reads: 'listed' },
      roots: { kind: 'roots', server: 'demo', folders: [] },
    };
    const tools = new FakeTools([makeTool('demo', 'echo')], async (call) => {
      const id = JSON.stringify(call.arguments['id']).slice(1, -1);
      if (id === 'running') {
        call.onStart(call.arguments);
      }
      const answer = await call.ask({ ...makeQuestion(id), detail: alone[id] ?? detail }, call.signal);
      return answer.choice === 'deny' ? { kind: 'denied', byStoredAnswer: false } : echoCall(call);
    });
    const ids = ['one', 'two', 'running', ...Object.keys(alone)];
    chat = makeChat(new FakeProvider([[...ids.map(use), { kind: 'stop', reason: 'toolUse' }]]), tools);
    const sent = chat.session.send('go');
    await chat.until(() => chat.session.questions.list().length === ids.length);
    const answerId = lastAnswer(chat.session).id;
    assert.deepEqual(
      chat.session.questions.list().map(({ askId, group }) => [askId, group]),
      [['one', answerId], ['two', answerId], ...ids.slice(2).map((id) => [id, undefined])],
    );
    assert.equal(cards(chat.session)[0]?.question?.group, answerId, 'the page knows which cards belong together');
    chat.session.answer({ askId: 'one', choice: 'deny' });
    ids.slice(1).forEach((askId) => chat.session.answer({ askId, choice: 'allowOnce' }));
    await sent;
    assert.deepEqual(
      cards(chat.session).map(({ state }) => state),
      ['denied', ...ids.slice(1).map(() => 'done')],
    );
  });
});

describe('A call whose arguments the person changed', () => {
  let chat: TestChat;
  afterEach(() => chat.dispose());

  async function resultOf(ranWith: JsonObject): Promise<{ readonly told: string; readonly card: ToolCallPart | undefined }> {
    const tools = new FakeTools([makeTool('demo', 'echo')], (call) => {
      call.onStart(ranWith);
      return echoCall({ ...call, onStart: () => undefined });
    });
    const provider = new FakeProvider([
      [
        { kind: 'toolUse', id: 'one', name: 'demo_echo', input: { a: 1, b: 2 } },
        { kind: 'stop', reason: 'toolUse' },
      ],
    ]);
    chat = makeChat(provider, tools);
    await chat.session.send('go');
    return { told: JSON.stringify(provider.requests[1]?.messages.at(-1)?.content), card: cards(chat.session)[0] };
  }

  it('is told to the model with the result, and marked on the card', async () => {
    const { told, card } = await resultOf({ a: 7, b: 2 });
    assert.match(told, /The person changed the arguments of this call before they allowed it\. It ran with: \{\\"a\\":7,\\"b\\":2\}/);
    assert.deepEqual([card?.isChanged, JSON.parse(card?.arguments ?? '')], [true, { a: 7, b: 2 }]);
  });

  it('keeps a secret that the person put in from the model, and does not repeat what is very long', async () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40);
    const { told } = await resultOf({ a: secret });
    assert.match(told, /The person changed the arguments/);
    assert.ok(!told.includes(secret), told);
    chat.dispose();
    assert.match((await resultOf({ a: 'x'.repeat(5_000) })).told, /too long to repeat/);
  });

  it('is not one whose arguments only stand in another order', async () => {
    const { told, card } = await resultOf({ b: 2, a: 1 });
    assert.doesNotMatch(told, /The person changed/);
    assert.equal(card?.isChanged, undefined);
  });
});
