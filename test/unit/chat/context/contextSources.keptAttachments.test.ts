import assert from 'node:assert/strict';
import type { ChatContext } from '../../../../src/chat/context/chatContext.ts';
import { KeptAttachments } from '../../../../src/chat/places/waitingAttachments.ts';
import { contextWith, Memory, secret } from './support.ts';

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]).toString('base64');

const fromServer = { serverId: 's', server: 'notes', name: 'Today' } as const;

const opened: ChatContext[] = [];

function window(...files: readonly string[]): ChatContext {
  const context = contextWith(...files);
  opened.push(context);
  return context;
}

describe('What is attached to the message being written', () => {
  afterEach(() => opened.splice(0).forEach((context) => context.dispose()));

  it('is there again after a reload, without its content having been stored', async () => {
    const memory = new Memory();
    const before = window('a.ts', 'b.ts', 'src');
    await before.attach([
      { kind: 'file', path: 'a.ts' },
      { kind: 'folder', path: 'src' },
      { kind: 'selection', path: 'b.ts', lines: { start: 2, end: 4 }, text: 'private words' },
    ]);
    await before.attachOfServer({ ...fromServer, kind: 'resource', uri: 'notes://today' });
    await before.attachOfServer({ ...fromServer, kind: 'prompt', description: 'Says hello.', arguments: { to: 'you' } });
    new KeptAttachments(memory).keep('sidebar', before.kept);
    assert.doesNotMatch(memory.stored, /private words/);
    const after = window('a.ts', 'b.ts', 'src');
    assert.deepEqual(await after.restore(new KeptAttachments(memory).take('sidebar')), []);
    const shown = ({ state }: ChatContext): readonly string[] => state.attachments.map(({ kind, name }) => `${kind} ${name}`).sort();
    assert.deepEqual(shown(after), shown(before));
    assert.equal(after.state.attachments.length, 5);
  });

  it('is named where it is gone: what was caught at one moment, is in no file, or is not there any more', async () => {
    const memory = new Memory();
    const before = window('a.ts');
    await before.attach([{ kind: 'file', path: 'a.ts' }, { kind: 'terminal' }]);
    await before.attachImage({ name: 'shot.png', mimeType: 'image/png', data: png });
    await before.attachOfServer({ ...fromServer, kind: 'resource', uri: `notes://me:${secret}@host` });
    new KeptAttachments(memory).keep('sidebar', before.kept);
    assert.doesNotMatch(memory.stored, new RegExp(`${secret}|${png}`));
    const after = window();
    const gone = await after.restore(new KeptAttachments(memory).take('sidebar'));
    assert.deepEqual(
      gone.map(({ what, name }) => `${what} ${name}`),
      ['file a.ts', 'terminal ', 'image shot.png', 'resource Today'],
    );
    assert.deepEqual(after.state.attachments, []);
  });

  it('is kept for each chat, beside what is attached before it is there again, and for a bounded number of chats', () => {
    const memory = new Memory();
    new KeptAttachments(memory).keep('one', [{ kind: 'file', path: 'a.ts' }]);
    const next = new KeptAttachments(memory);
    next.keep('one', [{ kind: 'editors' }]);
    assert.deepEqual(new KeptAttachments(memory).take('one'), [{ kind: 'file', path: 'a.ts' }, { kind: 'editors' }]);
    assert.deepEqual(next.take('one'), [{ kind: 'file', path: 'a.ts' }]);
    assert.deepEqual(next.take('one'), [], 'once');
    for (let chat = 0; chat < 30; chat += 1) {
      next.keep(`chat ${chat}`, [{ kind: 'editors' }]);
    }
    const last = new KeptAttachments(memory);
    assert.deepEqual([last.take('one'), last.take('chat 10').length], [[], 1]);
    next.keep('chat 10', []);
    assert.deepEqual(new KeptAttachments(memory).take('chat 10'), []);
  });

  it('is nothing where what was stored cannot be read', () => {
    const memory = new Memory();
    memory.set([['sidebar', [{ kind: 'unheard of' }]]]);
    assert.deepEqual(new KeptAttachments(memory).take('sidebar'), []);
  });
});
