import assert from 'node:assert/strict';
import { createSamplingModel } from '../../../src/chat/sampling.ts';
import type { ModelEvent, ModelProvider, ModelRequest } from '../../../src/chat/modelProvider.ts';

const { signal } = new AbortController();

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

describe('The model that servers borrow', () => {
  it('is the one the chat uses, without tools, and takes turns as providers want them', async () => {
    const requests: ModelRequest[] = [];
    const events: ModelEvent[] = [
      { kind: 'text', text: 'Forty' },
      { kind: 'text', text: '-two' },
      { kind: 'stop', reason: 'maxTokens' },
    ];
    const provider = fakeProvider(true, events, requests);
    const sampling = createSamplingModel({ provider: () => ({ provider, model: '' }) });
    const model = sampling.chooseModel(['other']);
    const messages = [
      { role: 'user', text: 'a' },
      { role: 'user', text: 'b' },
      { role: 'assistant', text: 'c' },
      { role: 'user', text: 'd' },
    ] as const;
    const answer = await sampling.complete({ model, systemPrompt: 'Be brief.', messages, maxTokens: 9 }, signal);
    assert.deepEqual(answer, { model: 'first', text: 'Forty-two', stopReason: 'maxTokens' });
    const block = (text: string): object => ({ type: 'text', text });
    assert.deepEqual(requests, [
      {
        model: 'first',
        system: 'Be brief.',
        messages: [
          { role: 'user', content: [block('a'), block('b')] },
          { role: 'assistant', content: [block('c')] },
          { role: 'user', content: [block('d')] },
        ],
        tools: [],
        maxTokens: 9,
      },
    ]);
  });

  it('is not looked up at the provider before a request for it is allowed', async () => {
    let lists = 0;
    const listModels = (): Promise<{ id: string; label: string }[]> => {
      lists += 1;
      return Promise.resolve([{ id: 'first', label: 'First' }]);
    };
    const provider = { ...fakeProvider(true, [{ kind: 'stop', reason: 'end' }]), listModels };
    const sampling = createSamplingModel({ provider: () => ({ provider, model: '' }) });
    assert.deepEqual([sampling.chooseModel([]), lists], ['', 0]);
    await sampling.complete({ model: '', systemPrompt: '', messages: [], maxTokens: 1 }, signal);
    assert.deepEqual([sampling.chooseModel([]), lists], ['first', 1]);
  });

  it('is refused with a clear reason where only the offline guide is there', async () => {
    const sampling = createSamplingModel({ provider: () => ({ provider: fakeProvider(false, []), model: '' }) });
    assert.throws(() => sampling.chooseModel([]), { code: 'chat.noSamplingModel' });
    const request = { model: 'm', systemPrompt: '', messages: [], maxTokens: 1 };
    await assert.rejects(sampling.complete(request, signal), { code: 'chat.noSamplingModel' });
  });

  it('that refuses to answer makes an error and no text', async () => {
    const provider = fakeProvider(true, [{ kind: 'stop', reason: 'refusal' }]);
    const sampling = createSamplingModel({ provider: () => ({ provider, model: 'm' }) });
    await assert.rejects(sampling.complete({ model: 'm', systemPrompt: '', messages: [], maxTokens: 1 }, signal), {
      code: 'chat.samplingRefused',
    });
  });
});
