import assert from 'node:assert/strict';
import { ChatBudget } from '../../../../src/chat/budget/chatBudget.ts';
import { contextSources, totalTokens } from '../../../../src/chat/budget/contextUse.ts';
import { echoCall, FakeProvider, FakeTools, makeChat, makeTool } from '../support.ts';
import { ResultsInMemory } from './resultsInMemory.ts';

describe('The context of a request', () => {
  const tools = new FakeTools([makeTool('one', 'a'), makeTool('two', 'b')], echoCall);
  const open = (): ChatBudget =>
    new ChatBudget({ tools, results: new ResultsInMemory(), choice: { read: () => undefined, write: () => Promise.resolve() } });

  it('is counted by source', () => {
    const text = (value: string): { type: 'text'; text: string } => ({ type: 'text', text: value });
    const sources = contextSources({
      system: 'x'.repeat(35),
      tools: [makeTool('one', 'a'), makeTool('two', 'b')],
      messages: [
        {
          role: 'user',
          content: [
            text('x'.repeat(70)),
            { type: 'attached', source: { kind: 'resource', server: 's', name: 'n' }, outcome: 'sent', content: [text('x'.repeat(350))] },
            { type: 'toolResult', toolUseId: 'a', isError: false, outcome: 'done', content: [text('x'.repeat(700))] },
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
    assert.deepEqual([after?.limit, after?.isCounted], [200_000, true]);
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
});
