import assert from 'node:assert/strict';
import type { MadeEdit, UndoOutcome } from '../../../../src/contract/chat/answerParts.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { mergeEdit, TurnEdits } from '../../../../src/chat/turn/turnEdits.ts';
import { without } from '../../../../src/base/without.ts';

const changed = (path: string, before: string, after: string): MadeEdit => ({ path, before, after, isText: true });

describe('Edits of one answer', () => {
  it('are one for each file, from how it was first to how it is now', () => {
    const created: MadeEdit = { path: 'new', after: 'x', isText: true };
    assert.deepEqual(mergeEdit(changed('a', '1', '2'), changed('a', '2', '3')), changed('a', '1', '3'));
    assert.deepEqual(mergeEdit(undefined, created), created);
    assert.equal(mergeEdit(changed('a', '1', '2'), changed('a', '2', '1')), undefined, 'as it was');
    assert.equal(mergeEdit(created, { path: 'new', before: 'x', isText: true }), undefined, 'made and deleted');
  });

  it('keep the encoding of a file that was deleted, as it was first', () => {
    const deleted: MadeEdit = { path: 'a', before: '2', encoding: 'windows1252', isText: true };
    assert.deepEqual(mergeEdit(changed('a', '1', '2'), deleted), { ...deleted, before: '1' });
    const remade = mergeEdit(deleted, { path: 'a', after: '3', isText: true });
    const again: MadeEdit = { path: 'a', before: '3', encoding: 'utf8', isText: true };
    assert.deepEqual(mergeEdit(remade, again), deleted);
  });

  it('follow a file that is moved, there and back', () => {
    const moved: MadeEdit = { path: 'b', from: 'a', before: '2', after: '2', isText: true };
    const once = mergeEdit(changed('a', '1', '2'), moved);
    assert.deepEqual(once, { path: 'b', from: 'a', before: '1', after: '2', isText: true });
    assert.equal(mergeEdit(once, { path: 'a', from: 'b', before: '2', after: '1', isText: true }), undefined);
  });
});

describe('The files that an answer changed', () => {
  let conversation: Conversation;
  let texts: Map<string, string>;
  let asked: (readonly MadeEdit[])[];
  let outcomes: readonly UndoOutcome[];
  let edits: TurnEdits;
  let itemId: string;
  let written: number;
  let lastKept: number;

  beforeEach(() => {
    let id = 0;
    conversation = new Conversation({ id: 'c' });
    itemId = conversation.begin('hi', () => `id-${(id += 1)}`).assistantItemId;
    texts = new Map();
    [written, lastKept] = [0, -1];
    asked = [];
    outcomes = [];
    edits = new TurnEdits({
      kept: {
        keep: (_conversation, text) => {
          if (text.length > 1_000) {
            return Promise.resolve(undefined);
          }
          written += text.length;
          texts.set(`kept-${(lastKept += 1)}`, text);
          return Promise.resolve(`kept-${lastKept}`);
        },
        forget: (_conversation, key) => Promise.resolve(void texts.delete(key)),
        whole: (_conversation, key) => Promise.resolve(texts.get(key)),
      },
      undo: (wanted) => {
        asked.push(wanted);
        return Promise.resolve(outcomes);
      },
    });
  });
  afterEach(() => conversation.dispose());

  const files = (of = conversation): unknown =>
    of.assistant(itemId).parts.flatMap((part) => (part.kind === 'edits' ? part.files.map((file) => without(file, 'kept')) : []));

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
    const deleted: MadeEdit = { path: 'b', before: '1', encoding: 'windows1252', isText: true };
    await edits.add(conversation, itemId, 'p', [changed('a', '1', '2'), deleted]);
    const restored = Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)));
    outcomes = ['undone', 'changedSince'];
    await edits.undo(restored, itemId);
    assert.deepEqual(files(restored), [
      { path: 'a', change: 'changed', undo: 'undone' },
      { path: 'b', change: 'deleted', undo: 'changedSince' },
    ]);
    outcomes = ['undone'];
    await edits.undo(restored, itemId);
    assert.deepEqual(asked, [[changed('a', '1', '2'), deleted], [deleted]]);
    restored.dispose();
  });

  it('say that they are not kept when their texts are gone or damaged', async () => {
    await edits.add(conversation, itemId, 'p', [changed('a', '1', '2')]);
    texts.set('kept-0', '{');
    await edits.undo(conversation, itemId);
    assert.deepEqual(files(), [{ path: 'a', change: 'changed', undo: 'notKept' }]);
    assert.equal(await edits.find(conversation, itemId, 'a'), undefined);
  });

  it('stay listed when one of them cannot be kept, and are never taken back by half', async () => {
    await edits.add(conversation, itemId, 'p', [changed('a', '1', '2'), changed('big', 'x'.repeat(2_000), 'y')]);
    await edits.add(conversation, itemId, 'p', [changed('big', 'y', 'z'), changed('c', '1', '2')]);
    assert.deepEqual(files(), [
      { path: 'a', change: 'changed' },
      { path: 'big', change: 'changed', undo: 'notKept' },
      { path: 'c', change: 'changed' },
    ]);
    outcomes = ['undone', 'undone'];
    await edits.undo(conversation, itemId);
    assert.deepEqual(asked, [[changed('a', '1', '2'), changed('c', '1', '2')]]);
    await edits.add(conversation, itemId, 'p', [changed('a', '1', '9')]);
    assert.deepEqual(await edits.find(conversation, itemId, 'a'), changed('a', '1', '9'), 'begins anew once it was taken back');
  });

  it('are kept once each: what is replaced goes, and nothing else is written again', async () => {
    for (let index = 0; index < 100; index += 1) {
      await edits.add(conversation, itemId, 'p', [changed(`f${index}`, '1', '2'), changed('again', `${index}`, `${index + 1}`)]);
    }
    assert.equal(texts.size, 101);
    assert.ok(written < 200 * 100, `${written} characters`);
    assert.deepEqual(await edits.find(conversation, itemId, 'again'), changed('again', '0', '100'));
  });
});
