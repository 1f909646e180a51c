import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/events.ts';
import { LateChat, type WholeChat } from '../../../src/chat/lateChat.ts';
import type { Question } from '../../../src/contract/questions/questions.ts';

describe('A chat that is loaded late', () => {
  let happened: string[];
  let asked: Emitter<void>;
  let key: () => Promise<void>;
  let late: LateChat<WholeChat>;

  beforeEach(() => {
    happened = [];
    asked = new Emitter<void>();
    key = () => Promise.resolve();
    const question = { askId: 'one' } as Question;
    const chat: WholeChat = {
      places: { questions: { list: () => [question], onDidChange: asked.event }, stop: async () => void happened.push('stopped') },
      loadKey: () => {
        happened.push('key');
        return key();
      },
      dispose: () => {
        happened.push('disposed');
        asked.dispose();
      },
    };
    late = new LateChat({
      open: () => {
        happened.push('opened');
        return Promise.resolve(chat);
      },
      report: (error) => happened.push(String(error)),
      keyMs: 20,
    });
  });
  afterEach(() => {
    late.dispose();
    asked.dispose();
  });

  it('asks nothing, knows no key and has nothing to stop before somebody wants it', async () => {
    await late.loadKey();
    await late.stop();
    assert.deepEqual([late.questions.list(), late.made, happened], [[], undefined, []]);
  });

  it('is there although the keyring does not answer: whatever waits for it goes on', async () => {
    key = () => new Promise(() => undefined);
    assert.equal((await late.get()).places.questions.list().length, 1);
    assert.deepEqual(happened, ['opened', 'key']);
  });

  it('is opened once, and knows who answers before anybody sees it', async () => {
    const [one, other] = await Promise.all([late.get(), late.get()]);
    assert.equal(one, other);
    assert.deepEqual(happened, ['opened', 'key']);
    await late.loadKey();
    await late.stop();
    late.dispose();
    assert.deepEqual(happened, ['opened', 'key', 'key', 'stopped', 'disposed']);
  });

  it('tells of its questions to those who listened before it was there', async () => {
    let told = 0;
    const listening = late.questions.onDidChange(() => (told += 1));
    await late.get();
    asked.fire();
    listening.dispose();
    assert.deepEqual([told, late.questions.list().length], [1, 1]);
  });

  it('is there though its key cannot be read', async () => {
    key = () => Promise.reject(new Error('no keyring'));
    await late.get();
    assert.deepEqual(happened, ['opened', 'key', 'Error: no keyring']);
  });
});
