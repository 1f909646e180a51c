import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { KnownModels } from '../../../../src/chat/models/knownModels.ts';
import type { ModelNames } from '../../../../src/editor/languageModels.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';
import { FakeProvider } from '../support.ts';

function memoryOf(stored: Map<string, unknown>): vscode.Memento {
  return {
    keys: () => [...stored.keys()],
    get: (key: string) => stored.get(key) as undefined,
    update: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
  };
}

const program = `export { ModelNames } from './src/editor/languageModels.ts';`;

describe('Names of models', () => {
  it('are remembered over a reload, each for the endpoint that gave it', async () => {
    const stored = new Map<string, unknown>();
    const provider = new FakeProvider([]);
    const editor = await importWithFakes<{ readonly ModelNames: new (memory: vscode.Memento) => ModelNames }>(program, { vscode: '' });
    const memory = (): ModelNames => new editor.ModelNames(memoryOf(stored));
    await new KnownModels(memory()).load(provider, new AbortController().signal);
    const reloaded = new KnownModels(memory());
    assert.equal(reloaded.label(provider, 'fake-first'), 'Fake');
    provider.address = 'https://other.example';
    assert.equal(reloaded.label(provider, 'fake-first'), undefined);
    assert.equal(reloaded.label(provider, 'constructor'), undefined);
  });

  it('have the first one among them, which names what answers after a reload, and is listed anew before anything is sent to it', async () => {
    const stored = new Map<string, unknown>();
    const provider = Object.assign(new FakeProvider([]), { kind: 'anthropic' as const });
    const editor = await importWithFakes<{ readonly ModelNames: new (memory: vscode.Memento) => ModelNames }>(program, { vscode: '' });
    const memory = (): ModelNames => new editor.ModelNames(memoryOf(stored));
    const { signal } = new AbortController();
    const before = new KnownModels(memory());
    assert.deepEqual([before.knownFirst(provider), before.label(provider, '')], [undefined, undefined]);
    await before.load(provider, signal);
    const reloaded = new KnownModels(memory());
    assert.deepEqual([reloaded.knownFirst(provider), reloaded.label(provider, '')], ['fake-first', 'Fake']);
    provider.listModels = () => Promise.resolve([{ id: 'fake-next', label: 'Next' }]);
    assert.equal(await reloaded.first(provider, signal), 'fake-next');
    assert.equal(reloaded.label(provider, ''), 'Next');
    provider.address = 'https://other.example';
    assert.deepEqual([reloaded.knownFirst(provider), reloaded.label(provider, '')], [undefined, undefined]);
  });
});
