import assert from 'node:assert/strict';
import type { ContentOffers, OfferedPrompt, OfferedResource, OfferedTemplate } from '../../../../src/chat/models/contentOffers.ts';
import { OfflineGuide } from '../../../../src/chat/models/offlineGuide.ts';
import { type GuideContentRequest, readGuideRequest } from '../../../../src/chat/models/guideRequest.ts';
import { FakeContent, text } from '../content/support.ts';
import { EagerClock, echoCall, FakeTools, lastAnswer, makeChat, textOf, type TestChat } from '../support.ts';

const resource = (server: string, uri: string, name: string, title?: string): OfferedResource => ({
  serverId: `workspace:${server}`,
  server,
  uri,
  name,
  title,
  description: '',
});
const prompt = (server: string, name: string, ...args: readonly string[]): OfferedPrompt => ({
  serverId: `workspace:${server}`,
  server,
  name,
  title: undefined,
  description: `The ${name} prompt.`,
  arguments: args.map((each) => ({ name: each.replace('?', ''), description: '', isRequired: !each.endsWith('?') })),
});
const byDay: OfferedTemplate = {
  serverId: 'workspace:diary',
  server: 'diary',
  uriTemplate: 'diary://days/{day}/page/{page}',
  name: 'A page',
  title: undefined,
  description: '',
};
const offers: ContentOffers = {
  resources: [
    resource('docs', 'docs://guide.md', 'guide.md', 'The Guide'),
    resource('docs', 'docs://notes.md', 'notes.md'),
    resource('diary', 'diary://notes', 'notes.md'),
  ],
  templates: [byDay],
  prompts: [
    prompt('docs', 'summary'),
    prompt('docs', 'weather', 'city', 'state?'),
    prompt('diary', 'summary'),
    prompt('docs', 'greet', 'name'),
  ],
};

function read(sentence: string, known = offers): GuideContentRequest {
  const request = readGuideRequest(sentence, [], known);
  assert.equal(request.kind, 'content', sentence);
  return request.asked;
}

describe('A request for a resource, in plain words,', () => {
  it('is understood by its address, its name and its title', () => {
    const ways = [
      'read docs://guide.md',
      'read guide.md',
      'please read the resource `guide.md`',
      'Read The Guide.',
      'open guide.md',
      'show the resource The Guide',
      'read guide.md of docs',
      'attach docs guide.md',
    ];
    for (const way of ways) {
      assert.deepEqual(
        read(way),
        { kind: 'send', wish: { kind: 'resource', serverId: 'workspace:docs', server: 'docs', uri: 'docs://guide.md', name: 'The Guide' } },
        way,
      );
    }
  });

  it('names the choices where it means more than one, and the server decides', () => {
    const asked = read('read notes.md');
    assert.equal(asked.kind, 'ambiguousResource');
    assert.deepEqual(
      asked.matches.map(({ uri, server }) => `${uri} of ${server}`),
      ['docs://notes.md of docs', 'diary://notes of diary'],
    );
    const one = read('read diary://notes of diary');
    assert.equal(one.kind === 'send' && one.wish.kind === 'resource' && one.wish.uri, 'diary://notes');
  });

  it('takes an address that a pattern of the named server could have made, and says so where only the pattern is named', () => {
    const page = read('read diary://days/monday/page/2 of diary');
    assert.equal(
      page.kind === 'send' && page.wish.kind === 'resource' && `${page.wish.uri} ${page.wish.server}`,
      'diary://days/monday/page/2 diary',
    );
    assert.equal(read('read A page').kind, 'fillTemplate');
    for (const wrong of [
      'read diary://days//page/2',
      'read diary://days/monday',
      'read diary://days/monday/page/',
      'read file:///etc/passwd',
    ]) {
      assert.equal(read(wrong).kind, 'unknownResource', wrong);
    }
  });

  it('gives an address that nobody lists to no server that the person has not named', () => {
    const greedy = { ...byDay, serverId: 'workspace:greedy', server: 'greedy', uriTemplate: 'diary://{anything}' };
    for (const templates of [[byDay], [byDay, greedy, greedy]]) {
      const asked = read('read diary://days/monday/page/2', { ...offers, templates });
      assert.equal(asked.kind, 'unlistedResource');
      assert.deepEqual(
        asked.matches.map(({ server }) => server),
        templates.length === 1 ? ['diary'] : ['diary', 'greedy'],
      );
      const named = read('read diary://days/monday/page/2 of diary', { ...offers, templates });
      assert.equal(named.kind === 'send' && named.wish.server, 'diary');
    }
  });

  it('that a server lists twice under one address is one', () => {
    const twice = { ...offers, resources: [resource('docs', 'a://1', 'A'), resource('docs', 'a://1', 'B')] };
    assert.equal(read('read a://1', twice).kind, 'send');
    const prompts = { ...offers, prompts: [prompt('docs', 'again'), prompt('docs', 'again')] };
    assert.equal(read('/again', prompts).kind, 'send');
  });

  it('takes no longer for a pattern that is made to be slow', () => {
    const slow = { ...byDay, uriTemplate: `a${'{x}{y}a'.repeat(20_000)}b` };
    const asked = read(`read ${'a'.repeat(8_000)}`, { ...offers, templates: [slow] });
    assert.equal(asked.kind, 'unknownResource');
  });
});

