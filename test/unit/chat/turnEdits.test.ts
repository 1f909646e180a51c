import assert from 'node:assert/strict';
import type { MadeEdit, UndoOutcome } from '../../../src/contract/chat/edits.ts';
import { Conversation } from '../../../src/chat/conversation.ts';
import { mergeEdits, TurnEdits } from '../../../src/chat/turnEdits.ts';

const changed = (path: string, before: string, after: string): MadeEdit => ({ path, before, after, isText: true });

describe('Edits of one answer', () => {
  it('are one for each file, from how it was first to how it is now', () => {
    const created: MadeEdit = { path: 'new', after: 'x', isText: true };
    assert.deepEqual(mergeEdits([changed('a', '1', '2'), created], [changed('a', '2', '3'), changed('b', '1', '2')]), [
      created,
      changed('a', '1', '3'),
      changed('b', '1', '2'),
    ]);
    assert.deepEqual(mergeEdits([changed('a', '1', '2')], [changed('a', '2', '1')]), [], 'as it was');
    assert.deepEqual(mergeEdits([created], [{ path: 'new', before: 'x', isText: true }]), [], 'made and deleted');
  });

  it('follow a file that is moved, there and back', () => {
    const moved: MadeEdit = { path: 'b', from: 'a', before: '2', after: '2', isText: true };
    const once = mergeEdits([changed('a', '1', '2')], [moved]);
    assert.deepEqual(once, [{ path: 'b', from: 'a', before: '1', after: '2', isText: true }]);
    assert.deepEqual(mergeEdits(once, [{ path: 'a', from: 'b', before: '2', after: '1', isText: true }]), []);
  });
});

describe('The files that an answer changed', () => {
  let conversation: Conversation;
  let texts: Map<string, string>;
  let asked: (readonly MadeEdit[])[];
  let outcomes: readonly UndoOutcome[];
  let edits: TurnEdits;
  let itemId: string;

  beforeEach(() => {
    let id = 0;
    conversation = new Conversation({ id: 'c' });
    itemId = conversation.begin('hi', () => `id-${(id += 1)}`).assistantItemId;
    texts = new Map();
    asked = [];
    outcomes = [];
    edits = new TurnEdits({
      kept: {
        keep: (_conversation, text) => {
          texts.set(`kept-${texts.size}`, text);
          return Promise.resolve(`kept-${texts.size - 1}`);
        },
        whole: (_conversation, key) => Promise.resolve(texts.get(key)),
      },
      undo: (wanted) => {
        asked.push(wanted);
        return Promise.resolve(outcomes);
      },
    });
  });
  afterEach(() => conversation.dispose());

  const files = (of = conversation): unknown => of.assistant(itemId).parts.flatMap((part) => (part.kind === 'edits' ? part.files : []));

  it('are listed once each, also when calls end side by side', async () => {
    await Promise.all([
      edits.add(conversation, itemId, 'p1', [changed('a', '1', '2')]),
      edits.add(conversation, itemId, 'p2', [changed('a', '2', '3'), { path: 'n', after: 'x', isText: true }]),
    ]);
    assert.deepEqual(files(), [
      { path: 'a', change: 'changed' },
      { path: 'n', change: 'created' },
    ]);
    assert.deepEqual(await edits.find(conversation, itemId, 'a'), changed('a', '1', '3'));
  });

  it('are taken back at once, also by the next window, and those that changed since say so and can be tried again', async () => {
    await edits.add(conversation, itemId, 'p', [changed('a', '1', '2'), changed('b', '1', '2')]);
    const restored = Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)));
    outcomes = ['undone', 'changedSince'];
    await edits.undo(restored, itemId);
    assert.deepEqual(files(restored), [
      { path: 'a', change: 'changed', undo: 'undone' },
      { path: 'b', change: 'changed', undo: 'changedSince' },
    ]);
    outcomes = ['undone'];
    await edits.undo(restored, itemId);
    assert.deepEqual(asked, [[changed('a', '1', '2'), changed('b', '1', '2')], [changed('b', '1', '2')]]);
    restored.dispose();
  });

  it('say that they are not kept when their texts are gone or damaged', async () => {
    await edits.add(conversation, itemId, 'p', [changed('a', '1', '2')]);
    texts.set('kept-0', '{');
    await edits.undo(conversation, itemId);
    assert.deepEqual(files(), [{ path: 'a', change: 'changed', undo: 'notKept' }]);
    assert.equal(await edits.find(conversation, itemId, 'a'), undefined);
  });
});
