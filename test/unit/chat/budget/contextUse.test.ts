import assert from 'node:assert/strict';
import { ChatBudget } from '../../../../src/chat/budget/chatBudget.ts';
import { contextSources, totalTokens } from '../../../../src/chat/budget/contextUse.ts';
import { addCost } from '../../../../src/chat/budget/turnCost.ts';
import { estimateTokens } from '../../../../src/contract/chat/modelPrices.ts';
import type { ModelRequest } from '../../../../src/chat/models/modelProvider.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { echoCall, FakeProvider, FakeTools, makeChat, makeTool } from '../support.ts';
import { ResultsInMemory } from './resultsInMemory.ts';

describe('The context of a request', () => {
  const tools = new FakeTools([makeTool('one', 'a'), makeTool('two', 'b')], echoCall);
  const open = (): ChatBudget =>
    new ChatBudget({ tools, results: new ResultsInMemory(), choice: { read: () => undefined, write: () => Promise.resolve() } });

  it('is counted by source', () => {
    const text = (value: string): { type: 'text'; text: string } => ({ type: 'text', text: value });
    const sources = contextSources({
      system: 'x'.repeat(30),
      tools: [makeTool('one', 'a'), makeTool('two', 'b')],
      messages: [
        {
          role: 'user',
          content: [
            text('x'.repeat(60)),
            { type: 'attached', source: { kind: 'resource', server: 's', name: 'n' }, outcome: 'sent', content: [text('x'.repeat(300))] },
            { type: 'toolResult', toolUseId: 'a', isError: false, outcome: 'done', content: [text('x'.repeat(600))] },
          ],
        },
      ],
    });
    assert.deepEqual(
      sources.filter(({ kind }) => kind !== 'tools'),
      [
        { kind: 'instructions', tokens: 10 },
        { kind: 'attachments', tokens: 100 },
        { kind: 'results', tokens: 200 },
        { kind: 'conversation', tokens: 20 },
      ],
    );
    assert.deepEqual(
      sources.flatMap(({ server }) => server ?? []),
      ['one', 'two'],
    );
  });

  it('counts a text as the cost of a call and a question of a server do', () => {
    for (const text of ['x'.repeat(1_001), 'Grüße, 漢字 and 😀', JSON.stringify({ list: [1, 2, 3] })]) {
      const content = [{ type: 'text', text }] as const;
      const result = {
        type: 'toolResult',
        toolUseId: 'a',
        called: { server: 's', tool: 't' },
        isError: false,
        outcome: 'done',
        content,
      } as const;
      const messages = [{ role: 'user', content: [result] }] as const;
      const [cost] = addCost(undefined, undefined, { model: 'claude-opus-5', messages }).servers;
      const ofCall = estimateTokens(['{}']);
      assert.deepEqual(
        [totalTokens(contextSources({ system: '', tools: [], messages })), (cost?.tokens ?? 0) - ofCall],
        [estimateTokens([text]), estimateTokens([text])],
      );
    }
  });

  it('is what the provider counts, once things are quiet, and about that as soon as something has changed', async () => {
    const clock = new FakeClock();
    const provider = new FakeProvider([]);
    let asked = 0;
    const counting = Object.assign(provider, {
      countTokens: (request: ModelRequest): Promise<number> => {
        asked += 1;
        assert.deepEqual([request.destination, request.messages.at(-1)?.role], [provider.address, 'user']);
        return Promise.resolve(1_234);
      },
    });
    const choice = { read: () => undefined, write: () => Promise.resolve() };
    const budget = new ChatBudget({ tools, results: new ResultsInMemory(), choice, clock });
    const chat = makeChat(counting, tools, { budget });
    const context = (): unknown => [chat.session.state().context?.used === 1_234, chat.session.state().context?.isCounted];
    clock.advance(10_000);
    assert.deepEqual([asked, context()], [0, [false, false]], 'nothing was said yet, and nothing is sent');
    await chat.session.send('hello');
    for (let look = 0; look < 5; look += 1) {
      assert.deepEqual(context(), [false, false]);
      clock.advance(500);
    }
    assert.equal(asked, 0, 'not while it is looked at again and again');
    clock.advance(1_500);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([asked, context(), context()], [1, [true, true], [true, true]]);
    const { sources = [], used } = chat.session.state().context ?? {};
    assert.ok(Math.abs(totalTokens(sources) - (used ?? 0)) < 5, 'the parts add up to it');
    provider.address = 'https://another.example';
    context();
    clock.advance(2_000);
    assert.deepEqual([asked, context()], [1, [false, false]], 'whoever has not heard it is not asked');
    chat.dispose();
    budget.dispose();
  });

  it('says when the limit is not known, and is corrected by what the provider counts', async () => {
    const usage = { kind: 'usage', inputTokens: 500, outputTokens: 1 } as const;
    const provider = new FakeProvider([[usage, { kind: 'text', text: 'hi' }, { kind: 'stop', reason: 'end' }]]);
    const budget = open();
    const chat = makeChat(provider, tools, { budget });
    const before = chat.session.state().context;
    assert.deepEqual([before?.limit, before?.isCounted], [undefined, false]);
    provider.listModels = () => Promise.resolve([{ id: 'claude-stand-in-2', label: 'x', contextTokens: 200_000 }]);
    await chat.session.send('hello');
    const [request] = provider.requests;
    assert.ok(request);
    const ratio = 500 / totalTokens(contextSources(request));
    const after = chat.session.state().context;
    assert.deepEqual([after?.limit, after?.isCounted], [200_000, false]);
    const estimate = totalTokens(
      contextSources({ ...request, messages: [...request.messages, { role: 'assistant', content: [{ type: 'text', text: 'hi' }] }] }),
    );
    assert.ok(Math.abs((after?.used ?? 0) - estimate * ratio) < 5, `${after?.used} is not about ${estimate * ratio}`);
    assert.equal(
      after?.used,
      after?.sources.reduce((sum, { tokens }) => sum + tokens, 0),
    );
    chat.dispose();
    budget.dispose();
  });

  for (const factor of [0.6, 0.8, 1.3, 1.8]) {
    it(`is within one turn what a provider counts that counts ${factor} times as many tokens`, async () => {
      const provider: FakeProvider = new FakeProvider([
        async function* () {
          const [request] = provider.requests;
          assert.ok(request);
          await Promise.resolve();
          yield { kind: 'usage', inputTokens: Math.round(factor * totalTokens(contextSources(request))), outputTokens: 3 };
          yield { kind: 'text', text: 'hi' };
          yield { kind: 'stop', reason: 'end' };
        },
      ]);
      const budget = open();
      const chat = makeChat(provider, tools, { budget });
      await chat.session.send('hello '.repeat(500));
      const used = chat.session.state().context?.used ?? 0;
      await chat.session.send('and again');
      const counted = factor * totalTokens(contextSources(provider.requests[1] ?? { system: '', tools: [], messages: [] }));
      assert.ok(Math.abs(used - counted) < 0.05 * counted, `${used} is not about ${counted}`);
      chat.dispose();
      budget.dispose();
    });
  }
});
