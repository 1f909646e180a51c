import assert from 'node:assert/strict';
import { systemClock } from '../../../../src/base/clock.ts';
import type { ContextReading, ContextSources } from '../../../../src/chat/context/contextSources.ts';
import { type AttachedItem, sentPicture } from '../../../../src/chat/conversation/messageAttachments.ts';
import { PendingAttachments } from '../../../../src/chat/context/pendingAttachments.ts';
import { prepareContent } from '../../../../src/chat/content/preparedContent.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { toWire } from '../../../../src/chat/models/anthropicWire.ts';
import { echoCall, FakeProvider, FakeTools, makeChat } from '../support.ts';
import { FakeContent } from '../content/support.ts';

const pdf = Buffer.from('%PDF-1.7 \u0000 %%EOF').toString('base64');
const reading: ContextReading = {
  content: [{ kind: 'blob', name: '', mimeType: 'application/pdf', data: pdf }],
  version: '1',
  isWithheld: false,
};

describe('Files that are sent as they are', () => {
  it('are PDFs that the person attached: a chip with its size, and a document for the model', async () => {
    const sources: ContextSources = {
      selectLines: () => Promise.reject(new Error('Nothing is selected.')),
      present: () => Promise.resolve([]),
      candidates: () => Promise.resolve([]),
      isWithheld: () => false,
      read: () => Promise.resolve(reading),
      watch: () => ({ dispose: () => undefined }),
    };
    const pending = new PendingAttachments({
      sources,
      secretsIn: () => Promise.resolve([]),
      clock: systemClock,
      createId: () => crypto.randomUUID(),
    });
    await pending.add({ kind: 'file', path: 'docs/plan.pdf' }, AbortSignal.timeout(1_000));
    await pending.addImage({ name: 'dropped.pdf', mimeType: 'application/pdf', data: pdf });
    assert.deepEqual(
      pending.chips.map(({ kind, name, bytes, isPdf }) => [kind, name, bytes, isPdf]),
      [
        ['file', 'docs/plan.pdf', 16, true],
        ['file', 'dropped.pdf', 16, true],
      ],
    );
    const content = new FakeContent();
    const provider = new FakeProvider([]);
    const chat = makeChat(provider, new FakeTools([], echoCall), { content, model: 'model-1' });
    await chat.session.send('what do they say?', pending.take());
    const { messages } = toWire(provider.requests[0] ?? assert.fail());
    assert.deepEqual(
      (messages[0]?.content as readonly { type: string; title?: string; source?: { data: string } }[])
        .filter(({ type }) => type === 'document')
        .map(({ title, source }) => [title, source?.data]),
      [
        ['docs/plan.pdf', pdf],
        ['dropped.pdf', pdf],
      ],
    );
    // And again from its file.
    const again = Conversation.fromJSON(JSON.parse(JSON.stringify(chat.session.conversation)));
    assert.deepEqual(again.turns, chat.session.conversation.turns);
    again.dispose();
    chat.dispose();
    content.dispose();
    pending.dispose();
  });

  it('are no documents of servers, which nobody has looked through, and none that are too large', async () => {
    const secrets = (): Promise<[]> => Promise.resolve([]);
    const large = { ...reading.content[0], kind: 'blob', name: '', mimeType: 'application/pdf', data: 'A'.repeat(8_000_000) } as const;
    const [ofServer, tooLarge] = [
      await prepareContent(reading.content, secrets),
      await prepareContent([large], secrets, { hasDocuments: true }),
    ];
    assert.deepEqual([ofServer.items[0]?.kind, tooLarge.items[0]?.kind], ['named', 'named']);
    assert.deepEqual([...ofServer.documents, ...tooLarge.documents], []);
  });

  it('are images, which are found again to be shown with the message', async () => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
    const item = (id: string, mimeType: string, data: string): AttachedItem => ({
      chip: { id, kind: 'image', name: id },
      wish: {
        kind: 'attachment',
        what: 'image',
        name: id,
        read: () => Promise.resolve({ content: [{ kind: 'blob', name: '', mimeType, data }], isWithheld: false }),
      },
    });
    const content = new FakeContent();
    const chat = makeChat(new FakeProvider([]), new FakeTools([], echoCall), { content, model: 'model-1' });
    await chat.session.send('look', [item('one', 'application/pdf', pdf), item('two', 'image/png', png)]);
    const { conversation } = chat.session;
    const itemId = conversation.items[0]?.id ?? '';
    assert.equal(sentPicture(conversation, itemId, 'two')?.data, png);
    assert.deepEqual(
      [sentPicture(conversation, itemId, 'one'), sentPicture(conversation, itemId, 'three'), sentPicture(conversation, 'other', 'two')],
      [undefined, undefined, undefined],
    );
    chat.dispose();
    content.dispose();
  });
});
