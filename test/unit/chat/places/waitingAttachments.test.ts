import assert from 'node:assert/strict';
import { silentLog } from '../../../../src/base/log.ts';
import { ChatPlaces, type ChatPlace } from '../../../../src/chat/places/chatPlaces.ts';
import { WaitingAttachments } from '../../../../src/chat/places/waitingAttachments.ts';
import { eventually, TestStorage } from '../store/support.ts';
import { FakeProvider } from '../support.ts';
import { contextWith, Memory } from '../context/support.ts';

interface Window {
  readonly places: ChatPlaces;
  readonly told: readonly string[];
  close(): Promise<void>;
}

const names = ({ context }: ChatPlace): readonly string[] => context.state.attachments.map(({ name }) => name);

describe('What waits in the chats of a window', () => {
  let storage: TestStorage;
  let memory: Memory;
  let last: { id?: string };
  beforeEach(async () => {
    storage = await TestStorage.make();
    memory = new Memory();
    last = {};
  });
  afterEach(() => storage.dispose());

  async function open(files: readonly string[]): Promise<Window> {
    const window = await storage.chats(
      new FakeProvider([
        [
          { kind: 'text', text: 'Said.' },
          { kind: 'stop', reason: 'end' },
        ],
      ]),
    );
    const told: string[] = [];
    const waiting = new WaitingAttachments({
      memory,
      tellOfGone: (gone) => told.push(...gone.map(({ name }) => name)),
      log: silentLog,
    });
    const make = (ports: Parameters<typeof window.make>[0]): ChatPlace => {
      const made = { ...window.make(ports), context: contextWith(...files) };
      const keeping = waiting.keepOf(made);
      return { ...made, dispose: () => [keeping, made.context, made].forEach((each) => each.dispose()) };
    };
    const places = new ChatPlaces({ make, last: { get: () => last.id, set: (id) => (last.id = id) } });
    waiting.follow(places);
    await places.restored;
    const close = async (): Promise<void> => {
      await places.stop();
      waiting.dispose();
      places.dispose();
    };
    return { places, told, close };
  }

  it('is there again after a reload, in the sidebar and in each tab, and what is gone is told', async () => {
    const before = await open(['a.ts', 'b.ts', 'c.ts']);
    await before.places.sidebar.session.send('First');
    const tab = before.places.takeFromSidebar();
    await tab.context.attach([
      { kind: 'file', path: 'a.ts' },
      { kind: 'file', path: 'b.ts' },
    ]);
    await before.places.sidebar.context.attach([{ kind: 'file', path: 'c.ts' }]);
    const { id } = tab.session.conversation;
    await before.close();
    const after = await open(['a.ts', 'c.ts']);
    const again = await after.places.open(id);
    await eventually('both have theirs', () => names(again).length + names(after.places.sidebar).length + after.told.length === 3);
    assert.deepEqual([names(again), names(after.places.sidebar), after.told], [['a.ts'], ['c.ts'], ['b.ts']]);
    await after.close();
  });

  it('is there again in a tab whose conversation nobody has said anything in, over any number of reloads', async () => {
    const before = await open(['a.ts']);
    const tab = before.places.takeFromSidebar();
    await tab.context.attach([{ kind: 'file', path: 'a.ts' }]);
    let { id } = tab.session.conversation;
    await before.close();
    for (let reload = 0; reload < 2; reload += 1) {
      const after = await open(['a.ts']);
      const again = await after.places.open(id);
      await eventually('it is there', () => names(again).length === 1);
      assert.deepEqual([names(again), names(after.places.sidebar)], [['a.ts'], []]);
      ({ id } = again.session.conversation);
      await after.close();
    }
    assert.equal((memory.get() as readonly unknown[]).length, 1, 'nothing is left under the names of before');
  });

  it('and is gone is told once, and not again at every reload, in the sidebar and in a tab', async () => {
    const before = await open([]);
    await before.places.sidebar.session.send('First');
    const tab = before.places.takeFromSidebar();
    await tab.context.attachResult([], { serverId: 'demo', server: 'demo', tool: 'roll_dice', arguments: {} });
    await before.places.sidebar.context.attachResult([], { serverId: 'demo', server: 'demo', tool: 'echo', arguments: {} });
    const { id } = tab.session.conversation;
    await before.close();
    const after = await open([]);
    await after.places.open(id);
    await eventually('both are told', () => after.told.length === 2);
    assert.deepEqual([[...after.told].sort(), memory.get()], [['demo echo', 'demo roll_dice'], []]);
    await after.close();
  });
});
