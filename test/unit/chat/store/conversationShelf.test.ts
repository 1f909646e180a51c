import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { mock } from 'node:test';
import { systemClock } from '../../../../src/base/clock.ts';
import type { SharedFolder } from '../../../../src/base/sharedStorage.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { ConversationShelf } from '../../../../src/chat/store/conversationShelf.ts';
import { clear, deleteConversation, prune, putBack } from '../../../../src/chat/store/shelfRemoval.ts';
import { deltaText } from '../../../../src/chat/store/storedText.ts';
import { storeLimits } from '../../../../src/chat/store/storeLimits.ts';
import { longestBlock, turnsOfOthers } from '../../../support/longestBlock.ts';
import { FakeProvider } from '../support.ts';
import { TestStorage, type TestWindow } from './support.ts';

const fixture = path.resolve(import.meta.dirname, '../../../fixtures/conversations/version1.json');

describe('The files of conversations', () => {
  let storage: TestStorage;
  let window: TestWindow;
  beforeEach(async () => {
    storage = await TestStorage.make();
    window = await storage.window(new FakeProvider([]));
  });
  afterEach(() => storage.dispose());

  const put = (name: string, text: string): Promise<void> => fs.writeFile(path.join(storage.folder, name), text);

  it('of the first version are read whole: items, turns, and what was running as interrupted', async () => {
    const text = await fs.readFile(fixture, 'utf8');
    await put('first-version.json', text);
    const stored = await window.shelf.load('first-version');
    const before = JSON.parse(text) as { items: { state?: string }[]; turns: unknown[] };
    assert.deepEqual(
      stored?.saved.turns.map(({ messages }) => messages),
      [(before.turns[0] as { messages: unknown }).messages, (before.turns[1] as { messages: unknown }).messages],
    );
    assert.deepEqual(stored.saved.items.slice(0, 3), before.items.slice(0, 3));
    const last = stored.saved.items[3];
    assert.deepEqual(last?.kind === 'assistant' && [last.state, last.parts.map((part) => ('state' in part ? part.state : part.kind))], [
      'interrupted',
      ['text', 'cancelled'],
    ]);
    const { entries } = await window.shelf.list();
    assert.deepEqual(
      entries.map(({ id, title, messages }) => [id, title, messages]),
      [['first-version', 'How many words has the readme?', 4]],
    );
  });

  it('come back as they were written', async () => {
    await put('first-version.json', await fs.readFile(fixture, 'utf8'));
    const first = await window.shelf.load('first-version');
    assert.ok(first);
    await window.shelf.write(first.saved, 7);
    const second = await window.shelf.load('first-version');
    assert.deepEqual(second?.saved, Conversation.fromJSON(first.saved).toJSON());
    assert.equal(second.revision, 7);
  });

  it('are written and read in turns: who has much to say keeps nobody waiting', async () => {
    const conversation = new Conversation({ id: 'long' });
    for (let index = 0; index < 1_000; index += 1) {
      const { assistantItemId } = conversation.begin(`${index} ${'"asked"\n'.repeat(250)}`, () => crypto.randomUUID());
      conversation.addPart(assistantItemId, { kind: 'text', id: `${index}`, text: '"answered"\n'.repeat(300) });
    }
    const saved = conversation.toJSON();
    const block = await longestBlock(() => window.shelf.write(saved, 1));
    // The promise is 100 ms, which the bench measures; this is for a machine with much else to do.
    assert.ok(block < 500, `nothing else ran for ${Math.round(block)} ms`);
    let kept: Awaited<ReturnType<typeof window.shelf.load>>;
    const turns = await turnsOfOthers(async () => (kept = await window.shelf.load('long')));
    assert.ok((kept?.saved.items.length ?? 0) > 1_000);
    assert.ok(turns > 5, `others had ${turns} turns while it was opened`);
    conversation.dispose();
  });

  const unreadable: readonly (readonly [what: string, text: string])[] = [
    ['half a file', '{"version":1,"id":"x","items":[{"kind":"us'],
    ['nothing', ''],
    ['another value', '"text"'],
    ['an item of a kind nobody knows', '{"version":1,"id":"x","items":[{"kind":"robot"}],"turns":[]}'],
    ['brackets without end', '['.repeat(100_000)],
    [
      'a header and half of the rest',
      '{"format":"duplex-conversation","version":1,"title":"t","changedAt":1,"messages":1,"revision":1,"textBytes":2}\n""\n{"vers',
    ],
  ];
  for (const [what, text] of unreadable) {
    it(`that cannot be read (${what}) are put aside as they are, and named`, async () => {
      await put('broken.json', text);
      await assert.rejects(window.keeper.open('broken'), { code: 'chat.savedConversationUnreadable' });
      const list = await window.keeper.list('', () => true);
      assert.deepEqual([list.entries, list.unreadable], [[], ['broken.json.unreadable']]);
      assert.equal(await fs.readFile(path.join(storage.folder, 'broken.json.unreadable'), 'utf8'), text);
    });
  }

  it('are read whole while another window writes down what it has streamed into them', async () => {
    const conversation = new Conversation({ id: 'streaming' });
    const { assistantItemId } = conversation.begin('Count', () => crypto.randomUUID());
    const { shelf } = window;
    const before = conversation.toJSON();
    await shelf.write(before, 1);
    conversation.addPart(assistantItemId, { kind: 'text', id: 't', text: 'One two' });
    await shelf.writeStreamed('streaming', deltaText(before, conversation.toJSON(), 1, true) ?? '');
    const read = shelf.files.read.bind(shelf.files);
    let count = 0;
    const reading = mock.method(shelf.files, 'read', async (...args: Parameters<typeof read>) => {
      const text = await read(...args);
      count += 1;
      if (count === 1) {
        await shelf.write(conversation.toJSON(), 2);
      }
      return text;
    });
    const stored = await shelf.load('streaming');
    reading.mock.restore();
    conversation.dispose();
    assert.match(JSON.stringify(stored?.saved.items), /One two/);
  });

  it('of a newer version stay where they are, and are named', async () => {
    const text = '{"format":"duplex-conversation","version":2,"title":"t","changedAt":1,"messages":1,"revision":1,"textBytes":2}\n""\n{}\n';
    await put('newer.json', text);
    await assert.rejects(window.keeper.open('newer'), { code: 'chat.savedConversationNewer' });
    assert.deepEqual((await window.keeper.list('', () => true)).unreadable, ['newer.json']);
    assert.equal(await fs.readFile(path.join(storage.folder, 'newer.json'), 'utf8'), text);
  });

  it('count without what was streamed when that is half a text or belongs to an older file', async () => {
    await put('first-version.json', await fs.readFile(fixture, 'utf8'));
    const { saved } = (await window.shelf.load('first-version')) ?? assert.fail();
    await window.shelf.write(saved, 3);
    for (const streamed of [
      '{"base":3,"items":[{"ki',
      '{"base":2,"items":[{"kind":"user","id":"u1","text":"older"}],"turns":[]}',
      '{"base":3,"items":[{"kind":"robot","id":"u1"}],"turns":[]}',
    ]) {
      await put('first-version.live', streamed);
      assert.deepEqual((await window.shelf.load('first-version'))?.saved, saved);
    }
  });

  for (const kind of ['.live', '.json']) {
    it(`stay where they are when the disk is busy with ${kind}`, async () => {
      await put('first-version.json', await fs.readFile(fixture, 'utf8'));
      const { files } = window.shelf;
      const busy = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
      const failing: SharedFolder = Object.create(files, {
        read: { value: (name: string, most: number) => (name.endsWith(kind) ? Promise.reject(busy) : files.read(name, most)) },
        list: { value: (folder: string) => files.list(folder) },
        readStart: { value: (name: string, bytes: number) => files.readStart(name, bytes) },
        move: { value: (from: string, to: string) => files.move(from, to) },
      }) as SharedFolder;
      const shelf = new ConversationShelf(failing, window.shelf.folder, storeLimits, systemClock);
      await assert.rejects(shelf.load('first-version'), { code: 'EMFILE' });
      await assert.rejects(shelf.list(), { code: 'EMFILE' });
      assert.equal((await window.shelf.load('first-version'))?.saved.items.length, 4);
    });
  }

  it('that another window has brought back are not overwritten by what was deleted', async () => {
    const text = await fs.readFile(fixture, 'utf8');
    await put('again.json', text);
    await deleteConversation(window.shelf, 'again');
    await put('again.json', text);
    const { saved } = (await window.shelf.load('again')) ?? assert.fail();
    await window.shelf.write({ ...saved, title: 'Brought back' }, 9);
    assert.equal(await putBack(window.shelf, 'again'), true);
    assert.equal((await window.shelf.load('again'))?.saved.title, 'Brought back');
  });

  it('take along what was streamed into them: it is back with them, and is forgotten with them', async () => {
    const exists = async (): Promise<boolean> => (await fs.readdir(storage.folder)).includes('gone.live');
    const old = new Date(Date.now() - 3 * 24 * 60 * 60 * 1_000);
    const makeOld = (name: string): Promise<void> => fs.utimes(path.join(storage.folder, name), old, old);
    await put('gone.json', await fs.readFile(fixture, 'utf8'));
    await put('gone.live', '{}');
    await makeOld('gone.live');
    await deleteConversation(window.shelf, 'gone');
    await prune(window.shelf, storeLimits, [], systemClock);
    assert.equal(await exists(), true, 'it may come back');
    await makeOld('gone.deleted');
    await prune(window.shelf, storeLimits, [], systemClock);
    assert.equal(await exists(), false);
    await put('gone.live', '{}');
    await clear(window.shelf, 'workspace');
    assert.equal(await exists(), false);
  });

  it('are never outside of their folder, whatever the id', async () => {
    await assert.rejects(window.keeper.open('../../secret'), { code: 'chat.savedConversationGone' });
  });
});
