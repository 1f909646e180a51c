import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { untilAborted } from '../../../../src/base/abort.ts';
import type { ModelEvent } from '../../../../src/chat/models/modelProvider.ts';
import { chatSentencesInEnglish, toChatError } from '../../../../src/chat/conversation/chatSentences.ts';
import { AppError } from '../../../../src/base/errors.ts';
import { chooseProvider } from '../../../../src/chat/models/answeringModel.ts';
import type { ChatSessionOptions } from '../../../../src/chat/turn/sessionOptions.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { cards, echoCall, FakeProvider, FakeTools, lastAnswer, makeChat, makeTool, textOf, textResult } from '../support.ts';

const noTools = new FakeTools([], echoCall);
async function* endless(): AsyncGenerator<ModelEvent> {
  yield { kind: 'text', text: 'thinking' };
  await new Promise(() => undefined);
}

describe('ChatSession', () => {
  it('refuses to write an answer anew while one is being written, and an empty message', async () => {
    const { session, until, dispose } = makeChat(new FakeProvider([endless]), noTools);
    const sent = session.send('one');
    assert.equal(session.isRunning, true);
    await assert.rejects(session.retry(), { code: 'chat.busy' });
    await until(() => textOf(lastAnswer(session)) === 'thinking');
    await session.stop();
    await sent;
    await assert.rejects(session.send(' \n'), { code: 'chat.emptyMessage' });
    assert.equal(session.conversation.items.length, 2);
    dispose();
  });

  it('stops a provider that does not listen', async () => {
    const { session, until, dispose } = makeChat(new FakeProvider([endless]), noTools);
    const sent = session.send('one');
    await until(() => textOf(lastAnswer(session)) === 'thinking');
    await session.stop();
    await sent;
    assert.equal(lastAnswer(session).state, 'stopped');
    dispose();
  });

  it('sends a message once it is known which model answers, and stops waiting with the person', async () => {
    let known: () => void = () => assert.fail('nobody waits');
    let model = 'none';
    const provider = new FakeProvider([]);
    const untilModelKnown = (signal: AbortSignal): Promise<void> => untilAborted(new Promise<void>((resolve) => (known = resolve)), signal);
    const settings = (): ReturnType<ChatSessionOptions['settings']> => ({ provider, model, maxTokens: 100, maxRounds: 3 });
    const { session, dispose } = makeChat(provider, noTools, { untilModelKnown, settings });
    const sent = session.send('hi');
    await turn();
    assert.deepEqual([session.isRunning, provider.requests.length], [true, 0]);
    model = 'found';
    known();
    await sent;
    assert.deepEqual([provider.requests.map((request) => request.model), lastAnswer(session).state], [['found'], 'done']);
    const other = session.send('again');
    await turn();
    await session.stop();
    await other;
    assert.deepEqual([provider.requests.length, lastAnswer(session).state], [1, 'stopped']);
    dispose();
  });

  it('starts a new conversation in the middle of an answer, and the old one is left stopped', async () => {
    const { session, messages, until, dispose } = makeChat(new FakeProvider([endless]), noTools);
    const sent = session.send('one');
    await until(() => textOf(lastAnswer(session)) === 'thinking');
    const old = session.conversation;
    await session.newConversation();
    await sent;
    assert.deepEqual(
      [
        old.items.at(-1)?.kind === 'assistant' && old.assistant(old.items.at(-1)?.id ?? '').state,
        session.conversation.items,
        session.isRunning,
      ],
      ['stopped', [], false],
    );
    const last = messages.at(-1);
    assert.ok(last?.name === 'chat/state' && last.body.conversationId === session.conversation.id && last.body.items.length === 0);
    await assert.rejects(session.retry(), { code: 'chat.nothingToRetry' });
    dispose();
  });

  it('turns a failure of the settings or an unknown error into a failed answer', async () => {
    const broken = makeChat(new FakeProvider([]), noTools, {
      settings: () => {
        throw new Error('no settings');
      },
    });
    await broken.session.send('hi');
    const { state, error } = lastAnswer(broken.session);
    assert.deepEqual(
      [state, error],
      ['failed', { message: 'Something went wrong while answering.', detail: 'no settings\nchat.unexpected', action: 'retry' }],
    );
    assert.equal(broken.session.isRunning, false);
    broken.dispose();
  });

  it('fails an answer whose stream ends without a stop', async () => {
    const { session, dispose } = makeChat(new FakeProvider([[{ kind: 'text', text: 'half' }]]), noTools);
    await session.send('hi');
    assert.deepEqual(
      [lastAnswer(session).state, textOf(lastAnswer(session)), lastAnswer(session).error?.action],
      ['failed', 'half', 'retry'],
    );
    dispose();
  });

  it('measures a call from its permission to its end, and shows its progress meanwhile', async () => {
    const clock = new FakeClock();
    const tools = new FakeTools([makeTool('s', 't')], async (call) => {
      clock.advance(5_000);
      call.onStart(call.arguments);
      clock.advance(200);
      call.onProgress({ value: 1, total: 4, message: 'a quarter' });
      clock.advance(100);
      return Promise.resolve(textResult('ok'));
    });
    const use: ModelEvent[] = [
      { kind: 'toolUse', id: 'x', name: 's_t', input: {} },
      { kind: 'stop', reason: 'toolUse' },
    ];
    const { session, messages, dispose } = makeChat(new FakeProvider([use]), tools, { clock });
    await session.send('go');
    assert.deepEqual([cards(session)[0]?.elapsedMs, cards(session)[0]?.progress], [300, undefined]);
    assert.ok(messages.some((message) => JSON.stringify(message).includes('"message":"a quarter"')));
    dispose();
  });

  it('lets every call of a conversation know what tools have said in it, and in no other', async () => {
    const use: ModelEvent[] = [
      { kind: 'toolUse', id: 'x', name: 's_t', input: {} },
      { kind: 'stop', reason: 'toolUse' },
    ];
    const tools = new FakeTools([makeTool('s', 't')], echoCall);
    const { session, dispose } = makeChat(new FakeProvider([use, use, [{ kind: 'stop', reason: 'end' }], use]), tools);
    await session.send('go');
    await session.newConversation();
    await session.send('go');
    const [one, two, three] = tools.calls.map(({ heard }) => heard);
    assert.ok(one !== undefined && three !== undefined);
    assert.deepEqual([one === two, one === three], [true, false]);
    dispose();
  });

  it('makes hidden characters of a result visible on the card', async () => {
    const tools = new FakeTools([makeTool('s', 't')], () => Promise.resolve(textResult('a\u200Bb')));
    const { session, dispose } = makeChat(
      new FakeProvider([
        [
          { kind: 'toolUse', id: 'x', name: 's_t', input: {} },
          { kind: 'stop', reason: 'toolUse' },
        ],
      ]),
      tools,
    );
    await session.send('go');
    assert.deepEqual(cards(session)[0]?.result, [{ kind: 'text', text: 'a⟨U+200B⟩b' }]);
    dispose();
  });

  it('is worth saving when a message went in and when its answer ended', async () => {
    const { session, dispose } = makeChat(new FakeProvider([]), noTools);
    const states: (string | undefined)[] = [];
    const subscription = session.onDidSettle((conversation) =>
      states.push(JSON.stringify(conversation.toJSON()).includes('"streaming"') ? 'running' : 'ended'),
    );
    await session.send('hi');
    subscription.dispose();
    assert.deepEqual(states, ['running', 'ended']);
    dispose();
  });
});

