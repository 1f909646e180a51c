import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { FirstModels } from '../../../src/chat/firstModels.ts';
import { ModelNames } from '../../../src/editor/modelNames.ts';
import { FakeProvider } from './support.ts';

function memoryOf(stored: Map<string, unknown>): vscode.Memento {
  return {
    keys: () => [...stored.keys()],
    get: (key: string) => stored.get(key) as undefined,
    update: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
  };
}

describe('Names of models', () => {
  it('are remembered over a reload, each for the endpoint that gave it', async () => {
    const stored = new Map<string, unknown>();
    const provider = new FakeProvider([]);
    await new FirstModels(new ModelNames(memoryOf(stored))).load(provider, new AbortController().signal);
    const reloaded = new FirstModels(new ModelNames(memoryOf(stored)));
    assert.equal(reloaded.label(provider, 'fake-first'), 'Fake');
    provider.address = 'https://other.example';
    assert.equal(reloaded.label(provider, 'fake-first'), undefined);
    assert.equal(reloaded.label(provider, 'constructor'), undefined);
  });
});
