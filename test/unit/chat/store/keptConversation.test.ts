import assert from 'node:assert/strict';
import * as path from 'node:path';
import { silentLog } from '../../../../src/base/log.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { ConversationShelf } from '../../../../src/chat/store/conversationShelf.ts';
import { KeptConversation } from '../../../../src/chat/store/keptConversation.ts';
import { storeLimits } from '../../../../src/chat/store/storeLimits.ts';
import { SharedFolderOnDisk } from '../../../../src/platform/files/sharedFolderOnDisk.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { deferred } from '../../server/support/deferred.ts';
import { TestStorage } from './support.ts';

describe('A conversation that is claimed', () => {
  let storage: TestStorage;
  let files: SharedFolderOnDisk;
  let kept: KeptConversation;
  let shelf: ConversationShelf;
  let clock: FakeClock;
  let failures: string[];

  beforeEach(async () => {
    storage = await TestStorage.make();
    files = await SharedFolderOnDisk.open(path.dirname(storage.folder), path.basename(storage.folder), silentLog);
    clock = new FakeClock();
    shelf = new ConversationShelf(files, path.basename(storage.folder), storeLimits, clock);
    failures = [];
    kept = new KeptConversation({
      conversation: new Conversation({ id: 'first' }),
      shelf,
      clock,
      file: undefined,
      onDidSave: () => undefined,
      onDidFail: (error) => failures.push(String(error)),
      onDidRecover: () => undefined,
    });
  });
  afterEach(async () => {
    kept.dispose();
    files.dispose();
    await storage.dispose();
  });

  it('while its file cannot be read is claimed again and written: the failed claim holds nothing', async () => {
    const readStart = files.readStart.bind(files);
    const refused = [new Error('EBUSY: resource busy or locked')];
    files.readStart = async (name, bytes) => {
      const error = refused.pop();
      return error === undefined ? readStart(name, bytes) : Promise.reject(error);
    };
    const failed = await kept.claim();
    assert.deepEqual(failures, ['Error: EBUSY: resource busy or locked']);
    kept.conversation.begin('Hello', () => crypto.randomUUID());
    await failed.release();
    const claim = await kept.claim();
    kept.conversation.begin('And again', () => crypto.randomUUID());
    await claim.release();
    const saved = (await shelf.load('first'))?.saved;
    assert.match(JSON.stringify(saved?.items), /Hello.*And again/);
    assert.deepEqual(
      (await files.list(shelf.folder)).map(({ name }) => name),
      ['first.json'],
    );
  });

  it('is written after the claim when that falls due meanwhile, and takes the claim for no other window', async () => {
    const [readStart, started, mayEnd] = [files.readStart.bind(files), deferred(), deferred()];
    files.readStart = async (name, bytes) => {
      started.resolve();
      await mayEnd.promise;
      return readStart(name, bytes);
    };
    kept.conversation.begin('Hello', () => crypto.randomUUID());
    const claiming = kept.claim();
    await started.promise;
    clock.advance(400);
    mayEnd.resolve();
    await (await claiming).release();
    assert.deepEqual(failures, []);
    assert.match(JSON.stringify((await shelf.load('first'))?.saved.items), /Hello/);
  });
});
