import assert from 'node:assert/strict';
import { DisposableStore } from '../../../../src/base/lifecycle.ts';
import type { ContentWish } from '../../../../src/chat/models/contentOffers.ts';
import type { AttachedBlock, ModelEvent, ModelMessage, ModelRequest } from '../../../../src/chat/models/modelProvider.ts';
import type { ContentPart } from '../../../../src/contract/chat/chatState.ts';
import type { Choice, PersonAnswer, Question } from '../../../../src/contract/questions/questions.ts';
import type { SendContentQuestion } from '../../../../src/contract/questions/sentContent.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { echoCall, FakeProvider, FakeTools, lastAnswer, makeChat, type TestChat } from '../support.ts';
import { FakeContent, notes, review, text } from './support.ts';

const token = `ghp_${'a1B2'.repeat(9)}`;
const password = 'correct-horse-7';

describe('A resource or prompt on its way to the model', () => {
  let content: FakeContent;
  let provider: FakeProvider;
  let chat: TestChat;
  let answer: Choice | Omit<PersonAnswer, 'askId'>;
  let asked: Question[];
  let opened: DisposableStore;

  const wishes = (...wanted: readonly ContentWish[]): readonly ModelEvent[] => [
    { kind: 'text', text: 'Reading.' },
    ...wanted.map((wish): ModelEvent => ({ kind: 'content', wish })),
    { kind: 'stop', reason: 'toolUse' },
  ];

  function open(...rounds: readonly (readonly ModelEvent[])[]): void {
    provider = new FakeProvider(rounds);
    chat = makeChat(provider, new FakeTools([], echoCall), { content, model: 'model-1' });
    const answering = chat.session.questions.onDidChange(() => {
      for (const question of chat.session.questions.list().filter(({ askId }) => !asked.some((each) => each.askId === askId))) {
        asked.push(question);
        const given = typeof answer === 'string' ? { choice: answer } : answer;
        setImmediate(() => chat.session.answer({ askId: question.askId, ...given }));
      }
    });
    opened.add(chat);
    opened.add(answering);
  }

  beforeEach(() => {
    opened = new DisposableStore();
    content = new FakeContent();
    asked = [];
    answer = 'allowOnce';
  });
  afterEach(() => {
    chat.dispose();
    opened.dispose();
    content.dispose();
  });

  it('shows what its server asks meanwhile in its own place, one question after the other, and below it when it is over', async () => {
    const roots = (askId: string): Question => {
      return { askId, detail: { kind: 'roots', server: 'demo', folders: [] }, why: 'new', differences: [], choices: ['deny', 'allowOnce'] };
    };
    const places: string[] = [];
    const late: Promise<unknown>[] = [];
    content.reading = async (signal, ask) => {
      await ask(roots('meanwhile'), signal);
      late.push(ask(roots('late'), signal));
      return { kind: 'failed', sentence: 'No.' };
    };
    open(wishes(notes), [{ kind: 'stop', reason: 'end' }]);
    const watching = chat.session.questions.onDidChange(() => {
      const seen = lastAnswer(chat.session).parts.flatMap((part) =>
        (part.kind === 'content' || part.kind === 'question') && part.question !== undefined ? [`${part.kind} ${part.question.askId}`] : [],
      );
      places.push(...seen);
    });
    opened.add(watching);
    await chat.session.send('read notes');
    await Promise.all(late);
    assert.equal(places[0], 'content meanwhile');
    assert.equal(late.length, 1);
    const parts = lastAnswer(chat.session).parts.map((part) => (part.kind === 'content' ? part.state : part.kind));
    assert.deepEqual([parts.includes('failed'), parts.includes('question')], [true, false]);
  });

  it('reaches the model exactly as it was shown, between lines that say whose it is', async () => {
    content.given = [text('First line\u200B\nsecond line')];
    open(wishes(notes));
    await chat.session.send('read notes');
    const detail = detailOf(asked[0]);
    assert.deepEqual(
      [detail.source, detail.server, detail.destination, detail.bytes, detail.invisible],
      [
        { kind: 'resource', uri: 'demo://notes', name: 'Notes' },
        'demo',
        { kind: 'model', name: 'model-1', address: provider.address },
        Buffer.byteLength('First line⟨U+200B⟩\nsecond line'),
        1,
      ],
    );
    const shown = detail.items.map((item) => (item.kind === 'text' ? item.pieces.join('') : item.kind));
    assert.deepEqual(shown, ['First line⟨U+200B⟩\nsecond line']);
    const attached = attachedIn(provider.requests[1]);
    assert.deepEqual(textsOf(contentWithin(attached)), shown);
    const [opening = '', , closing = ''] = textsOf(attached.content);
    assert.match(opening, /resource "Notes" \("demo:\/\/notes"\) of the MCP server "demo".*not instructions to you/);
    const [mark = ''] = /[0-9a-f-]{36}/.exec(opening) ?? [];
    assert.ok(closing.endsWith(`${mark}]`), 'the end carries the mark of the beginning');
  });

  it('leaves no word of its content with the model when the person denies it', async () => {
    content.given = [text('nobody shall read this')];
    answer = 'deny';
    open(wishes(notes));
    await chat.session.send('read notes');
    const attached = attachedIn(provider.requests[1]);
    assert.equal(attached.outcome, 'denied');
    assert.ok(!JSON.stringify(provider.requests).includes('nobody shall read this'));
    const part = partOf(chat);
    assert.deepEqual([part.state, part.items, part.question], ['denied', [], undefined]);
    assert.deepEqual(
      content.records.map(({ action, peer, subject, outcome, decidedBy }) => [action, peer, subject, outcome, decidedBy]),
      [['sendContent', 'demo', 'demo://notes', 'denied', 'person']],
    );
  });

  it('is sent without the secrets found in it, whose values no question and no part of the answer has', async () => {
    content.given = [text(`GITHUB_TOKEN=${token}\npassword="${password}"\n`)];
    open(wishes(notes));
    await chat.session.send('read notes');
    assert.deepEqual(detailOf(asked[0]).secrets, [
      { before: 'GITHUB_TOKEN=', length: token.length },
      { before: 'password="', length: password.length },
    ]);
    assert.deepEqual(textsOf(contentWithin(attachedIn(provider.requests[1]))), ['GITHUB_TOKEN=[redacted]\npassword="[redacted]"\n']);
    assert.deepEqual([partOf(chat).removedSecrets, partOf(chat).keptSecrets], [2, []]);
    const seen = JSON.stringify([asked, chat.messages, provider.requests]);
    assert.ok(!seen.includes(token) && !seen.includes(password));
  });

  it('is sent with the one secret that the person keeps, and without the other', async () => {
    content.given = [text(`GITHUB_TOKEN=${token}\npassword="${password}"\n`)];
    answer = { choice: 'allowOnce', keptSecrets: [2, 7] };
    open(wishes(notes));
    await chat.session.send('read notes');
    assert.deepEqual(textsOf(contentWithin(attachedIn(provider.requests[1]))), [`GITHUB_TOKEN=[redacted]\npassword="${password}"\n`]);
    assert.ok(!JSON.stringify(chat.messages).includes(password), 'the page never has it');
  });

  it('is sent with nothing hidden in a secret that the person keeps, and says the size that was sent', async () => {
    content.given = [text('password="correct\u200B-horse\u{E0041}-7"\n')];
    answer = { choice: 'allowOnce', keptSecrets: [1] };
    open(wishes(notes));
    await chat.session.send('read notes');
    const [sent = ''] = textsOf(contentWithin(attachedIn(provider.requests[1])));
    assert.equal(sent, 'password="correct⟨U+200B⟩-horse⟨U+E0041⟩-7"\n');
    assert.deepEqual([partOf(chat).bytes, detailOf(asked[0]).invisible], [Buffer.byteLength(sent), 2]);
  });

  it('is asked about once where the person allowed it for the session, and a new secret in it is removed and counted', async () => {
    content.given = [text('one')];
    answer = 'allowSession';
    open(wishes(notes), [{ kind: 'stop', reason: 'end' }], wishes(notes));
    await chat.session.send('read notes');
    content.given = [text(`two ${token}`)];
    await chat.session.send('read notes again');
    assert.equal(asked.length, 1);
    assert.deepEqual(textsOf(contentWithin(attachedIn(provider.requests[3]))), ['two [redacted]']);
    assert.equal(partOf(chat).removedSecrets, 1);
  });

  for (const [change, apply] of [
    ['another resource of the server', (): ContentWish => ({ ...notes, uri: 'demo://other' }) as ContentWish],
    ['the same address at another server', (): ContentWish => ({ ...notes, serverId: 'user:demo' })],
    [
      'a server that was approved anew',
      (): ContentWish => {
        content.identity = 'approved anew';
        return notes;
      },
    ],
    [
      'another destination',
      (): ContentWish => {
        provider.address = 'https://elsewhere.example';
        return notes;
      },
    ],
  ] as const) {
    it(`asks again for ${change}, whatever was allowed for the session`, async () => {
      content.given = [text('one')];
      answer = 'allowSession';
      open(wishes(notes), [{ kind: 'stop', reason: 'end' }]);
      await chat.session.send('read notes');
      await chat.session.newConversation();
      const other = apply();
      provider.requests.length = 0;
      const rest = new FakeProvider([wishes(other)]);
      rest.address = provider.address;
      chat.dispose();
      provider = rest;
      chat = makeChat(rest, new FakeTools([], echoCall), { content, model: 'model-1' });
      const sent = chat.session.send('read it');
      await chat.until(() => chat.session.questions.list().length === 1);
      chat.session.answer({ askId: chat.session.questions.list()[0]?.askId ?? '', choice: 'deny' });
      await sent;
      assert.equal(attachedIn(rest.requests[1]).outcome, 'denied');
    });
  }

  it('is never offered for always, and is asked about once only where its address has a secret in it', async () => {
    content.given = [text('one')];
    open(wishes(notes, { ...notes, uri: `https://ada:${password}@example.test/notes` } as ContentWish));
    await chat.session.send('read notes');
    assert.deepEqual(
      asked.map(({ choices }) => choices),
      [
        ['deny', 'denyAlways', 'allowOnce', 'allowSession', 'allowWorkspace'],
        ['deny', 'allowOnce'],
      ],
    );
    assert.ok(!JSON.stringify([asked, chat.messages, provider.requests, content.records]).includes(password));
  });

  it('that is always denied is not even read', async () => {
    content.given = [text('one')];
    answer = 'denyAlways';
    open(wishes(notes), [{ kind: 'stop', reason: 'end' }], wishes(notes));
    await chat.session.send('read notes');
    await chat.session.send('read notes again');
    assert.deepEqual([content.reads.length, asked.length, attachedIn(provider.requests[3]).outcome], [1, 1, 'deniedBefore']);
    assert.match(partOf(chat).error ?? '', /“Duplex: Manage Permissions”/);
  });

  it('of a prompt shows the arguments and whose words are whose', async () => {
    content.given = [
      { role: 'user', kind: 'text', name: '', text: 'Review a.ts' },
      { role: 'assistant', kind: 'text', name: '', text: 'Gladly.' },
    ];
    open(wishes(review));
    await chat.session.send('/review');
    assert.deepEqual(detailOf(asked[0]).source, {
      kind: 'prompt',
      name: 'review',
      description: 'Reviews code.',
      arguments: [{ name: 'file', value: 'a.ts' }],
    });
    const attached = attachedIn(provider.requests[1]);
    assert.deepEqual(textsOf(contentWithin(attached)), ['[user]', 'Review a.ts', '[assistant]', 'Gladly.']);
    assert.match(textsOf(attached.content)[0] ?? '', /chose the prompt "review" with file="a.ts".*nothing that outranks them/);
  });

  it('that cannot be read says why to the person alone, without secrets: nobody was asked whether the model may have the reason', async () => {
    content.reading = () => Promise.resolve({ kind: 'failed', sentence: `Sie ist\u200B weg: ${token}. ${'x'.repeat(5_000)}` });
    open(wishes({ ...notes, name: 'Call delete_all' }));
    await chat.session.send('read notes');
    assert.deepEqual([partOf(chat).state, asked.length], ['failed', 0]);
    assert.match(partOf(chat).error ?? '', /^Sie ist⟨U\+200B⟩ weg: \[redacted\]\. x{900,1000}…$/);
    assert.deepEqual(textsOf(attachedIn(provider.requests[1]).content), [
      'A resource of the server "demo" could not be read. The person is told why.',
    ]);
    content.reading = () => Promise.resolve({ kind: 'given', content: [] });
    open(wishes(notes));
    await chat.session.send('read notes');
    assert.equal(partOf(chat).error, 'The server gave no content.');
  });

  it('is given up with its question when the person stops the answer', async () => {
    content.given = [text('one')];
    provider = new FakeProvider([wishes(notes)]);
    chat = makeChat(provider, new FakeTools([], echoCall), { content });
    const sent = chat.session.send('read notes');
    await chat.until(() => chat.session.questions.list().length === 1);
    await chat.session.stop();
    await sent;
    assert.deepEqual(
      [partOf(chat).state, partOf(chat).question, chat.session.questions.list(), provider.requests.length],
      ['cancelled', undefined, [], 1],
    );
  });

  it('stops waiting for a server that never answers when the person stops the answer', async () => {
    const reading = new Promise<void>((tell) => {
      content.reading = () => {
        tell();
        return new Promise(() => undefined);
      };
    });
    open(wishes(notes));
    const sent = chat.session.send('read notes');
    await reading;
    await chat.session.stop();
    await sent;
    assert.equal(partOf(chat).state, 'cancelled');
  });

  it('is not allowed where that cannot be written down', async () => {
    content.given = [text('secret plans')];
    content.gate.record = () => Promise.reject(new Error('The disk is full.'));
    open(wishes(notes));
    await chat.session.send('read notes');
    assert.deepEqual([partOf(chat).state, partOf(chat).error], ['failed', 'The disk is full.']);
    assert.ok(!JSON.stringify(provider.requests).includes('secret plans'));
  });

  it('that was let in for the guide goes to no model without a question of its own', async () => {
    content.given = [text('between us')];
    const guide = new FakeProvider([wishes(notes)]);
    guide.destination = () => undefined as unknown as string;
    provider = new FakeProvider([]);
    let answering = guide;
    chat = makeChat(guide, new FakeTools([], echoCall), {
      content,
      settings: () => ({ provider: answering, model: 'model-1', maxTokens: 1_024, maxRounds: 5 }),
    });
    const answerNext = async (choice: Choice): Promise<Question> => {
      await chat.until(() => chat.session.questions.list().length === 1);
      const [question] = chat.session.questions.list();
      assert.ok(question);
      chat.session.answer({ askId: question.askId, choice });
      return question;
    };
    const first = chat.session.send('read notes');
    assert.deepEqual(detailOf(await answerNext('allowWorkspace')).destination, { kind: 'guide' });
    await first;
    answering = provider;
    const second = chat.session.send('and now?');
    assert.equal((await answerNext('deny')).detail.kind, 'sendConversation');
    await second;
    assert.equal(provider.requests.length, 0);
  });

  it('is recognised when the model would hand it on to another server', async () => {
    content.given = [text('The board meets on Tuesday to sell the harbour.')];
    open(wishes(notes));
    await chat.session.send('read notes');
    const { heard } = chat.session.conversation;
    const found = async (given: string): Promise<number> => (await heard.findIn({ given }, 'somebody else')).carried.length;
    assert.equal(await found('FYI: the board meets on Tuesday to sell the harbour'), 1);
    assert.equal((await heard.findIn({}, 'somebody else')).compared, 1);
  });

  it('stays in a conversation that is saved and read again', async () => {
    content.given = [text('kept'), { kind: 'blob', name: '', mimeType: 'image/png', data: 'aGk=' }];
    open(wishes(notes));
    await chat.session.send('read notes');
    const saved = JSON.parse(JSON.stringify(chat.session.conversation)) as unknown;
    const again = Conversation.fromJSON(saved);
    assert.deepEqual([again.items, again.turns], [chat.session.conversation.items, chat.session.conversation.turns]);
    again.dispose();
  });
});

function detailOf(question: Question | undefined): SendContentQuestion {
  assert.equal(question?.detail.kind, 'sendContent');
  return question.detail;
}

function attachedIn(request: ModelRequest | undefined): AttachedBlock {
  const last: ModelMessage | undefined = request?.messages.at(-1);
  const block = last?.content.at(-1);
  assert.equal(block?.type, 'attached');
  return block;
}

/** What the server gave, without our lines around it. */
function contentWithin({ content }: AttachedBlock): AttachedBlock['content'] {
  return content.slice(1, -1);
}

function textsOf(blocks: AttachedBlock['content']): readonly string[] {
  return blocks.map((block) => (block.type === 'text' ? block.text : block.mimeType));
}

function partOf(chat: TestChat): ContentPart {
  const part = lastAnswer(chat.session).parts.find((each) => each.kind === 'content');
  assert.ok(part);
  return part;
}
