import assert from 'node:assert/strict';
import { AppError, isAbort } from '../../../../src/base/errors.ts';
import { AnthropicProvider, type AnthropicOptions } from '../../../../src/chat/models/anthropic.ts';
import type { ModelEvent, ModelMessage, ModelRequest } from '../../../../src/chat/models/modelProvider.ts';
import { AnthropicServer } from '../../../fixtures/anthropic/anthropicServer.ts';
import { blocksOf } from '../../../fixtures/anthropic/requestRules.ts';
import { say, useTools, type ScriptedTurn } from '../../../fixtures/anthropic/turns.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { EagerClock, makeTool } from '../support.ts';

const hello: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'hello' }] };
const echo = makeTool('everything', 'echo');

describe('AnthropicProvider', function () {
  this.timeout(20_000); // the first request loads the SDK
  let server: AnthropicServer;
  const never = new AbortController().signal;

  beforeEach(async () => {
    server = await AnthropicServer.start();
  });
  afterEach(() => server.close());

  const makeProvider = (options: Partial<AnthropicOptions> = {}): AnthropicProvider =>
    new AnthropicProvider({ apiKey: () => Promise.resolve(server.apiKey), baseUrl: () => server.url, ...options });
  const makeRequest = (extra: Partial<ModelRequest> = {}): ModelRequest => ({
    model: 'claude-stand-in-2',
    system: 'Be brief.',
    messages: [hello],
    tools: [echo],
    maxTokens: 1_024,
    ...extra,
  });
  const collect = async (provider: AnthropicProvider, request = makeRequest(), signal = never): Promise<ModelEvent[]> => {
    const events: ModelEvent[] = [];
    for await (const event of provider.stream(request, signal)) {
      events.push(event);
    }
    return events;
  };
  const failure = async (turns: readonly ScriptedTurn[], options: Partial<AnthropicOptions> = {}): Promise<AppError> => {
    server.script(turns);
    const error: unknown = await collect(makeProvider(options)).catch((reason: unknown) => reason);
    assert.ok(error instanceof AppError, String(error));
    return error;
  };

  it('streams text in the order it is written, with usage and one stop at the end', async () => {
    server.script([say('Hello you.', ['Hel', 'lo ', 'you.'])]);
    assert.deepEqual(await collect(makeProvider()), [
      { kind: 'usage', inputTokens: 11, outputTokens: 1 },
      { kind: 'text', text: 'Hel' },
      { kind: 'text', text: 'lo ' },
      { kind: 'text', text: 'you.' },
      { kind: 'usage', inputTokens: 11, outputTokens: 7 },
      { kind: 'stop', reason: 'end' },
    ] satisfies ModelEvent[]);
  });

  it('puts the pieces of several tool inputs together', async () => {
    server.script([useTools(['everything_echo', { message: 'a {"b"} ü' }], ['everything_add', { a: 1, b: [2] }])]);
    const events = await collect(makeProvider());
    assert.deepEqual(
      events.filter((event) => event.kind === 'toolUse').map(({ name, input }) => [name, input]),
      [
        ['everything_echo', { message: 'a {"b"} ü' }],
        ['everything_add', { a: 1, b: [2] }],
      ],
    );
    assert.deepEqual(events.at(-1), { kind: 'stop', reason: 'toolUse' });
  });

  it('reports tool input that is no JSON object instead of failing', async () => {
    server.script([
      { kind: 'answer', blocks: [{ kind: 'toolUse', id: 'toolu_1', name: 'everything_echo', rawInput: '{"message": "cut' }] },
    ]);
    const events = await collect(makeProvider());
    assert.deepEqual(
      events.find((event) => event.kind === 'toolUse'),
      { kind: 'toolUse', id: 'toolu_1', name: 'everything_echo', input: {}, malformedInput: '{"message": "cut' },
    );
  });

  it('gives a thinking block back untouched to the same model, and leaves it out for another', async () => {
    server.script([
      {
        kind: 'answer',
        blocks: [
          { kind: 'thinking', thinking: 'Let me think about this.', signature: 'c2ln' },
          { kind: 'text', text: 'Yes.' },
        ],
      },
    ]);
    const provider = makeProvider();
    const thought = (await collect(provider)).find((event) => event.kind === 'opaque');
    assert.ok(thought);
    const messages: ModelMessage[] = [hello, { role: 'assistant', content: [thought.block, { type: 'text', text: 'Yes.' }] }, hello];
    await collect(provider, makeRequest({ messages }));
    await collect(provider, makeRequest({ messages, model: 'claude-stand-in-1' }));
    assert.deepEqual(
      server.messageBodies.slice(1).map((body) => body.messages[1]?.content),
      [
        [
          { type: 'thinking', thinking: 'Let me think about this.', signature: 'c2ln' },
          { type: 'text', text: 'Yes.' },
        ],
        [{ type: 'text', text: 'Yes.' }],
      ],
    );
  });

  it('marks tools, system prompt and the last message for the prompt cache', async () => {
    await collect(makeProvider(), makeRequest({ tools: [makeTool('a', 'b'), echo] }));
    const [body] = server.messageBodies;
    const mark = { type: 'ephemeral' };
    assert.ok(body);
    assert.deepEqual(body.system, [{ type: 'text', text: 'Be brief.', cache_control: mark }]);
    assert.deepEqual(
      body.tools?.map((tool) => tool.cache_control),
      [undefined, mark],
    );
    assert.deepEqual(blocksOf(body.messages[0]?.content ?? ''), [{ type: 'text', text: 'hello', cache_control: mark }]);
  });

  it('lists the models of every page', async () => {
    await server.close();
    const models = Array.from({ length: 120 }, (_, index) => ({ id: `claude-${index}`, name: `Claude ${index}` }));
    server = await AnthropicServer.start({ models });
    const listed = await makeProvider().listModels(never);
    assert.deepEqual(
      listed.map(({ id }) => id),
      models.map(({ id }) => id),
    );
    assert.deepEqual(listed[0], { id: 'claude-0', label: 'Claude 0', contextTokens: 200_000, thinking: 'budgeted' });
  });

  it('says that a key is wrong, once, and never repeats the key', async () => {
    const key = 'sk-ant-secret-of-mine';
    const error = await failure([], { apiKey: () => Promise.resolve(key) });
    assert.equal(error.code, 'model.badKey');
    assert.equal(server.requests.length, 1);
    assert.ok(!JSON.stringify([error.message, error.detail, error.args, error.stack, error.cause]).includes(key));
    const echoed = await failure([{ kind: 'error', status: 400, message: `bad header: ${server.apiKey}` }]);
    assert.equal(echoed.detail?.includes(server.apiKey), false);
  });

  it('asks for a key when there is none, and refuses one that fits no header, before any request', async () => {
    for (const [key, code] of [
      [undefined, 'model.noKey'],
      ['  ', 'model.noKey'],
      ['sk-ant\nx-evil: 1', 'model.badKey'],
    ] as const) {
      const error = await failure([], { apiKey: () => Promise.resolve(key) });
      assert.equal(error.code, code);
      assert.ok(!error.message.includes('sk-ant'));
    }
    assert.equal(server.requests.length, 0);
  });

  it('refuses a base URL that is not plain http', async () => {
    for (const url of ['file:///etc/passwd', 'not a url', 'https://user:pass@host/', 'https://host/?a=1']) {
      assert.equal((await failure([], { baseUrl: () => url })).code, 'model.badBaseUrl');
    }
  });

  it('takes a base URL with a path, a slash or /v1 at its end', async () => {
    await collect(makeProvider({ baseUrl: () => `${server.url}/v1/` }));
    assert.equal(server.requests[0]?.path, '/v1/messages');
  });

  it('waits as long as a 429 asks for, says so, and goes on', async () => {
    const clock = new EagerClock();
    server.script([{ kind: 'error', status: 429, headers: { 'retry-after': '2' } }, say('ok')]);
    const events = await collect(makeProvider({ clock }));
    assert.deepEqual(events[0], { kind: 'waiting', reason: 'rateLimited', retryInMs: 2_000 });
    assert.deepEqual(events.at(-1), { kind: 'stop', reason: 'end' });
    assert.deepEqual(clock.waits, [2_000]);
  });

  it('gives up on a provider that stays overloaded after a bounded number of tries', async () => {
    const clock = new EagerClock();
    const error = await failure(
      Array.from({ length: 9 }, () => ({ kind: 'error', status: 529 })),
      { clock },
    );
    assert.equal(error.code, 'model.overloaded');
    assert.deepEqual([server.requests.length, clock.waits], [4, [1_000, 2_000, 4_000]]);
  });

  it('does not wait when the provider asks for longer than a person would, or says not to retry', async () => {
    const clock = new EagerClock();
    const long = await failure([{ kind: 'error', status: 429, headers: { 'retry-after': '3600' } }], { clock });
    const final = await failure([{ kind: 'error', status: 529, headers: { 'x-should-retry': 'false' } }], { clock });
    assert.deepEqual([long.code, final.code, clock.waits, server.requests.length], ['model.rateLimited', 'model.overloaded', [], 2]);
  });

  it('names every refusal of the provider by its own code', async () => {
    const codes = [];
    for (const status of [400, 402, 403, 404, 413, 418]) {
      codes.push((await failure([{ kind: 'error', status, message: 'because' }])).code);
    }
    assert.deepEqual(codes, [
      'model.badRequest',
      'model.billing',
      'model.forbidden',
      'model.notFound',
      'model.tooLarge',
      'model.badRequest',
    ]);
    assert.match((await failure([{ kind: 'error', status: 400, message: 'because' }])).detail ?? '', /^because\nreq_/);
  });

  it('reports an error in the middle of the stream, after the text before it', async () => {
    const error = await failure([
      { kind: 'errorEvent', blocks: [{ kind: 'text', text: 'Half ' }], type: 'overloaded_error', message: 'Overloaded' },
    ]);
    assert.deepEqual([error.code, error.detail?.split('\n')[0]], ['model.stream', 'Overloaded']);
    assert.equal(server.requests.length, 1);
  });

  it('tries again when the stream reports overload before the first word', async () => {
    server.script([{ kind: 'errorEvent', blocks: [], type: 'overloaded_error', message: 'Overloaded' }, say('ok')]);
    const events = await collect(makeProvider({ clock: new EagerClock() }));
    assert.deepEqual(
      events.filter((event) => event.kind !== 'usage').map((event) => event.kind),
      ['waiting', 'text', 'stop'],
    );
  });

  it('notices a stream that ends early and a connection that is cut', async () => {
    const blocks = [{ kind: 'text', text: 'Half an' }] as const;
    assert.equal((await failure([{ kind: 'truncated', blocks }])).code, 'model.stream');
    assert.equal((await failure([{ kind: 'broken', blocks }])).code, 'model.stream');
    assert.equal((await failure([{ kind: 'broken', blocks: [] }])).code, 'model.stream');
  });

  it('says that the provider cannot be reached, and why', async () => {
    const error = await failure([], { baseUrl: () => 'http://127.0.0.1:1' });
    assert.equal(error.code, 'model.unreachable');
    assert.ok((error.detail ?? '').length > 0);
  });

  it('stops at once in the middle of a stream and closes the connection', async () => {
    server.script([say('one two three')]);
    server.gate.hold(1);
    const controller = new AbortController();
    const seen: ModelEvent[] = [];
    const error: unknown = await (async () => {
      for await (const event of makeProvider().stream(makeRequest(), controller.signal)) {
        seen.push(event);
        if (event.kind === 'text') {
          controller.abort();
        }
      }
    })().catch((reason: unknown) => reason);
    assert.ok(isAbort(error));
    await server.untilQuiet(); // while the gate is still closed: the client left
    assert.deepEqual(
      seen.filter((event) => event.kind === 'text'),
      [{ kind: 'text', text: 'one ' }],
    );
  });

  it('stops at once while it waits for the provider', async () => {
    const clock = new FakeClock();
    server.script([{ kind: 'error', status: 529 }]);
    const controller = new AbortController();
    const stream = makeProvider({ clock }).stream(makeRequest(), controller.signal);
    assert.deepEqual(await stream.next(), { done: false, value: { kind: 'waiting', reason: 'overloaded', retryInMs: 1_000 } });
    const next = stream.next();
    controller.abort();
    await assert.rejects(next, isAbort);
    assert.equal(clock.pending, 0);
  });

  it('gives up on a silent connection after the idle time', async () => {
    const clock = new FakeClock();
    server.script([{ kind: 'silent' }]);
    const result = collect(makeProvider({ clock, idleMs: 60_000 })).catch((reason: unknown) => reason);
    await server.untilRequests(1);
    clock.advance(60_000);
    const error = await result;
    assert.ok(error instanceof AppError);
    assert.deepEqual([error.code, error.args['seconds'], clock.pending], ['model.idle', 60, 0]);
  });

  it('tells an answer at its limit and a refusal from a finished one', async () => {
    server.script([
      { kind: 'answer', blocks: [{ kind: 'text', text: 'cut' }], stopReason: 'max_tokens' },
      { kind: 'answer', blocks: [{ kind: 'text', text: 'no' }], stopReason: 'refusal', explanation: 'Because.' },
      { kind: 'answer', blocks: [{ kind: 'text', text: 'x' }], stopReason: 'model_context_window_exceeded' },
    ]);
    const stops = [];
    for (let turn = 0; turn < 3; turn += 1) {
      stops.push((await collect(makeProvider())).at(-1));
    }
    assert.deepEqual(stops, [
      { kind: 'stop', reason: 'maxTokens' },
      { kind: 'stop', reason: 'refusal', explanation: 'Because.' },
      { kind: 'stop', reason: 'contextFull' },
    ]);
  });
});
