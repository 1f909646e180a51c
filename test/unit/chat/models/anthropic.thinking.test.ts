import assert from 'node:assert/strict';
import { AnthropicProvider } from '../../../../src/chat/models/anthropic.ts';
import { toWire } from '../../../../src/chat/models/anthropicWire.ts';
import type { ModelEvent, ModelMessage, ModelRequest } from '../../../../src/chat/models/modelProvider.ts';
import { AnthropicServer } from '../../../fixtures/anthropic/anthropicServer.ts';
import { say, type ScriptedTurn } from '../../../fixtures/anthropic/turns.ts';
import { echoCall, FakeTools, lastAnswer, makeChat, makeTool } from '../support.ts';
import { pngOf } from '../../../support/tinyPictures.ts';

const hello: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'hello' }] };
const request: ModelRequest = { model: 'm', system: '', messages: [hello], tools: [], maxTokens: 8_192, thinking: true };
const thought = { type: 'opaque', provider: 'anthropic', model: 'm', value: { type: 'thinking', thinking: 'x', signature: 's' } } as const;
const use = { type: 'toolUse', id: 'a', name: 'x', input: {} } as const;
const result = { type: 'toolResult', toolUseId: 'a', isError: false, outcome: 'done', content: [] } as const;

const thinkAndUse: ScriptedTurn = {
  kind: 'answer',
  blocks: [
    { kind: 'thinking', thinking: 'I should use the tool.', signature: 'c2ln' },
    { kind: 'toolUse', name: 'everything_echo', input: { message: 'hey' } },
  ],
};

describe('Thinking before an answer', function () {
  this.timeout(20_000); // the first request loads the SDK

  it('is asked for in the way the model knows, within the limit of the answer, and only where it is wanted', () => {
    assert.deepEqual(
      [
        toWire(request, 'adaptive').thinking,
        toWire(request, 'budgeted').thinking,
        toWire({ ...request, maxTokens: 1_024 }, 'budgeted').thinking,
        toWire(request, undefined).thinking,
        toWire({ ...request, thinking: false }, 'adaptive').thinking,
      ],
      [{ type: 'adaptive', display: 'summarized' }, { type: 'enabled', budget_tokens: 4_096 }, undefined, undefined, undefined],
    );
  });

  it('is left out, with a budget, while calls go back that were made without a thought', () => {
    const loop = (...content: Extract<ModelMessage, { role: 'assistant' }>['content']): ModelRequest => ({
      ...request,
      messages: [hello, { role: 'assistant', content }, { role: 'user', content: [result] }],
    });
    assert.deepEqual(
      [
        toWire(loop(thought, use), 'budgeted').thinking?.type,
        toWire(loop(use), 'budgeted').thinking,
        toWire(loop(use), 'adaptive').thinking?.type,
      ],
      ['enabled', undefined, 'adaptive'],
    );
  });

  it('streams into a part of its own, goes back signed in the tool loop, and is kept with the conversation', async () => {
    const server = await AnthropicServer.start({ thinking: 'adaptive' });
    const provider = new AnthropicProvider({ apiKey: () => Promise.resolve(server.apiKey), baseUrl: () => server.url });
    const chat = makeChat(provider, new FakeTools([makeTool('everything', 'echo')], echoCall), { thinking: true });
    try {
      server.script([thinkAndUse, say('Done.')]);
      await chat.session.send('go');
      assert.deepEqual(
        lastAnswer(chat.session).parts.map((part) =>
          part.kind === 'thinking' ? [part.kind, part.text, typeof part.elapsedMs] : part.kind,
        ),
        [['thinking', 'I should use the tool.', 'number'], 'toolCall', 'text'],
      );
      const [first, second] = server.messageBodies;
      assert.deepEqual(first?.['thinking'], { type: 'adaptive', display: 'summarized' });
      const [block] = second?.messages[1]?.content ?? [];
      assert.deepEqual(block, { type: 'thinking', thinking: 'I should use the tool.', signature: 'c2ln' });
      const stored: unknown = JSON.parse(JSON.stringify(chat.session.conversation));
      assert.match(JSON.stringify(stored), /"kind":"thinking".*"signature":"c2ln"/);
    } finally {
      chat.dispose();
      await server.close();
    }
  });
});

describe('What goes to Anthropic', function () {
  this.timeout(20_000);
  let server: AnthropicServer;
  let provider: AnthropicProvider;
  const never = new AbortController().signal;
  beforeEach(async () => {
    server = await AnthropicServer.start();
    provider = new AnthropicProvider({ apiKey: () => Promise.resolve(server.apiKey), baseUrl: () => server.url });
  });
  afterEach(() => server.close());

  it('takes images and documents, and says in words what it cannot take', async () => {
    const content = [
      { type: 'image', mimeType: 'image/png', data: pngOf() },
      { type: 'image', mimeType: 'image/svg+xml', data: 'aGk=' },
      { type: 'document', mimeType: 'application/pdf', data: 'aGk=', name: 'plan.pdf' },
      { type: 'text', text: 'What is this?' },
    ] as const;
    for await (const event of provider.stream({ ...request, thinking: false, messages: [{ role: 'user', content }] }, never)) {
      assert.ok(event);
    }
    const blocks = server.messageBodies[0]?.messages[0]?.content;
    assert.ok(Array.isArray(blocks));
    assert.deepEqual(blocks.slice(0, 3), [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pngOf() } },
      { type: 'text', text: '[Left out: an image (image/svg+xml), which this model cannot take]' },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'aGk=' }, title: 'plan.pdf' },
    ]);
  });

  it('is counted by the provider, without being answered', async () => {
    assert.equal(await provider.countTokens({ ...request, thinking: false }, never), 42);
    assert.deepEqual(
      server.requests.map(({ path }) => path),
      ['/v1/messages/count_tokens'],
    );
  });

  it('says what the prompt cache gave and took', async () => {
    server.script([{ kind: 'answer', blocks: [{ kind: 'text', text: 'x' }], inputTokens: 10, cacheRead: 900, cacheWritten: 90 }]);
    const events: ModelEvent[] = [];
    for await (const event of provider.stream({ ...request, thinking: false }, never)) {
      events.push(event);
    }
    const last = events.findLast((event) => event.kind === 'usage');
    assert.deepEqual(last, { kind: 'usage', inputTokens: 1_000, outputTokens: 7, cacheReadTokens: 900, cacheWrittenTokens: 90 });
  });

  it('tells a conversation that is too long, and an empty account, from other refusals', async () => {
    const codes: unknown[] = [];
    for (const message of ['prompt is too long: 250000 tokens > 200000 maximum', 'Your credit balance is too low to access the API.']) {
      server.script([{ kind: 'error', status: 400, message }]);
      const error: unknown = await provider
        .stream({ ...request, thinking: false }, never)
        .next()
        .catch((reason: unknown) => reason);
      codes.push((error as { code?: unknown }).code);
    }
    assert.deepEqual(codes, ['model.tooLong', 'model.billing']);
  });
});
