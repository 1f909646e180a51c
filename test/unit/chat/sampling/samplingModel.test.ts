import assert from 'node:assert/strict';
import { createSamplingModel } from '../../../../src/chat/sampling/samplingModel.ts';
import { resultsOfServer } from '../../../../src/chat/sampling/serverResults.ts';
import type { ModelEvent, ModelProvider, ModelRequest } from '../../../../src/chat/models/modelProvider.ts';
import { toWire } from '../../../../src/chat/models/anthropicWire.ts';
import type { ChatItem, ToolCallPart } from '../../../../src/contract/chat/chatState.ts';
import type { SamplingModel, SamplingRequest } from '../../../../src/contract/chat/samplingModel.ts';
import { pngOf } from '../../../support/tinyPictures.ts';

const { signal } = new AbortController();
const noWishes = { hints: [] };
const small: SamplingRequest = { model: 'm', systemPrompt: '', messages: [], maxTokens: 1, stopSequences: [], tools: [] };

function fakeProvider(isAi: boolean, events: readonly ModelEvent[], requests: ModelRequest[] = []): ModelProvider {
  return {
    kind: isAi ? 'anthropic' : 'offline',
    isAi,
    destination: () => (isAi ? 'https://model.example' : undefined),
    listModels: () => Promise.resolve([{ id: 'first', label: 'First' }]),
    stream: async function* (request) {
      await Promise.resolve();
      requests.push(request);
      yield* events;
    },
  };
}

function samplingWith(provider: ModelProvider, model = 'm'): SamplingModel {
  return createSamplingModel({ provider: () => ({ provider, model, maxTokens: 100 }) });
}

