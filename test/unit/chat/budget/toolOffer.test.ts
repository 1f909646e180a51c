import assert from 'node:assert/strict';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { ChatBudget } from '../../../../src/chat/budget/chatBudget.ts';
import { changeChoice, offerTools, pickableTools, readToolChoice, toolRoom, toolTokens } from '../../../../src/chat/budget/toolOffer.ts';
import type { ModelTool } from '../../../../src/chat/models/modelProvider.ts';
import { emptyToolChoice, type ToolChoice } from '../../../../src/contract/chat/contextBudget.ts';
import { echoCall, FakeProvider, FakeTools, makeChat, makeTool } from '../support.ts';
import { ResultsInMemory } from './resultsInMemory.ts';

const of = (server: string, count: number): ModelTool[] =>
  Array.from({ length: count }, (_, index) => ({ ...makeTool(server, `tool${index}`), serverId: server }));
const names = (tools: readonly ModelTool[]): string[] => tools.map(({ name }) => name);

describe('The tools of a request', () => {
  const small = of('small', 3);
  const large = of('large', 300);

  it('are all of them as long as there is room', () => {
    assert.deepEqual(offerTools(small, emptyToolChoice, [], toolRoom(undefined)), { offered: small, hidden: [], leftOut: [] });
  });

  it('are small servers, pinned ones and found ones when there is no room for all', () => {
    const choice: ToolChoice = { ...emptyToolChoice, pinned: [{ serverId: 'large', tool: 'tool7' }] };
    const { offered, hidden } = offerTools([...large, ...small], choice, ['large_tool9', 'small_tool1', 'gone'], toolRoom(undefined));
    assert.deepEqual(names(offered), ['large_tool7', 'small_tool0', 'small_tool1', 'small_tool2', 'large_tool9']);
    assert.equal(hidden.length, 298);
  });

  it('are without those that the person left out, but for the pinned ones of a server', () => {
    let choice = changeChoice(emptyToolChoice, { serverId: 'small', to: 'leftOut' });
    choice = changeChoice(choice, { serverId: 'small', tool: 'tool1', to: 'pinned' });
    assert.deepEqual(names(offerTools(small, choice, [], 10_000).offered), ['small_tool1']);
    choice = changeChoice(choice, { serverId: 'small', to: 'byItself' });
    choice = changeChoice(choice, { serverId: 'small', tool: 'tool1', to: 'leftOut' });
    const offer = offerTools(small, choice, [], 10_000);
    assert.deepEqual(names(offer.offered), ['small_tool0', 'small_tool2']);
    assert.deepEqual(
      pickableTools(small, choice, offer).map((tool) => [tool.tool, tool.choice, tool.isOffered]),
      [
        ['tool0', 'byItself', true],
        ['tool1', 'leftOut', false],
        ['tool2', 'byItself', true],
      ],
    );
  });

  it('are as if nothing was chosen when what was stored cannot be read', () => {
    assert.deepEqual(readToolChoice({ pinned: 'all' }), emptyToolChoice);
    assert.deepEqual(readToolChoice(undefined), emptyToolChoice);
  });

  it('are found by search when they are 300, and can be called then; the tokens saved are counted', async () => {
    const tools = new FakeTools([...large, { ...makeTool('large', 'weather'), serverId: 'large' }], echoCall);
    const provider = new FakeProvider([
      [
        { kind: 'toolUse', id: 'a', name: 'find_tools', input: { query: 'weather' } },
        { kind: 'stop', reason: 'toolUse' },
      ],
      [
        { kind: 'toolUse', id: 'b', name: 'large_weather', input: { city: 'Bern' } },
        { kind: 'stop', reason: 'toolUse' },
      ],
    ]);
    const choice = { read: () => undefined, write: () => Promise.resolve() };
    const budget = new ChatBudget({ tools, results: new ResultsInMemory(), choice });
    const chat = makeChat(provider, tools, { budget });
    await chat.session.send('weather?');
    assert.deepEqual(
      provider.requests.map((request) => names(request.tools)),
      [['find_tools'], ['find_tools', 'large_weather'], ['find_tools', 'large_weather']],
    );
    assert.match(provider.requests[0]?.system ?? '', /More tools are connected than are listed: large \(301\)/);
    assert.deepEqual(
      tools.calls.map((call) => call.arguments),
      [{ city: 'Bern' }],
    );
    const { tools: offer } = chat.session.state().context ?? {};
    assert.deepEqual([offer?.total, offer?.offered], [301, 1]);
    assert.equal(
      offer?.savedTokens,
      large.reduce((sum, tool) => sum + toolTokens(tool), 0),
    );
    chat.dispose();
    budget.dispose();
  });
});

