import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { neverAborted } from '../../../../src/base/abort.ts';
import { AnsweringModel, type AnsweringModelOptions } from '../../../../src/chat/models/answeringModel.ts';
import { AnthropicProvider } from '../../../../src/chat/models/anthropic.ts';
import type { ModelInfo } from '../../../../src/chat/models/modelProvider.ts';
import { OfflineGuide } from '../../../../src/chat/models/offlineGuide.ts';
import { FakeProvider } from '../support.ts';

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

  describe('while VS Code lists its models', () => {
    const vscode = new FakeProvider([]);
    let vscodeModels: ModelInfo[];
    let listed: () => void;
    let isSettled: boolean;

    beforeEach(() => {
      key = undefined;
      vscodeModels = [];
      model = new AnsweringModel({
        ...{ anthropic, guide, vscode, wishes: () => wishes },
        vscodeModels: () => vscodeModels,
        readKey: () => Promise.resolve(key),
      });
      isSettled = false;
      void model.expectModels(new Promise((resolve) => (listed = resolve))).then(() => (isSettled = true));
    });
    afterEach(async () => {
      listed();
      await turn();
      assert.equal(isSettled, true);
    });

    const isWaitedFor = async (): Promise<boolean> => {
      let isKnown = false;
      const waiting = model.whenKnown(neverAborted()).then(() => (isKnown = true));
      await turn();
      const isWaiting = !isKnown;
      listed();
      await waiting;
      return isWaiting;
    };

    it('is waited for, and is the one that comes', async () => {
      assert.equal(model.isFirstRun, false, 'nobody knows yet that there is none');
      const waiting = model.whenKnown(neverAborted());
      vscodeModels = [{ id: 'vscode:one', label: 'One' }];
      listed();
      await waiting;
      assert.deepEqual([model.choose().provider, model.isFirstRun], [vscode, false]);
    });

    it('is the guide, and somebody’s first run, when none came', async () => {
      assert.equal(await isWaitedFor(), true);
      assert.deepEqual([model.choose().provider, model.isFirstRun, await isWaitedFor()], [guide, true, false]);
    });

    it('is waited for no longer than the person waits', async () => {
      await assert.rejects(model.whenKnown(AbortSignal.abort(new Error('stopped'))), /stopped/);
    });

    for (const [why, change] of [
      ['with a key', { key: 'key' }],
      ['with a provider that needs no list', { setting: 'anthropic' }],
      ['with the guide', { setting: 'offline' }],
      ['in Restricted Mode', { isTrusted: false }],
    ] as const) {
      it(`is known at once ${why}`, async () => {
        key = 'key' in change ? change.key : undefined;
        wishes = { ...wishes, ...change };
        await model.loadKey();
        assert.equal(await isWaitedFor(), false);
      });
    }
  });

  it('follows the settings and the trust of the window at once', async () => {
    await model.loadKey();
    wishes = { ...wishes, isTrusted: false };
    const untrusted = model.kind;
    wishes = { setting: 'anthropic', model: 'other', isTrusted: true };
    assert.deepEqual([untrusted, model.choose()], ['offline', { provider: anthropic, model: 'other' }]);
  });
});