describe('The model that servers borrow', () => {
  it('is the one the chat uses, and takes turns as providers want them', async () => {
    const requests: ModelRequest[] = [];
    const events: ModelEvent[] = [
      { kind: 'text', text: 'Forty' },
      { kind: 'text', text: '-two' },
      { kind: 'usage', inputTokens: 3, outputTokens: 2 },
      { kind: 'stop', reason: 'maxTokens' },
    ];
    const sampling = samplingWith(fakeProvider(true, events, requests), '');
    const { model } = sampling.chooseModel({ hints: ['other'] });
    const block = (text: string): { type: 'text'; text: string } => ({ type: 'text', text });
    const messages = [
      { role: 'user', content: [block('a')] },
      { role: 'user', content: [block('b'), block(' \n')] },
      { role: 'assistant', content: [block('c')] },
      { role: 'user', content: [block('d')] },
    ] as const;
    const answer = await sampling.complete({ ...small, model, systemPrompt: 'Be brief.', messages, maxTokens: 9 }, signal);
    assert.deepEqual(answer, {
      model: 'first',
      content: [block('Forty-two')],
      stopReason: 'maxTokens',
      usage: { inputTokens: 3, outputTokens: 2 },
    });
    assert.deepEqual(requests, [
      {
        model: 'first',
        destination: 'https://model.example',
        system: 'Be brief.',
        messages: [
          { role: 'user', content: [block('a'), block('b')] },
          { role: 'assistant', content: [block('c')] },
          { role: 'user', content: [block('d')] },
        ],
        tools: [],
        maxTokens: 9,
        stopSequences: [],
        toolChoice: undefined,
      },
    ]);
  });

  it('is sent nothing at another address than the question named, also not when a list of models is needed', async () => {
    const requests: ModelRequest[] = [];
    let address = 'https://model.example';
    const provider = { ...fakeProvider(true, [{ kind: 'text', text: 'Yes' }], requests), destination: () => address };
    let lists = 0;
    const sampling = samplingWith({ ...provider, listModels: () => Promise.resolve([{ id: `m${(lists += 1)}`, label: '' }]) }, '');
    const { model, destination } = sampling.chooseModel(noWishes);
    assert.equal(destination, 'https://model.example');
    address = 'https://elsewhere.example';
    for (const named of [model, 'm']) {
      await assert.rejects(sampling.complete({ ...small, model: named, destination }, signal), { code: 'chat.samplingMoved' });
    }
    assert.deepEqual([requests, lists], [[], 0]);
  });

  it('is not looked up at the provider before a request for it is allowed', async () => {
    let lists = 0;
    const listModels = (): Promise<{ id: string; label: string }[]> => {
      lists += 1;
      return Promise.resolve([
        { id: 'first', label: 'First' },
        { id: 'second', label: 'Second' },
      ]);
    };
    const sampling = samplingWith({ ...fakeProvider(true, [{ kind: 'stop', reason: 'end' }]), listModels }, '');
    const chosen = (): [string, readonly string[]] => {
      const { model, models } = sampling.chooseModel({ hints: ['second'] });
      return [model, models];
    };
    assert.deepEqual([chosen(), lists], [['', []], 0]);
    await sampling.complete({ ...small, model: '' }, signal);
    assert.deepEqual([chosen(), lists], [['second', ['first', 'second']], 1]);
  });

  it('is refused with a clear reason where only the offline guide is there', async () => {
    const sampling = samplingWith(fakeProvider(false, []));
    assert.throws(() => sampling.chooseModel(noWishes), { code: 'chat.noSamplingModel' });
    await assert.rejects(sampling.complete(small, signal), { code: 'chat.noSamplingModel' });
  });

  it('that refuses to answer makes an error and no text', async () => {
    const sampling = samplingWith(fakeProvider(true, [{ kind: 'stop', reason: 'refusal' }]));
    await assert.rejects(sampling.complete(small, signal), { code: 'chat.samplingRefused' });
  });

  it('gets images, tools under names that it takes, and their results, and a note in place of what it cannot hear', async () => {
    const requests: ModelRequest[] = [];
    const events: ModelEvent[] = [
      { kind: 'toolUse', id: 'u2', name: 'files_read_0', input: { path: 'a' } },
      { kind: 'stop', reason: 'toolUse' },
    ];
    const image = { type: 'image', mimeType: 'image/png', data: pngOf() } as const;
    const answer = await samplingWith(fakeProvider(true, events, requests)).complete(
      {
        ...small,
        messages: [
          { role: 'user', content: [image, { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' }] },
          { role: 'assistant', content: [{ type: 'toolUse', id: 'u1', name: 'files/read', input: {} }] },
          { role: 'user', content: [{ type: 'toolResult', toolUseId: 'u1', isError: false, content: [image] }] },
        ],
        tools: [{ name: 'files/read', description: 'Reads.', inputSchema: { type: 'object' } }],
        toolChoice: 'required',
        stopSequences: ['END'],
      },
      signal,
    );
    assert.deepEqual(answer.content, [{ type: 'toolUse', id: 'u2', name: 'files/read', input: { path: 'a' } }]);
    assert.equal(answer.stopReason, 'toolUse');
    const [request] = requests;
    assert.ok(request);
    const source = { type: 'base64', media_type: 'image/png', data: pngOf() };
    const cache_control = { type: 'ephemeral' };
    assert.deepEqual(toWire(request), {
      model: 'm',
      max_tokens: 1,
      stream: true,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source },
            { type: 'text', text: '[Left out: audio (audio/wav), which this model cannot take here]' },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'u1', name: 'files_read_0', input: {} }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'u1', is_error: false, content: [{ type: 'image', source }], cache_control }],
        },
      ],
      tools: [{ name: 'files_read_0', description: 'Reads.', input_schema: { type: 'object' }, cache_control }],
      tool_choice: { type: 'any' },
      stop_sequences: ['END'],
    });
  });
});

describe('What a server may be given of the conversation', () => {
  it('is the text of its own results, the latest first, and nothing that anybody else said', () => {
    const call = (server: string, tool: string, result: ToolCallPart['result'], state: ToolCallPart['state'] = 'done'): ToolCallPart => ({
      kind: 'toolCall',
      id: tool,
      server: 'demo',
      ...(server !== '' && { serverId: server }),
      tool,
      state,
      arguments: '{}',
      result,
      resultBytes: 1,
    });
    const items: ChatItem[] = [
      { kind: 'user', id: '1', text: 'a secret plan' },
      {
        kind: 'assistant',
        id: '2',
        state: 'done',
        parts: [
          { kind: 'text', id: 't', text: 'the answer' },
          call('user//demo', 'one', [{ kind: 'text', text: 'first' }]),
          call('workspace//demo', 'two', [{ kind: 'text', text: 'of another of its name' }]),
          call('', 'six', [{ kind: 'text', text: 'of nobody knows whom' }]),
          call('user//demo', 'three', [{ kind: 'structured', json: '{"n": 2}' }]),
          call('user//demo', 'four', [{ kind: 'text', text: 'not allowed' }], 'denied'),
          call('user//demo', 'five', [{ kind: 'text', text: 'x'.repeat(30_000) }]),
        ],
      },
    ];
    assert.deepEqual(resultsOfServer(items, 'user//demo'), { count: 2, text: 'three:\n{"n": 2}\n\none:\nfirst' });
  });
});
