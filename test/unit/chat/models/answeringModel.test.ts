import assert from 'node:assert/strict';
import { AnsweringModel, type AnsweringModelOptions } from '../../../../src/chat/models/answeringModel.ts';
import { AnthropicProvider } from '../../../../src/chat/models/anthropic.ts';
import { OfflineGuide } from '../../../../src/chat/models/offlineGuide.ts';

describe('The model that answers', () => {
  const anthropic = new AnthropicProvider({ apiKey: () => Promise.resolve(undefined), baseUrl: () => '' });
  const guide = new OfflineGuide();
  let wishes: ReturnType<AnsweringModelOptions['wishes']>;
  let key: string | undefined;
  let model: AnsweringModel;

  beforeEach(() => {
    wishes = { setting: 'auto', model: 'chosen', isTrusted: true };
    key = 'key';
    model = new AnsweringModel({ anthropic, guide, readKey: () => Promise.resolve(key), wishes: () => wishes });
  });

  it('is the guide until a key was found', async () => {
    assert.deepEqual([model.kind, model.choose()], ['offline', { provider: guide, model: '' }]);
    await model.loadKey();
    assert.deepEqual([model.kind, model.choose()], ['anthropic', { provider: anthropic, model: 'chosen' }]);
  });

  it('is the guide again when the key is gone', async () => {
    await model.loadKey();
    key = undefined;
    await model.loadKey();
    assert.equal(model.choose().provider, guide);
  });

  it('follows the settings and the trust of the window at once', async () => {
    await model.loadKey();
    wishes = { ...wishes, isTrusted: false };
    const untrusted = model.kind;
    wishes = { setting: 'anthropic', model: 'other', isTrusted: true };
    assert.deepEqual([untrusted, model.choose()], ['offline', { provider: anthropic, model: 'other' }]);
  });
});
