import assert from 'node:assert/strict';
import type * as InstructionFiles from '../../../../src/editor/context/instructionFiles.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';

describe('Texts that were allowed', () => {
  let files: typeof InstructionFiles;

  before(async () => {
    files = await importWithFakes("export * from './src/editor/context/instructionFiles.ts';", { vscode: '' });
  });

  it('are kept from the newest on, as far as there is room', () => {
    const stored = new Map<string, unknown>();
    const memento = {
      get: <T>(key: string, otherwise: T): T => (stored.get(key) as T | undefined) ?? otherwise,
      update: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
    };
    const texts = files.allowedTexts(memento as unknown as Parameters<typeof files.allowedTexts>[0], 'allowed');
    texts.set('old', 'o'.repeat(190_000));
    texts.set('new', 'n'.repeat(190_000));
    texts.set('newest', 's'.repeat(20_001));
    assert.deepEqual(Object.keys(stored.get('allowed') as object), ['new', 'newest']);
    assert.equal(texts.get('old'), undefined);
    assert.equal(texts.get('new')?.length, 190_000);
  });
});
