import assert from 'node:assert/strict';
import { Late } from '../../../../src/base/late.ts';
import { lateProvider } from '../../../../src/chat/models/lateProvider.ts';
import { OfflineGuide } from '../../../../src/chat/models/offlineGuide.ts';
import type { ModelProvider, ModelRequest } from '../../../../src/chat/models/modelProvider.ts';

const request: ModelRequest = {
  model: '',
  system: '',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
  tools: [],
  maxTokens: 100,
};

describe('A provider that is loaded late', () => {
  const { signal } = new AbortController();

  const answerOf = async (provider: ModelProvider): Promise<string> => {
    let text = '';
    for await (const event of provider.stream(request, signal)) {
      text += event.kind === 'text' ? event.text : '';
    }
    return text;
  };

  it('is known before it is loaded, and then says what the provider says', async () => {
    let loads = 0;
    const load = async (): Promise<ModelProvider> => {
      loads += 1;
      return Promise.resolve(new OfflineGuide({ chunkMs: 0 }));
    };
    const late = lateProvider(new Late(load), { kind: 'offline', isAi: false, destination: () => undefined });
    assert.deepEqual([late.kind, late.isAi, late.destination(), loads], ['offline', false, undefined, 0]);
    assert.equal(await answerOf(late), await answerOf(new OfflineGuide({ chunkMs: 0 })));
    assert.deepEqual(await late.listModels(signal), await new OfflineGuide().listModels());
    assert.equal(loads, 1);
  });

  it('is loaded again when that failed', async () => {
    const failures = [new Error('the disk was away')];
    const load = async (): Promise<ModelProvider> => {
      const failure = failures.pop();
      return failure === undefined ? Promise.resolve(new OfflineGuide({ chunkMs: 0 })) : Promise.reject(failure);
    };
    const late = lateProvider(new Late(load), { kind: 'offline', isAi: false, destination: () => undefined });
    await assert.rejects(answerOf(late), /the disk was away/);
    assert.notEqual(await answerOf(late), '');
  });
});
