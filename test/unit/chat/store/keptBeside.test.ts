import assert from 'node:assert/strict';
import type { EditedFile, MadeEdit } from '../../../../src/contract/chat/answerParts.ts';
import { FakeProvider, lastAnswer } from '../support.ts';
import { eventually, TestStorage, type TestWindow } from './support.ts';

const edit: MadeEdit = { path: 'a.ts', before: 'one', after: 'two', isText: true };

describe('What is kept beside conversations', () => {
  let storage: TestStorage;
  beforeEach(async () => (storage = await TestStorage.make()));
  afterEach(() => storage.dispose());

  /** A window whose answer has changed a file. */
  async function edited(): Promise<TestWindow & { readonly itemId: string }> {
    const window = await storage.window(new FakeProvider([]));
    await window.session.send('Change it');
    const { id: itemId } = lastAnswer(window.session);
    await window.edits.add(window.session.conversation, itemId, 'edits', [edit]);
    await eventually('the change is stored', async () => {
      const stored = await window.shelf.load(window.session.conversation.id);
      return JSON.stringify(stored?.saved).includes('a.ts');
    });
    return { ...window, itemId };
  }

  const filesOf = ({ session }: TestWindow): readonly EditedFile[] =>
    lastAnswer(session).parts.flatMap((part) => (part.kind === 'edits' ? part.files : []));

  it('is kept beside a copy too: its edits are undone there, also when the original is gone', async () => {
    const here = await edited();
    const original = here.session.conversation.id;
    await here.keeper.openCopy();
    assert.notEqual(here.session.conversation.id, original);
    await here.shelf.beside?.remove(here.shelf.folder, original);
    assert.deepEqual(await here.session.findEdit(here.itemId, 'a.ts'), edit);
    await here.session.undoEdits(here.itemId);
    assert.deepEqual([here.undone, filesOf(here)[0]?.undo], [[edit], 'undone']);
  });

  it('is undone by another window, and the first one sees that and undoes nothing again', async () => {
    const here = await edited();
    const there = await storage.window(new FakeProvider([]));
    await there.keeper.open(here.session.conversation.id);
    await there.session.undoEdits(here.itemId);
    assert.deepEqual(there.undone, [edit]);
    // What was undone is seen before the other window has let go of the conversation.
    const isFree = (): boolean => !here.keeper.heading(here.session.conversation).isAnsweredElsewhere;
    await eventually('the first window sees it', () => filesOf(here)[0]?.undo === 'undone' && isFree());
    await here.session.undoEdits(here.itemId);
    assert.deepEqual(here.undone, []);
  });
});