describe('What the person chose of tools', () => {
  it('is kept with the conversation; new ones begin with what was chosen last', async () => {
    const both = [
      { ...makeTool('one', 'a'), serverId: 'one' },
      { ...makeTool('two', 'b'), serverId: 'two' },
    ];
    const tools = new FakeTools(both, echoCall);
    let last: unknown;
    const choice = { read: () => last, write: (next: unknown) => Promise.resolve(void (last = next)) };
    const provider = new FakeProvider([]);
    const budget = new ChatBudget({ tools, results: new ResultsInMemory(), choice });
    const chat = makeChat(provider, tools, { budget });
    const offered = (): readonly string[] => names(provider.requests.at(-1)?.tools ?? []);
    await chat.session.send('with both');
    const first = Conversation.fromJSON(JSON.parse(JSON.stringify(chat.session.conversation)));
    await chat.session.newConversation();
    await chat.session.room.chooseTool({ serverId: 'two', tool: 'b', to: 'leftOut' });
    await chat.session.send('with one');
    assert.deepEqual(offered(), ['one_a']);
    const second = Conversation.fromJSON(JSON.parse(JSON.stringify(chat.session.conversation)));
    await chat.session.newConversation();
    await chat.session.send('as chosen last');
    assert.deepEqual(offered(), ['one_a']);
    await chat.session.open(first);
    await chat.session.send('again');
    assert.deepEqual(offered(), ['one_a', 'two_b'], 'as it was in this one');
    await chat.session.room.chooseTool({ serverId: 'one', tool: 'a', to: 'leftOut' });
    await chat.session.open(second);
    await chat.session.send('again');
    assert.deepEqual(offered(), ['one_a']);
    chat.dispose();
    budget.dispose();
  });

  it('names a server that waits for permission, for one message; a pinned tool does so too', async () => {
    const tools = new FakeTools([], echoCall);
    const asked: unknown[] = [];
    tools.prepare = ({ named, pinned }) => Promise.resolve(void asked.push([named, pinned]));
    tools.waiting = () => ['notes', 'shop'].map((server) => ({ serverId: server, server }));
    const choice = { read: () => undefined, write: () => Promise.resolve() };
    const budget = new ChatBudget({ tools, results: new ResultsInMemory(), choice });
    const chat = makeChat(new FakeProvider([]), tools, { budget });
    const waiting = (): unknown => chat.session.room.pickable().waiting?.map(({ serverId, isNamed }) => [serverId, isNamed]);
    await chat.session.room.chooseTool({ serverId: 'notes', to: 'pinned' });
    await chat.session.room.chooseTool({ serverId: 'shop', to: 'pinned' });
    await chat.session.room.chooseTool({ serverId: 'shop', to: 'byItself' });
    assert.deepEqual(waiting(), [
      ['notes', true],
      ['shop', false],
    ]);
    await chat.session.send('What do they say?');
    assert.deepEqual(waiting(), [
      ['notes', false],
      ['shop', false],
    ]);
    await chat.session.room.chooseTool({ serverId: 'shop', tool: 'buy', to: 'pinned' });
    await chat.session.send('And now?');
    assert.deepEqual(asked, [
      [['notes'], []],
      [[], ['shop']],
    ]);
    chat.dispose();
    budget.dispose();
  });
});
