import assert from 'node:assert/strict';
import { isAbort } from '../../../../src/base/errors.ts';
import { readGuideRequest } from '../../../../src/chat/models/guideRequest.ts';
import { OfflineGuide } from '../../../../src/chat/models/offlineGuide.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { askingCall, cards, EagerClock, FakeTools, lastAnswer, makeChat, makeTool, textOf, type TestChat } from '../support.ts';

const message = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] };
const echo = makeTool('everything', 'echo', message);
const add = makeTool('everything', 'get-sum', {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
});
const time = makeTool('clock', 'now');
const otherEcho = makeTool('second server', 'echo', message);
const tools = [echo, add, time];

describe('the offline guide', () => {
  let fake: FakeTools;
  let chat: TestChat;

  beforeEach(() => {
    fake = new FakeTools(tools, askingCall);
    chat = makeChat(new OfflineGuide({ clock: new EagerClock() }), fake);
  });
  afterEach(() => chat.dispose());

  const reply = async (text: string): Promise<string> => {
    await chat.session.send(text);
    return textOf(lastAnswer(chat.session));
  };
  const run = async (text: string, choice: 'allowOnce' | 'deny'): Promise<string> => {
    const sent = chat.session.send(text);
    await chat.until(() => chat.session.questions.list().length === 1);
    chat.session.answer({ askId: 'ask-1', choice });
    await sent;
    return textOf(lastAnswer(chat.session));
  };

  it('runs a tool after Allow, says what it did and what to try next', async () => {
    const text = await run('run echo with {"message": "hello"}', 'allowOnce');
    assert.match(text, /Running `echo` of \*\*everything\*\*/);
    assert.match(
      text,
      /Done: `echo` of \*\*everything\*\* ran and answered:\n\n```text\n\{"message":"hello"\}\n```\n\nNext you could write `run now`/,
    );
    assert.deepEqual(
      [fake.calls[0]?.arguments, cards(chat.session)[0]?.state, lastAnswer(chat.session).state],
      [{ message: 'hello' }, 'done', 'done'],
    );
  });

  it('says that nothing ran when the person declines', async () => {
    assert.match(
      await run('call everything echo {"message":"x"}', 'deny'),
      /You declined, so `echo` of \*\*everything\*\* \*\*did not run\*\*/,
    );
    assert.equal(cards(chat.session)[0]?.state, 'denied');
  });

  it('says that a stored answer refused a call and where to take it back, in its own words and on the card', async () => {
    fake.behave = () => Promise.resolve({ kind: 'denied', byStoredAnswer: true });
    const text = await reply('run clock now');
    assert.match(text, /`now` of \*\*clock\*\* \*\*did not run\*\*: an answer that you stored.*“Duplex: Manage Permissions”/);
    assert.doesNotMatch(text, /You declined/);
    const [card] = cards(chat.session);
    assert.equal(card?.state, 'denied');
    assert.match(card.error ?? '', /stored.*“Duplex: Manage Permissions”/);
  });

  it('says that a tool failed, and why', async () => {
    fake.behave = () => Promise.resolve({ kind: 'failed', message: 'The server is gone.', sentence: 'It is gone.' });
    assert.match(await reply('run clock now'), /`now` of \*\*clock\*\* did not succeed:\n\n```text\nThe call failed: The server is gone\./);
  });

  it('names the tool and its server also when that server is gone after the call', async () => {
    fake.behave = () => {
      fake.tools = [echo];
      return Promise.resolve({ kind: 'failed', message: 'The server is gone.', sentence: 'It is gone.' });
    };
    assert.match(await reply('run clock now'), /`now` of \*\*clock\*\* did not succeed/);
  });

  it('says plainly that it is not an AI, on a greeting and when it does not understand', async () => {
    assert.match(await reply('hello!'), /not an AI/);
    const text = await reply('Please write me a poem about trees.');
    assert.match(text, /not an AI.*cannot answer that/);
    assert.match(text, /`run now`/);
    assert.deepEqual(await new OfflineGuide().listModels(), [{ id: 'offline-guide', label: 'Offline guide, not an AI' }]);
  });

  it('lists the tools of every server with the first line of their description', async () => {
    const text = await reply('tools');
    assert.match(text, /\*\*everything\*\* \(2\)\n\n- `echo` – The echo tool\.\n- `get-sum`/);
    assert.doesNotMatch(await reply('tools clock'), /everything/);
  });

  it('proposes an example that it then understands, when arguments are missing or unreadable', async () => {
    const text = await reply('run get-sum');
    assert.match(text, /needs `a`, `b`/);
    const [, example = ''] = /```text\n(.*)\n```/.exec(text) ?? [];
    assert.deepEqual(readGuideRequest(example, tools), { kind: 'run', tool: add, args: { a: 1, b: 1 } });
    assert.match(await reply('run get-sum with {"a": 1,'), /must be a JSON object/);
    assert.equal(fake.calls.length, 0);
  });

  it('helps with unknown and ambiguous tools', async () => {
    assert.match(await reply('run sum'), /no tool called `sum`.*Did you mean.*get-sum/s);
    fake.tools = [echo, otherEcho];
    assert.match(await reply('run echo with {"message":"x"}'), /Several servers have a tool called `echo`.*run second server echo with/s);
  });

  it('says what to do when no server runs', async () => {
    assert.match(await reply('read demo://resource/1'), /no resource called `demo:\/\/resource\/1`.*No running server has resources/s);
    assert.match(await reply('/summary'), /no prompt called `summary`.*No running server has prompts/s);
    fake.tools = [];
    assert.match(await reply('tools'), /No server with tools is running yet/);
  });

  it('shows nothing hidden and no foreign Markdown from a server', async () => {
    fake.tools = [{ ...makeTool('evil`](x)', 'a\u202Eb'), description: '<img src=x> [click](http://x) \u200B' }];
    const text = await reply('tools');
    assert.ok(text.includes('a⟨U+202E⟩b') && !text.includes('<img') && !text.includes('[click]'));
  });

  it('streams its text in small pieces', async () => {
    await reply('hello');
    assert.ok(chat.messages.filter((each) => each.name === 'chat/text').length >= 1);
    const pieces = [];
    for await (const event of new OfflineGuide({ clock: new EagerClock() }).stream(
      { model: '', system: '', tools: [], maxTokens: 1, messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] },
      new AbortController().signal,
    )) {
      pieces.push(event.kind);
    }
    assert.ok(pieces.length > 10);
    assert.equal(pieces.at(-1), 'stop');
  });

  it('stops at once', async () => {
    const controller = new AbortController();
    const clock = new FakeClock();
    const stream = new OfflineGuide({ clock }).stream({ model: '', system: '', tools: [], maxTokens: 1, messages: [] }, controller.signal);
    const next = stream.next();
    controller.abort();
    await assert.rejects(next, isAbort);
    assert.equal(clock.pending, 0);
  });

  it('speaks through the texts it is given', async () => {
    const guide = new OfflineGuide({ clock: new EagerClock(), texts: (key) => `<${key}>` });
    chat.dispose();
    chat = makeChat(guide, fake);
    assert.equal(await reply('hi'), '<greeting>\n\n<helpRun>\n<helpTools>\n<helpContent>\n<helpRead>\n<helpKey>');
  });
});

