import assert from 'node:assert/strict';
import path from 'node:path';
import { systemClock } from '../../../../src/base/clock.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { SharedFolderInMemory } from '../../../../src/base/sharedStorage.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { ConversationShelf } from '../../../../src/chat/store/conversationShelf.ts';
import { clear, deleteConversation, prune, putBack } from '../../../../src/chat/store/shelfRemoval.ts';
import { storeLimits } from '../../../../src/chat/store/storeLimits.ts';
import { KeptResultFiles, keptResultsBeside, keptResultsFolder } from '../../../../src/editor/storage/keptResultFiles.ts';
import { createTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';

const inTwoDays = { ...systemClock, wallTime: () => Date.now() + 2 * 24 * 60 * 60 * 1_000 };

describe('What is kept beside a conversation', () => {
  const open = (
    workspaces = ['here'],
  ): { shelf: ConversationShelf; keep: (id: string, workspace?: string) => Promise<() => Promise<string | undefined>> } => {
    const storage = createTemporaryFolder();
    const files = new SharedFolderInMemory();
    const shelves = workspaces.map(
      (folder) => new ConversationShelf(files, folder, storeLimits, systemClock, keptResultsBeside(storage, silentLog)),
    );
    const [shelf] = shelves;
    assert.ok(shelf);
    const keep = async (id: string, workspace = 'here'): Promise<() => Promise<string | undefined>> => {
      const conversation = new Conversation({ clock: systemClock });
      conversation.begin('Hello', () => crypto.randomUUID(), []);
      await shelves.find(({ folder }) => folder === workspace)?.write({ ...conversation.toJSON(), id }, 1);
      const results = new KeptResultFiles(path.join(keptResultsFolder(storage), workspace), silentLog);
      const kept = await results.keep(id, `long result of ${id}`);
      return () => results.whole(id, kept ?? '');
    };
    return { shelf, keep };
  };

  it('stays while a deleted conversation can be put back, and goes when it cannot any more', async () => {
    const { shelf, keep } = open();
    const result = await keep('one');
    await deleteConversation(shelf, 'one');
    await prune(shelf, storeLimits, [], systemClock);
    assert.equal(await result(), 'long result of one');
    assert.equal(await putBack(shelf, 'one'), true);
    assert.equal(await result(), 'long result of one');
    await deleteConversation(shelf, 'one');
    await prune(shelf, storeLimits, [], inTwoDays);
    assert.equal(await result(), undefined);
  });

  it('stays with a conversation that another window wrote anew after it was deleted', async () => {
    const { shelf, keep } = open();
    await keep('one');
    await deleteConversation(shelf, 'one');
    const result = await keep('one');
    await prune(shelf, storeLimits, [], inTwoDays);
    assert.equal(await result(), 'long result of one');
  });

  it('goes with the conversations that are over a limit, and with no other', async () => {
    const { shelf, keep } = open();
    const results = [await keep('one'), await keep('two')];
    assert.equal(await prune(shelf, { ...storeLimits, maxConversations: 1 }, ['two'], systemClock), 1);
    assert.deepEqual(await Promise.all(results.map((result) => result())), [undefined, 'long result of two']);
    assert.equal(await prune(shelf, { ...storeLimits, maxTotalBytes: 1 }, [], systemClock), 1);
    assert.equal(await results[1]?.(), undefined);
  });

  it('goes with what the person clears, of this workspace or of all', async () => {
    const { shelf, keep } = open(['here', 'there']);
    const [here, there] = [await keep('one', 'here'), await keep('one', 'there')];
    await clear(shelf, 'workspace');
    assert.deepEqual([await here(), await there()], [undefined, 'long result of one']);
    await clear(shelf, 'all');
    assert.equal(await there(), undefined);
  });
});