describe('A request for a prompt, in plain words,', () => {
  it('is understood with JSON, with pairs, with a single text and without arguments', () => {
    const wish = (name: string, args: Record<string, string>): unknown => ({
      kind: 'send',
      wish: { kind: 'prompt', serverId: 'workspace:docs', server: 'docs', name, description: `The ${name} prompt.`, arguments: args },
    });
    assert.deepEqual(read('prompt weather with {"city": "Paris", "state": 75}'), wish('weather', { city: 'Paris', state: '75' }));
    assert.deepEqual(read('/weather city="New York" state=NY'), wish('weather', { city: 'New York', state: 'NY' }));
    assert.deepEqual(read('use the prompt weather city=Rome'), wish('weather', { city: 'Rome' }));
    assert.deepEqual(read('/greet Anna'), wish('greet', { name: 'Anna' }));
    assert.deepEqual(read('/summary of docs'), wish('summary', {}));
  });

  it('asks for required arguments that are missing, and for the server where two have it', () => {
    const asked = read('/weather state=NY');
    assert.deepEqual(asked.kind === 'promptNeeds' && [asked.prompt.name, asked.given, asked.missing], [
      'weather',
      { state: 'NY' },
      ['city'],
    ]);
    assert.equal(read('/weather {"city": ').kind, 'badPromptArguments');
    assert.equal(read('prompt summary').kind, 'ambiguousPrompt');
  });

  it('lists what there is for a name that nobody has, and on request', () => {
    assert.deepEqual(read('/summry'), { kind: 'unknownPrompt', name: 'summry', near: [] });
    assert.deepEqual(
      ['prompts', 'list prompts', 'Show me the prompts of docs', '/', 'list resources', 'what resources are there?'].map((each) =>
        read(each),
      ),
      [
        { kind: 'list', what: 'prompts', server: undefined },
        { kind: 'list', what: 'prompts', server: undefined },
        { kind: 'list', what: 'prompts', server: 'docs' },
        { kind: 'list', what: 'prompts', server: undefined },
        { kind: 'list', what: 'resources', server: undefined },
        { kind: 'list', what: 'resources', server: undefined },
      ],
    );
  });
});