describe('toChatError', () => {
  it('has a sentence and an action for known codes, and keeps the words of unknown ones as detail', () => {
    const known = toChatError(new AppError('model.notFound', 'x', { args: { model: 'm' }, detail: 'raw' }), chatSentencesInEnglish);
    const unknown = toChatError(new AppError('else.where', 'own words'), chatSentencesInEnglish);
    assert.deepEqual(
      [known, unknown],
      [
        { message: 'The model “m” was not found. Choose another model.', detail: 'raw\nmodel.notFound', action: 'chooseModel' },
        { message: 'Something went wrong while answering.', detail: 'own words\nelse.where', action: 'retry' },
      ],
    );
  });
});

describe('chooseProvider', () => {
  const facts = { setting: 'auto', hasKey: false, hasVscodeModels: false, isTrusted: true } as const;

  it('takes Anthropic with a key, else the models of VS Code, else the guide', () => {
    assert.deepEqual(
      [{ hasKey: true, hasVscodeModels: true }, { hasVscodeModels: true }, {}].map((each) => chooseProvider({ ...facts, ...each }).kind),
      ['anthropic', 'vscode', 'offline'],
    );
  });

  it('follows an explicit setting, and says when it cannot', () => {
    assert.deepEqual(chooseProvider({ ...facts, setting: 'anthropic' }), { kind: 'anthropic' });
    assert.deepEqual(chooseProvider({ ...facts, setting: 'offline', hasKey: true }), { kind: 'offline' });
    assert.deepEqual(chooseProvider({ ...facts, setting: 'vscode' }), { kind: 'offline', fallback: 'noVscodeModels' });
  });

  it('makes no model request in Restricted Mode', () => {
    assert.deepEqual(chooseProvider({ ...facts, setting: 'anthropic', hasKey: true, isTrusted: false }), {
      kind: 'offline',
      fallback: 'untrusted',
    });
  });
});