describe('readGuideRequest', () => {
  it('understands the ways people name tools and give arguments', () => {
    const all = [echo, add, time, otherEcho];
    const understood = [
      'run everything echo with {"message":"a"}',
      'please call everything.echo {"message":"a"}',
      'use echo of everything with arguments {"message":"a"}',
      'RUN `everything/echo` with {"message":"a"}',
      'run the tool everything_echo with message=a',
      'run everything echo with "a"',
    ];
    for (const text of understood) {
      assert.deepEqual(readGuideRequest(text, all), { kind: 'run', tool: echo, args: { message: 'a' } }, text);
    }
    assert.deepEqual(readGuideRequest('run get-sum a=1 b=2.5', all), { kind: 'run', tool: add, args: { a: 1, b: 2.5 } });
    assert.deepEqual(readGuideRequest('run second server echo hello you', all), {
      kind: 'run',
      tool: otherEcho,
      args: { message: 'hello you' },
    });
    assert.deepEqual(readGuideRequest('run now', all), { kind: 'run', tool: time, args: {} });
  });

  it('sorts the other requests', () => {
    const kinds = [
      'tools',
      'list tools',
      'what tools are there?',
      'help',
      'What can you do?',
      'hi',
      'read file:///x',
      '/prompt',
      'explain monads',
      '',
    ].map((text) => readGuideRequest(text, tools).kind);
    assert.deepEqual(kinds, ['tools', 'tools', 'tools', 'help', 'help', 'greeting', 'content', 'content', 'other', 'other']);
  });
});
