import assert from 'node:assert/strict';
import { chatToView } from '../../../../src/contract/chat/chatMessages.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { AnthropicProvider } from '../../../../src/chat/models/anthropic.ts';
import { pricesAsOf } from '../../../../src/contract/chat/modelPrices.ts';
import { AnthropicServer } from '../../../fixtures/anthropic/anthropicServer.ts';
import { blocksOf } from '../../../fixtures/anthropic/requestRules.ts';
import { say, useTools } from '../../../fixtures/anthropic/turns.ts';
import {
  askingCall,
  cards,
  EagerClock,
  echoCall,
  FakeTools,
  lastAnswer,
  makeChat,
  makeQuestion,
  makeTool,
  textOf,
  textResult,
  type TestChat,
} from '../support.ts';

const echo = makeTool('everything', 'echo');
const add = makeTool('everything', 'add');

/** The whole way: session, loop, the real SDK, HTTP, and a far end that checks every request like Anthropic does. */
describe('ChatSession with Anthropic', function () {
  this.timeout(20_000); // the first request loads the SDK
  let server: AnthropicServer;
  let tools: FakeTools;
  let chat: TestChat;
  let apiKey: string;

  beforeEach(async () => {
    server = await AnthropicServer.start();
    apiKey = server.apiKey;
    tools = new FakeTools([echo, add], echoCall);
    chat = open();
  });
  afterEach(async () => {
    chat.dispose();
    await server.close();
  });

  const open = (options: Parameters<typeof makeChat>[2] = {}): TestChat => {
    const provider = new AnthropicProvider({
      apiKey: () => Promise.resolve(apiKey),
      baseUrl: () => server.url,
      clock: new EagerClock(),
    });
    return makeChat(provider, tools, options);
  };
  const resultsOf = (request: number): readonly unknown[] =>
    blocksOf(server.messageBodies[request]?.messages.at(-1)?.content ?? '')
      .filter((block) => block.type === 'tool_result')
      .map((block) => [block.is_error, block.content]);

  it('streams an answer into one text part, and every message keeps the contract', async () => {
    server.script([say('Hello there, friend.')]);
    await chat.session.send('hi');
    assert.deepEqual(chat.session.conversation.items, [
      { kind: 'user', id: 'id-1', text: 'hi' },
      {
        kind: 'assistant',
        id: 'id-2',
        state: 'done',
        parts: [{ kind: 'text', id: 'id-3', text: 'Hello there, friend.' }],
        usage: { inputTokens: 11, outputTokens: 7 },
        cost: { model: 'claude-stand-in-2', pricesAsOf, servers: [] },
      },
    ]);
    chat.messages.forEach(({ name, body }) => chatToView[name].parse(body));
    const running = chat.messages.flatMap((message) => (message.name === 'chat/status' ? [message.body.isRunning] : []));
    assert.deepEqual(running, [true, false]);
  });

  it('names the connected servers in the system prompt and uses the first model when none is chosen', async () => {
    chat.dispose();
    chat = open({ model: '' });
    await chat.session.send('hi');
    const [body] = server.messageBodies;
    assert.match(JSON.stringify(body?.system), /everything \(2\)/);
    assert.equal(body?.model, 'claude-stand-in-2');
  });

  it('runs a tool, shows it as a card and gives its result to the model', async () => {
    await chat.session.send('use echo {"message":"hey"}');
    const [card] = cards(chat.session);
    assert.deepEqual(
      { ...card, id: '', elapsedMs: 0, startedAtMs: 0 },
      {
        kind: 'toolCall',
        id: '',
        server: 'everything',
        tool: 'echo',
        state: 'done',
        arguments: '{\n  "message": "hey"\n}',
        result: [{ kind: 'text', text: '{"message":"hey"}' }],
        resultBytes: 17,
        elapsedMs: 0,
        startedAtMs: 0,
      },
    );
    assert.equal(typeof card?.elapsedMs, 'number');
    assert.match(textOf(lastAnswer(chat.session)), /The tool said: \{"message":"hey"\}$/);
    assert.deepEqual(lastAnswer(chat.session).usage, { inputTokens: 22, outputTokens: 14 });
  });

  it('runs the calls of one turn side by side', async () => {
    const waiting: (() => void)[] = [];
    tools.behave = async (call) => {
      call.onStart(call.arguments);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return textResult(`result ${JSON.stringify(call.arguments['id'])}`);
    };
    server.script([useTools(['everything_echo', { id: 1 }], ['everything_add', { id: 2 }])]);
    const sent = chat.session.send('both');
    await tools.untilCalls(2);
    assert.deepEqual(
      cards(chat.session).map((card) => card.state),
      ['running', 'running'],
    );
    waiting.reverse().forEach((go) => go());
    await sent;
    assert.deepEqual(resultsOf(1), [
      [false, [{ type: 'text', text: 'result 1' }]],
      [false, [{ type: 'text', text: 'result 2' }]],
    ]);
  });

  it('asks on the card, runs after Allow with the arguments the person left, and closes the question', async () => {
    tools.behave = async (call) => {
      const outcome = await askingCall({ ...call, onStart: () => call.onStart({ message: 'edited' }) });
      return outcome;
    };
    const sent = chat.session.send('use echo {"id":7}');
    await chat.until(() => cards(chat.session)[0]?.question !== undefined);
    assert.deepEqual([cards(chat.session)[0]?.state, chat.session.questions.list().length], ['waiting', 1]);
    assert.equal(chat.session.answer({ askId: 'other', choice: 'allowOnce' }), false);
    assert.equal(chat.session.answer({ askId: 'ask-7', choice: 'allowOnce' }), true);
    assert.equal(chat.session.answer({ askId: 'ask-7', choice: 'deny' }), false);
    await sent;
    const [card] = cards(chat.session);
    assert.deepEqual([card?.state, card?.question, card?.arguments], ['done', undefined, '{\n  "message": "edited"\n}']);
  });

  it('tells the model when the person declines, and nothing runs', async () => {
    let started = 0;
    tools.behave = (call) => askingCall({ ...call, onStart: () => (started += 1) });
    const sent = chat.session.send('use echo {"id":1}');
    await chat.until(() => chat.session.questions.list().length === 1);
    chat.session.answer({ askId: 'ask-1', choice: 'deny' });
    await sent;
    assert.deepEqual([started, cards(chat.session)[0]?.state, lastAnswer(chat.session).state], [0, 'denied', 'done']);
    assert.match(JSON.stringify(resultsOf(1)), /^\[\[true,.*The person declined this call\. Nothing ran/);
    assert.match(textOf(lastAnswer(chat.session)), /declined or failed/);
  });

  it('takes a question away when it is withdrawn, and goes on', async () => {
    const withdraw = new AbortController();
    tools.behave = async (call) => {
      await call.ask(makeQuestion('gone'), withdraw.signal).catch(() => undefined);
      return { kind: 'failed', message: 'The server went away.', sentence: 'The server went away.' };
    };
    const sent = chat.session.send('use echo {}');
    await chat.until(() => chat.session.questions.list().length === 1);
    withdraw.abort();
    await sent;
    const [card] = cards(chat.session);
    assert.deepEqual(
      [card?.question, card?.state, card?.error, chat.session.questions.list().length],
      [undefined, 'failed', 'The server went away.', 0],
    );
  });

  it('tells the model in English why a call failed, and the person in their language', async () => {
    tools.behave = async () => ({ kind: 'failed', message: 'The server went away.', sentence: 'Der Server ist weg\u200b.' });
    await chat.session.send('use echo {}');
    assert.deepEqual(
      [cards(chat.session)[0]?.error, resultsOf(1)],
      ['Der Server ist weg⟨U+200B⟩.', [[true, [{ type: 'text', text: 'The call failed: The server went away.' }]]]],
    );
  });

  it('tells the model what was thrown where a tool should have answered, and the person no more than that it failed', async () => {
    tools.behave = () => Promise.reject(new Error('socket hang up'));
    await chat.session.send('use echo {}');
    assert.deepEqual(
      [cards(chat.session)[0]?.error, resultsOf(1)],
      ['The tool could not be run.', [[true, [{ type: 'text', text: 'The call failed: socket hang up' }]]]],
    );
  });

  it('stops in the middle of the stream, keeps what came, and the next message is accepted', async () => {
    server.script([say('one two three')]);
    server.gate.hold(1);
    const sent = chat.session.send('count');
    await chat.until(() => chat.session.conversation.items.length === 2 && textOf(lastAnswer(chat.session)) === 'one ');
    await chat.session.stop();
    await sent;
    assert.deepEqual(
      [lastAnswer(chat.session).state, textOf(lastAnswer(chat.session)), chat.session.isRunning],
      ['stopped', 'one ', false],
    );
    server.gate.release();
    await chat.session.send('go on');
    assert.equal(textOf(lastAnswer(chat.session)), 'You said: go on');
    assert.deepEqual(
      server.messageBodies[1]?.messages.map((message) => message.role),
      ['user', 'assistant', 'user'],
    );
  });

  it('stops in the middle of a question and of a call that does not listen, and the history stays valid', async () => {
    tools.behave = (call) => (call.name === 'everything_echo' ? askingCall(call) : new Promise(() => call.onStart({})));
    server.script([useTools(['everything_echo', { id: 1 }], ['everything_add', {}])]);
    const sent = chat.session.send('both');
    await chat.until(() => chat.session.questions.list().length === 1 && cards(chat.session)[1]?.state === 'running');
    await chat.session.stop();
    await sent;
    assert.deepEqual(
      cards(chat.session).map((card) => [card.state, card.question]),
      [
        ['cancelled', undefined],
        ['cancelled', undefined],
      ],
    );
    assert.deepEqual([lastAnswer(chat.session).state, tools.calls[0]?.signal.aborted], ['stopped', true]);
    assert.equal(chat.session.answer({ askId: 'ask-1', choice: 'allowOnce' }), false);
    await chat.session.send('and now?');
    assert.deepEqual([lastAnswer(chat.session).state, textOf(lastAnswer(chat.session))], ['done', 'You said: and now?']);
    assert.deepEqual(resultsOf(1).length, 2);
  });

  it('stays valid after a reload in the middle of a tool call', async () => {
    tools.behave = (call) => new Promise(() => call.onStart({}));
    const sent = chat.session.send('use echo {}');
    await tools.untilCalls(1);
    const saved: unknown = JSON.parse(JSON.stringify(chat.session.conversation));
    await chat.session.stop();
    await sent;
    await chat.session.open(Conversation.fromJSON(saved));
    await chat.session.send('still there?');
    assert.equal(textOf(lastAnswer(chat.session)), 'You said: still there?');
  });

  it('offers to set the key when it is wrong, and a retry replaces the failed answer', async () => {
    apiKey = 'sk-ant-wrong';
    await chat.session.send('hi');
    const { state, error } = lastAnswer(chat.session);
    assert.deepEqual([state, error?.message, error?.action], ['failed', 'Anthropic did not accept the API key.', 'setApiKey']);
    assert.ok(!JSON.stringify(chat.session.conversation).includes('sk-ant-wrong'));
    apiKey = server.apiKey;
    await chat.session.retry();
    assert.deepEqual(
      [chat.session.conversation.items.length, lastAnswer(chat.session).state, textOf(lastAnswer(chat.session))],
      [2, 'done', 'You said: hi'],
    );
  });

  it('retries a failed answer from its last complete round, without running a tool twice', async () => {
    server.script([
      useTools(['everything_echo', { n: 1 }]),
      { kind: 'errorEvent', blocks: [{ kind: 'text', text: 'Half' }], type: 'api_error', message: 'Internal' },
      say('Whole.'),
    ]);
    await chat.session.send('go');
    assert.deepEqual(
      [lastAnswer(chat.session).state, textOf(lastAnswer(chat.session)), lastAnswer(chat.session).error?.action],
      ['failed', 'Half', 'retry'],
    );
    const id = lastAnswer(chat.session).id;
    await chat.session.retry();
    const answer = lastAnswer(chat.session);
    assert.deepEqual([answer.id, answer.state, textOf(answer), answer.error, tools.calls.length], [id, 'done', 'Whole.', undefined, 1]);
    assert.deepEqual(
      answer.parts.map((part) => part.kind),
      ['toolCall', 'text'],
    );
    assert.deepEqual(server.messageBodies[2]?.messages, server.messageBodies[1]?.messages);
  });

  it('writes a stopped answer anew on retry', async () => {
    server.script([say('first try')]);
    server.gate.hold(1);
    const sent = chat.session.send('go');
    await chat.until(() => chat.session.conversation.items.length === 2 && textOf(lastAnswer(chat.session)) !== '');
    await chat.session.stop();
    await sent;
    server.gate.release();
    await chat.session.retry();
    assert.deepEqual([textOf(lastAnswer(chat.session)), chat.session.conversation.items.length], ['You said: go', 2]);
    assert.equal(server.messageBodies[1]?.messages.length, 1);
  });

  it('answers broken tool input with an error for the model, and the tool does not run', async () => {
    server.script([
      {
        kind: 'answer',
        blocks: [
          { kind: 'toolUse', name: 'everything_echo', rawInput: '{"a":' },
          { kind: 'toolUse', name: 'no_such_tool', input: {} },
        ],
      },
    ]);
    await chat.session.send('go');
    assert.deepEqual(
      [tools.calls.length, cards(chat.session).map((card) => card.state), lastAnswer(chat.session).state],
      [0, ['failed', 'failed'], 'done'],
    );
    assert.match(JSON.stringify(resultsOf(1)), /not a JSON object.*no tool named no_such_tool/);
  });

  it('pauses at the limit of rounds and continues in the same answer', async () => {
    chat.dispose();
    chat = open({ maxRounds: 2 });
    server.script([
      useTools(['everything_echo', {}]),
      useTools(['everything_echo', {}]),
      useTools(['everything_echo', {}]),
      say('Finished.'),
    ]);
    await chat.session.send('loop');
    assert.deepEqual(
      [server.messageBodies.length, lastAnswer(chat.session).state, lastAnswer(chat.session).error?.action],
      [2, 'stopped', 'continue'],
    );
    await chat.session.retry();
    assert.deepEqual(
      [server.messageBodies.length, tools.calls.length, lastAnswer(chat.session).state, textOf(lastAnswer(chat.session))],
      [4, 3, 'done', 'Finished.'],
    );
  });

  it('continues an answer that reached its length limit, and runs no call that was cut off', async () => {
    server.script([
      {
        kind: 'answer',
        blocks: [
          { kind: 'text', text: 'Once upon' },
          { kind: 'toolUse', name: 'everything_echo', rawInput: '{"a' },
        ],
        stopReason: 'max_tokens',
      },
      say(' a time.'),
    ]);
    await chat.session.send('tell');
    assert.deepEqual(
      [tools.calls.length, cards(chat.session)[0]?.state, lastAnswer(chat.session).error?.action],
      [0, 'cancelled', 'continue'],
    );
    await chat.session.retry();
    assert.equal(textOf(lastAnswer(chat.session)), 'Once upon a time.');
  });

  it('keeps a refused turn on the screen but out of the next request', async () => {
    server.script([{ kind: 'answer', blocks: [{ kind: 'text', text: 'I' }], stopReason: 'refusal' }]);
    await chat.session.send('something bad');
    assert.deepEqual(
      [lastAnswer(chat.session).state, lastAnswer(chat.session).error?.message],
      ['failed', 'The model declined to answer this message.'],
    );
    await chat.session.send('something good');
    assert.deepEqual(
      server.messageBodies[1]?.messages.map((message) => blocksOf(message.content)[0]),
      [{ type: 'text', text: 'something good', cache_control: { type: 'ephemeral' } }],
    );
    assert.equal(chat.session.conversation.items.length, 4);
  });

  it('cuts an oversized result for the model, and says so', async () => {
    tools.behave = () => Promise.resolve(textResult('ü'.repeat(200_000)));
    await chat.session.send('use echo {}');
    const sent = JSON.stringify(resultsOf(1));
    assert.match(sent, /Cut by the chat: 100000 of 400000 bytes/);
    assert.ok(sent.length < 60_000);
    assert.equal(cards(chat.session)[0]?.resultBytes, 400_000);
  });

  it('survives a tool that throws', async () => {
    tools.behave = () => Promise.reject(new Error('boom'));
    await chat.session.send('use echo {}');
    assert.deepEqual(
      [cards(chat.session)[0]?.state, cards(chat.session)[0]?.error, lastAnswer(chat.session).state],
      ['failed', 'The tool could not be run.', 'done'],
    );
  });
});
