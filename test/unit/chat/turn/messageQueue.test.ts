import assert from 'node:assert/strict';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { Claims } from '../../../../src/chat/turn/messageQueue.ts';

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('The claim on a conversation', () => {
  it('is given back by the last one who uses it, whoever took it', async () => {
    const happened: string[] = [];
    const release = (): Promise<void> => Promise.resolve(void happened.push('released'));
    const claims = new Claims(() => Promise.resolve(void happened.push('claimed')).then(() => ({ release })));
    const conversation = new Conversation();
    const [stopped, edited, begun] = [gate(), gate(), gate()];
    const first = claims.during(conversation, () => (begun.open(), stopped.opened));
    await begun.opened;
    const second = claims.during(conversation, () => edited.opened);
    stopped.open();
    await first;
    assert.deepEqual(happened, ['claimed']);
    edited.open();
    await second;
    assert.deepEqual(happened, ['claimed', 'released']);
  });

  it('is taken again only when it has been given back', async () => {
    const happened: string[] = [];
    const given = gate();
    const claims = new Claims(() => {
      happened.push('claimed');
      return Promise.resolve({ release: () => given.opened.then(() => void happened.push('released')) });
    });
    const conversation = new Conversation();
    const first = claims.during(conversation, () => Promise.resolve());
    await new Promise(setImmediate);
    const second = claims.during(conversation, () => Promise.resolve());
    await new Promise(setImmediate);
    assert.deepEqual(happened, ['claimed']);
    given.open();
    await Promise.all([first, second]);
    assert.deepEqual(happened, ['claimed', 'released', 'claimed', 'released']);
  });
});
