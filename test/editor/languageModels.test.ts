import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ModelEvent, ModelMessage, ModelRequest } from '../../src/chat/models/modelProvider.ts';
import { VscodeProvider } from '../../src/chat/models/vscodeModels.ts';
import { LanguageModels } from '../../src/editor/languageModels.ts';
import { until } from './support/duplex.ts';

const echo = {
  name: 'everything_echo',
  description: 'Says it again.',
  inputSchema: { type: 'object', properties: { message: { type: 'string' } } },
  server: 'everything',
  tool: 'echo',
} as const;
const say = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] });

describe('VS Code’s language models', () => {
  let models: LanguageModels;
  let provider: VscodeProvider;
  const never = new AbortController().signal;
  const request = (...messages: readonly ModelMessage[]): ModelRequest => ({
    model: 'vscode:stand-in/one',
    system: 'Be brief.',
    messages,
    tools: [echo],
    maxTokens: 100,
  });
  const collect = async (wanted: ModelRequest): Promise<ModelEvent[]> => {
    const events: ModelEvent[] = [];
    for await (const event of provider.stream(wanted, never)) {
      events.push(event);
    }
    return events;
  };

  before(async () => {
    await vscode.commands.executeCommand('standInModel.register');
    models = new LanguageModels({ justification: 'For a test.', report: (error) => assert.fail(String(error)) });
    provider = new VscodeProvider(models);
    await until('the model', async () => (await models.list()).find(({ vendor }) => vendor === 'stand-in'));
  });
  after(() => models.dispose());

  it('are listed with their names, and say to whom goes what is said', async () => {
    assert.deepEqual(
      (await provider.listModels()).filter(({ id }) => id.startsWith('vscode:stand-in/')),
      [{ id: 'vscode:stand-in/one', label: 'Stand-in Model', contextTokens: 10_000 }],
    );
    assert.equal(provider.destination('vscode:stand-in/one'), 'VS Code: stand-in');
  });

  it('stream an answer; what would be the system prompt is said first', async () => {
    const events = await collect(request(say('hello')));
    const text = events.map((event) => (event.kind === 'text' ? event.text : '')).join('');
    assert.deepEqual([text, events.at(-1)], ['2 messages, the last: hello', { kind: 'stop', reason: 'end' }]);
  });

  it('use a tool and read its result', async () => {
    const asked = say('use everything_echo');
    const events = await collect(request(asked));
    const use = { kind: 'toolUse', id: 'call-1', name: 'everything_echo', input: { message: 'hey' } };
    assert.deepEqual(events, [use, { kind: 'stop', reason: 'toolUse' }]);
    const answered = await collect(
      request(
        asked,
        { role: 'assistant', content: [{ type: 'toolUse', id: 'call-1', name: 'everything_echo', input: { message: 'hey' } }] },
        {
          role: 'user',
          content: [
            { type: 'toolResult', toolUseId: 'call-1', isError: false, outcome: 'done', content: [{ type: 'text', text: 'hey!' }] },
          ],
        },
      ),
    );
    assert.deepEqual(answered[0], { kind: 'text', text: 'The tool said: hey!' });
  });

  it('count tokens', async () => {
    assert.ok((await provider.countTokens(request(say('hello')), never)) > 2);
  });

  it('fail in words that people know, for a model that is gone and for one that does not answer', async () => {
    await assert.rejects(collect({ ...request(say('hello')), model: 'vscode:stand-in/two' }), { code: 'model.notFound' });
    const failure: unknown = await collect(request(say('fail'))).catch((error: unknown) => error);
    assert.match(String((failure as { code?: unknown }).code), /^model\.vscode(Blocked|Failed)$/);
  });
});
