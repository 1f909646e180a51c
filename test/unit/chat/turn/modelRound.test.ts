import assert from 'node:assert/strict';
import { AnthropicProvider } from '../../../../src/chat/models/anthropic.ts';
import type { WaitingPart } from '../../../../src/contract/chat/answerParts.ts';
import { AnthropicServer } from '../../../fixtures/anthropic/anthropicServer.ts';
import { say } from '../../../fixtures/anthropic/turns.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { echoCall, FakeProvider, FakeTools, lastAnswer, makeChat, makeTool, textOf, type TestChat } from '../support.ts';

describe('Waiting for the provider', function () {
  this.timeout(20_000); // the first request loads the SDK
  let server: AnthropicServer;
  let clock: FakeClock;
  let chat: TestChat;

  beforeEach(async () => {
    server = await AnthropicServer.start();
    clock = new FakeClock();
    const provider = new AnthropicProvider({ apiKey: () => Promise.resolve(server.apiKey), baseUrl: () => server.url, clock });
    chat = makeChat(provider, new FakeTools([], echoCall), { clock });
  });
  afterEach(async () => {
    chat.dispose();
    await server.close();
  });

  const waiting = (): WaitingPart | undefined => {
    const [, answer] = chat.session.conversation.items;
    return answer?.kind === 'assistant' ? answer.parts.find((part) => part.kind === 'waiting') : undefined;
  };

  it('counts its seconds down, and is gone when the answer comes', async () => {
    server.script([{ kind: 'error', status: 429, headers: { 'retry-after': '5' } }, say('ok')]);
    const sent = chat.session.send('hi');
    await chat.until(() => waiting() !== undefined);
    assert.deepEqual([waiting()?.reason, waiting()?.seconds], ['rateLimited', 5]);
    clock.advance(1_000);
    assert.equal(waiting()?.seconds, 4);
    clock.advance(3_000);
    assert.equal(waiting()?.seconds, 1);
    clock.advance(1_000);
    await sent;
    assert.deepEqual([waiting(), textOf(lastAnswer(chat.session)), clock.pending], [undefined, 'ok', 0]);
  });

  it('ends at once when the person does not want to wait', async () => {
    server.script([{ kind: 'error', status: 529 }, say('ok')]);
    const sent = chat.session.send('hi');
    await chat.until(() => waiting() !== undefined);
    chat.session.retryNow();
    await sent;
    assert.deepEqual([textOf(lastAnswer(chat.session)), clock.pending], ['ok', 0]);
  });

  it('ends at once with Stop, and leaves no line and no timer behind', async () => {
    server.script([{ kind: 'error', status: 500 }]);
    const sent = chat.session.send('hi');
    await chat.until(() => waiting() !== undefined);
    assert.equal(waiting()?.reason, 'serverError');
    await chat.session.stop();
    await sent;
    assert.deepEqual([waiting(), lastAnswer(chat.session).state, clock.pending], [undefined, 'stopped', 0]);
  });
});

describe('The calls of one answer', () => {
  it('get their own results, also where the model gives none of them an id or all the same one', async () => {
    const ids = ['', '', 'echo', 'echo'];
    const calls = ids.map((id, n) => ({ kind: 'toolUse', id, name: 'everything_echo', input: { n } }) as const);
    const provider = new FakeProvider([[...calls, { kind: 'stop', reason: 'toolUse' }]]);
    const chat = makeChat(provider, new FakeTools([makeTool('everything', 'echo')], echoCall));
    await chat.session.send('hi');
    chat.dispose();
    const [, answer, results] = provider.requests[1]?.messages ?? [];
    const made = (answer?.content ?? []).flatMap((block) => (block.type === 'toolUse' ? [[block.id, JSON.stringify(block.input)]] : []));
    const given = (results?.content ?? []).flatMap((block) =>
      block.type === 'toolResult'
        ? [[block.toolUseId, block.content.map((part) => (part.type === 'text' ? part.text : part.type)).join('')]]
        : [],
    );
    assert.deepEqual([made.length, made.some(([id]) => id === ''), new Set(made.map(([id]) => id)).size], [4, false, 4]);
    assert.deepEqual(given, made);
  });
});