describe('The offline guide, asked for a resource or a prompt,', () => {
  let content: FakeContent;
  let chat: TestChat;
  beforeEach(() => {
    content = new FakeContent();
    content.offered = offers;
    content.given = [text('Chapter one.')];
    chat = makeChat(new OfflineGuide({ clock: new EagerClock() }), new FakeTools([], echoCall), { content });
  });
  afterEach(() => {
    chat.dispose();
    content.dispose();
  });
  const reply = async (sentence: string, choice?: 'allowOnce' | 'deny'): Promise<string> => {
    const sent = chat.session.send(sentence);
    if (choice !== undefined) {
      await chat.until(() => chat.session.questions.list().length === 1);
      const [question] = chat.session.questions.list();
      assert.deepEqual(question?.detail.kind === 'sendContent' && question.detail.destination, { kind: 'guide' });
      chat.session.answer({ askId: question?.askId ?? '', choice });
    }
    await sent;
    return textOf(lastAnswer(chat.session));
  };

  it('reads it after Allow and says nothing of it in its own voice: neither an order in it nor a secret that was kept', async () => {
    content.given = [text('Chapter one. password=correct-horse-7')];
    const sent = chat.session.send('read guide.md');
    await chat.until(() => chat.session.questions.list().length === 1);
    chat.session.answer({ askId: chat.session.questions.list()[0]?.askId ?? '', choice: 'allowOnce', keptSecrets: [1] });
    await sent;
    const said = textOf(lastAnswer(chat.session));
    assert.match(said, /Reading `The Guide` of \*\*docs\*\*.*only if you allow it/s);
    assert.match(said, /is part of this conversation now.*Open the card above/s);
    assert.ok(!said.includes('Chapter one') && !JSON.stringify(chat.messages).includes('correct-horse'));
  });

  it('lists addresses without the secrets in them', async () => {
    content.offered = { ...offers, resources: [resource('docs', 'https://ada:correct-horse-7@example.test/a', 'secret notes')] };
    for (const sentence of ['list resources', 'read secret things']) {
      const said = await reply(sentence);
      assert.ok(said.includes('example.test/a') && !said.includes('correct-horse'), said);
    }
  });

  it('asks servers what they have only for a request about that', async () => {
    let asked = 0;
    content.offers = () => {
      asked += 1;
      return Promise.resolve(offers);
    };
    for (const sentence of ['hello', 'help', 'tools', 'run echo', 'why is the sky blue?']) {
      await reply(sentence);
    }
    assert.equal(asked, 0);
    await reply('list prompts');
    assert.equal(asked, 1);
  });

  it('names a few of many that are meant, and says how many more there are', async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => index);
    content.offered = {
      resources: many.map((each) => resource('docs', `docs://${each}`, 'same')),
      templates: [],
      prompts: many.map((each) => ({ ...prompt('docs', 'same'), serverId: `workspace:${each}` })),
    };
    for (const sentence of ['read same', 'prompt same']) {
      const said = await reply(sentence);
      assert.equal([...said.matchAll(/^- `/gm)].length, 12);
      assert.match(said, /- … and 19988 more\.$/);
    }
  });

  it('says that nothing was sent after Deny', async () => {
    assert.match(await reply('/greet Anna', 'deny'), /You declined.*`greet` of \*\*docs\*\* was \*\*not sent\*\*/s);
  });

  it('proposes examples that it then understands', async () => {
    for (const [sentence, kind] of [
      ['/weather', 'promptNeeds'],
      ['read A page', 'fillTemplate'],
    ] as const) {
      assert.equal(read(sentence).kind, kind);
      const [, example = ''] = /```text\n(.*)\n```/.exec(await reply(sentence)) ?? [];
      assert.equal(read(example).kind, 'send', example);
    }
    for (const sentence of ['read notes.md', 'prompt summary']) {
      const examples = [...(await reply(sentence)).matchAll(/^- `(.*)`$/gm)].map(([, example = '']) => read(example).kind);
      assert.deepEqual(examples, ['send', 'send']);
    }
  });

  it('lists what there is, with nothing hidden and no foreign Markdown', async () => {
    content.offered = { ...offers, resources: [resource('docs', 'docs://a\u202Eb', '[click](http://x) <img>')] };
    const said = await reply('list resources');
    assert.ok(said.includes('`docs://a⟨U+202E⟩b`') && said.includes('diary://days/{day}/page/{page}'));
    assert.ok(!said.includes('[click]') && !said.includes('<img'));
    assert.match(await reply('list prompts'), /\*\*docs\*\* \(3\)\n\n- `\/summary` – The summary prompt\.\n- `\/weather`/);
  });
});
