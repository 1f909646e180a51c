import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/events.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { SharedFolderInMemory, type Hold } from '../../../../src/base/sharedStorage.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { ConversationKeeper, type KeptSession, type StoreNotice } from '../../../../src/chat/store/conversationKeeper.ts';
import { ConversationShelf } from '../../../../src/chat/store/conversationShelf.ts';
import { storeLimits } from '../../../../src/chat/store/storeLimits.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { eventually } from './support.ts';

/** A disk that is full until somebody makes room. */
class FullFolder extends SharedFolderInMemory {
  isFull = false;

  override write(name: string, text: string): Promise<void> {
    return this.isFull ? Promise.reject(new Error('ENOSPC: no space left on device')) : super.write(name, text);
  }

  override hold(): Promise<Hold> {
    return this.isFull ? Promise.reject(new Error('ENOSPC: no space left on device')) : super.hold();
  }
}

/** A chat that shows a conversation and says nothing by itself. */
class QuietSession implements KeptSession {
  conversation = new Conversation({ id: 'first' });
  readonly isRunning = false;
  readonly #opened = new Emitter<Conversation>();
  readonly #settled = new Emitter<Conversation>();
  readonly onDidOpen = this.#opened.event;
  readonly onDidSettle = this.#settled.event;
  refreshes = 0;

  open(conversation: Conversation): Promise<void> {
    this.conversation = conversation;
    this.#opened.fire(conversation);
    return Promise.resolve();
  }

  newConversation(): Promise<void> {
    return this.open(new Conversation({ id: 'second' }));
  }

  refreshStatus(): void {
    this.refreshes += 1;
  }

  dispose(): void {
    this.#opened.dispose();
    this.#settled.dispose();
  }
}

describe('A conversation that cannot be written', () => {
  let folder: FullFolder;
  let clock: FakeClock;
  let session: QuietSession;
  let keeper: ConversationKeeper;
  let notices: StoreNotice[];

  beforeEach(() => {
    folder = new FullFolder();
    clock = new FakeClock();
    session = new QuietSession();
    notices = [];
    keeper = new ConversationKeeper({
      shelf: new ConversationShelf(folder, 'here', storeLimits, clock),
      limits: storeLimits,
      clock,
      last: { get: () => undefined, set: () => undefined },
      tell: (notice) => notices.push(notice),
      log: silentLog,
    });
    keeper.attach(session);
  });
  afterEach(() => {
    keeper.dispose();
    session.dispose();
  });

  const isNotKept = (): boolean => keeper.heading(session.conversation).isNotKept === true;
  const stored = async (): Promise<readonly string[]> => (await folder.list('here')).map(({ name }) => name);
  const saySomething = async (): Promise<void> => {
    session.conversation.begin('Hello', () => crypto.randomUUID());
    clock.advance(400);
    await eventually('an attempt to write', () => Promise.resolve(session.refreshes > 0));
  };

  it('says so as long as that is true, and is written once there is room, although nothing more is said', async () => {
    folder.isFull = true;
    await saySomething();
    assert.equal(isNotKept(), true);
    clock.advance(5_000);
    await eventually('a second attempt', () => Promise.resolve(session.refreshes > 1));
    assert.equal(isNotKept(), true);
    assert.equal(notices.length, 1, 'the notification comes once');
    folder.isFull = false;
    clock.advance(5_000);
    await eventually('the note to go', () => Promise.resolve(!isNotKept()));
    assert.deepEqual(await stored(), ['first.json']);
    assert.equal(session.refreshes, 3);
  });

  it('is not lost when another one is begun meanwhile', async () => {
    folder.isFull = true;
    await saySomething();
    await session.newConversation();
    assert.equal(isNotKept(), false, 'the new one is empty');
    folder.isFull = false;
    await eventually('the file', async () => {
      clock.advance(5_000);
      return (await stored()).includes('first.json');
    });
  });
});
