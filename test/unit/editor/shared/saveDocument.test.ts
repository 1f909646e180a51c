import assert from 'node:assert/strict';
import { isSaved } from '../../../../src/editor/shared/saveDocument.ts';

describe('A document that is to be saved', () => {
  const saving = (saves: boolean, isDirty: boolean): Promise<boolean> =>
    isSaved({ save: async () => Promise.resolve(saves), isDirty, version: 1 });

  it('is saved when VS Code has just done so by itself, and is not when it is still unsaved', async () => {
    assert.deepEqual([await saving(true, false), await saving(false, false), await saving(false, true)], [true, true, false]);
  });

  it('is saved when VS Code dropped a first try for a save of its own that then failed', async () => {
    const answers = [false, true];
    assert.equal(await isSaved({ save: async () => Promise.resolve(answers.shift() ?? false), isDirty: true, version: 1 }), true);
  });

  it('is not saved again when the save that overtook it has done so', async () => {
    let saves = 0;
    const document = { save: async () => Promise.resolve((saves += 1) > 1), isDirty: true, version: 1 };
    const saved = isSaved(document);
    setTimeout(() => (document.isDirty = false), 100);
    assert.deepEqual([await saved, saves], [true, 1]);
  });

  it('is tried twice where something is wrong: each time the person is told', async () => {
    let saves = 0;
    const save = async (): Promise<boolean> => Promise.resolve((saves += 1) < 0);
    assert.deepEqual([await isSaved({ save, isDirty: true, version: 1 }), saves], [false, 2]);
  });

  it('is not saved with what somebody wrote since', async () => {
    let saves = 0;
    const document = { save: async () => Promise.resolve((saves += 1) > 1), isDirty: true, version: 1 };
    const saved = isSaved(document);
    document.version = 2;
    assert.deepEqual([await saved, saves], [false, 1]);
  });
});
