import assert from 'node:assert/strict';
import { isSaved } from '../../../../src/editor/shared/saveDocument.ts';

describe('A document that is to be saved', () => {
  const saving = (saves: boolean, isDirty: boolean): Promise<boolean> => isSaved({ save: async () => Promise.resolve(saves), isDirty });

  it('is saved when VS Code has just done so by itself, and is not when it is still unsaved', async () => {
    assert.deepEqual([await saving(true, false), await saving(false, false), await saving(false, true)], [true, true, false]);
  });
});
