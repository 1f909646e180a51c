import assert from 'node:assert/strict';
import { isSaved } from '../../../../src/editor/shared/saveDocument.ts';

describe('A document that is to be saved', () => {
  const saving = (saves: boolean, isDirty: boolean): Promise<boolean> => isSaved({ save: async () => Promise.resolve(saves), isDirty });

  it('is saved when VS Code has just done so by itself, and is not when it is still unsaved', async () => {
    assert.deepEqual([await saving(true, false), await saving(false, false), await saving(false, true)], [true, true, false]);
  });

  it('is saved when VS Code dropped a first try for a save of its own', async () => {
    const answers = [false, true];
    assert.equal(await isSaved({ save: async () => Promise.resolve(answers.shift() ?? false), isDirty: true }), true);
  });
});
