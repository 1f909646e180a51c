import assert from 'node:assert/strict';
import { ChatPlaces, type ChatPlace } from '../../../../src/chat/places/chatPlaces.ts';
import type { ChatContext } from '../../../../src/chat/context/chatContext.ts';
import type { ConversationEntry } from '../../../../src/contract/chat/conversations.ts';
import type { SharedFolderOnDisk } from '../../../../src/platform/files/sharedFolderOnDisk.ts';
import type { ModelEvent } from '../../../../src/chat/models/modelProvider.ts';
import { deferred } from '../../server/support/deferred.ts';
import { FakeProvider, lastAnswer, textOf } from '../support.ts';
import { eventually, TestStorage } from '../store/support.ts';

const says = (text: string): readonly ModelEvent[] => [
  { kind: 'text', text },
  { kind: 'stop', reason: 'end' },
];

/** Says a word, and the rest when it is told to. */
function slowly(): { readonly slow: () => AsyncGenerator<ModelEvent>; readonly goOn: () => void } {
  let goOn = (): void => undefined;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  async function* slow(): AsyncGenerator<ModelEvent> {
    yield { kind: 'text', text: 'slow ' };
    await gate;
    yield* says('and done');
  }
  return { slow, goOn: () => goOn() };
}

describe('The chats of one window', () => {
  let storage: TestStorage;
  let last: { id?: string };
  let taken: ChatContext[];
  let files: SharedFolderOnDisk;
  beforeEach(async () => {
    storage = await TestStorage.make();
    last = {};
    taken = [];
  });
  afterEach(() => storage.dispose());

  async function open(rounds: ConstructorParameters<typeof FakeProvider>[0]): Promise<ChatPlaces> {
    const window = await storage.chats(new FakeProvider(rounds));
    files = window.files;
    const make = (ports: Parameters<typeof window.make>[0]): ChatPlace => ({
      ...window.make(ports),
      context: { takeOver: (other: ChatContext) => taken.push(other), take: () => [] } as unknown as ChatContext,
    });
    const places = new ChatPlaces({ make, last: { get: () => last.id, set: (id) => (last.id = id) } });
    await places.restored;
    return places;
  }

  it('are answered side by side, each conversation in one of them, and the list tells which are', async () => {
    const { slow, goOn } = slowly();
    const places = await open([slow, says('quick')]);
    const first = places.sidebar;
    const answered = first.session.send('First');
    await eventually('something is said', () => first.session.conversation.items.length > 1 && textOf(lastAnswer(first.session)) !== '');
    const tab = await places.open(first.session.conversation.id);
    assert.equal(tab, first, 'what runs goes on, in the tab');
    assert.notEqual(places.sidebar, first);
    await places.sidebar.session.send('Second');
    const list = async (): Promise<readonly ConversationEntry[]> => (await places.sidebar.keeper.list('', () => true)).entries;
    await eventually('both are stored', async () => (await list()).length === 2);
    const entries = await list();
    assert.deepEqual(entries.map(({ title, state }) => [title, state]).sort(), [
      ['First', 'answering'],
      ['Second', 'kept'],
    ]);
    goOn();
    await answered;
    assert.deepEqual(
      [tab, places.sidebar].map(({ session }) => textOf(lastAnswer(session))),
      ['slow and done', 'quick'],
    );
    assert.equal(await places.open(tab.session.conversation.id), tab, 'whoever wants it is led to its tab');
    places.dispose();
  });

  it('are the same after a reload: the sidebar where it was, a tab with its conversation, and no conversation twice', async () => {
    const before = await open([says('one'), says('two')]);
    await before.sidebar.session.send('First');
    const firstId = before.sidebar.session.conversation.id;
    before.takeFromSidebar();
    await before.sidebar.session.send('Second');
    const secondId = before.sidebar.session.conversation.id;
    await before.stop();
    before.dispose();
    const after = await open([]);
    const tab = await after.open(firstId);
    assert.deepEqual(
      [tab, after.sidebar].map(({ session }) => textOf(lastAnswer(session))),
      ['one', 'two'],
    );
    // A tab whose conversation the sidebar shows too takes it over.
    const taken = await after.open(secondId);
    assert.deepEqual([textOf(lastAnswer(taken.session)), after.sidebar.session.conversation.items.length], ['two', 0]);
    assert.equal(last.id, after.sidebar.session.conversation.id);
    after.dispose();
  });

  it('end when their tab is closed, but not before what runs in them is answered and stored', async () => {
    const { slow, goOn } = slowly();
    const places = await open([slow]);
    const answered = places.sidebar.session.send('First');
    const tab = places.takeFromSidebar();
    const { id } = tab.session.conversation;
    await eventually('it runs', () => tab.session.isRunning);
    places.release(tab);
    goOn();
    await answered;
    await eventually('it is gone', () => places.showing(id) === undefined);
    const again = await places.open(id);
    assert.equal(textOf(lastAnswer(again.session)), 'slow and done');
    places.dispose();
  });

  it('come to their end when the sidebar begins another conversation, and are there again when it is opened meanwhile', async () => {
    const { slow, goOn } = slowly();
    const places = await open([slow, says('quick')]);
    const first = places.sidebar;
    const answered = first.session.send('First');
    const { id } = first.session.conversation;
    await eventually('it runs', () => first.session.isRunning);
    await places.showInSidebar(undefined);
    assert.deepEqual([places.sidebar === first, first.session.isRunning, taken], [false, true, [first.context]]);
    assert.deepEqual([places.isUnseen(id), last.id], [true, places.sidebar.session.conversation.id]);
    const second = places.sidebar;
    await second.session.send('Second');
    await places.showInSidebar(id);
    assert.equal(places.sidebar, first, 'with all that runs in it');
    await eventually('what is idle ends', () => !places.all().includes(second));
    await places.showInSidebar(second.session.conversation.id);
    assert.equal(textOf(lastAnswer(places.sidebar.session)), 'quick');
    goOn();
    await answered;
    await eventually('it is stored and gone', () => places.showing(id) === undefined);
    await places.showInSidebar(id);
    assert.equal(textOf(lastAnswer(places.sidebar.session)), 'slow and done');
    places.dispose();
  });

  it('are written to the end before they count as closed, so that a conversation that is deleted in another one stays deleted', async () => {
    const places = await open([slowly().slow]);
    const { sidebar } = places;
    void sidebar.session.send('First');
    const { id } = sidebar.session.conversation;
    const tab = await places.open(undefined);
    const titles = async (): Promise<readonly string[]> => (await tab.keeper.list('', () => true)).entries.map(({ title }) => title);
    await eventually('it is stored', async () => (await titles()).length === 1);
    const [write, started, mayEnd] = [files.write.bind(files), deferred(), deferred()];
    files.write = async (name, text) => {
      started.resolve();
      await mayEnd.promise;
      await write(name, text);
    };
    let isClosed = false;
    const closed = places.close(sidebar).then(() => (isClosed = true));
    await started.promise;
    assert.equal(isClosed, false);
    mayEnd.resolve();
    await closed;
    await tab.keeper.delete(id);
    assert.deepEqual([await titles(), sidebar.session.conversation.items, places.sidebar === sidebar], [[], [], true]);
    places.dispose();
  });

  it('stay where they are when what should be opened is gone', async () => {
    const { slow, goOn } = slowly();
    const places = await open([slow]);
    const first = places.sidebar;
    const answered = first.session.send('First');
    await eventually('it runs', () => first.session.isRunning);
    await assert.rejects(places.showInSidebar('no-such-conversation'), { code: 'chat.savedConversationGone' });
    assert.deepEqual([places.sidebar === first, first.session.isRunning, places.all().length], [true, true, 1]);
    goOn();
    await answered;
    places.dispose();
  });
});
