import assert from 'node:assert/strict';
import type { AttachmentReading, AttachedItem } from '../../../../src/chat/conversation/messageAttachments.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import type { ModelEvent } from '../../../../src/chat/models/modelProvider.ts';
import type { ChatState } from '../../../../src/contract/chat/chatState.ts';
import {
  askingCall,
  cards,
  echoCall,
  FakeProvider,
  FakeTools,
  lastAnswer,
  makeChat,
  makeTool,
  textOf,
  textResult,
  type TestChat,
} from '../support.ts';

const noTools = new FakeTools([], echoCall);

function says(text: string): readonly ModelEvent[] {
  return [
    { kind: 'text', text },
    { kind: 'stop', reason: 'end' },
  ];
}

/** Says a word and waits until it is let go. */
function held(text: string): { readonly round: () => AsyncGenerator<ModelEvent>; readonly release: () => void } {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  async function* round(): AsyncGenerator<ModelEvent> {
    yield { kind: 'text', text };
    await released;
    yield { kind: 'stop', reason: 'end' };
  }
  return { round, release: () => release() };
}

const said = ({ requests }: FakeProvider, index: number): readonly string[] =>
  (requests[index]?.messages ?? []).map(({ content }) => content.map((block) => (block.type === 'text' ? block.text : block.type)).join());

const shown = ({ session }: TestChat): readonly string[] =>
  session.conversation.items.map((item) =>
    item.kind === 'user'
      ? `${item.text}${item.branch === undefined ? '' : ` (${item.branch.index + 1} of ${item.branch.count})`}`
      : textOf(item),
  );

function attachment(id: string): AttachedItem {
  const read = (): Promise<AttachmentReading> => Promise.resolve({ content: [{ kind: 'text', name: '', text: id }], isWithheld: false });
  return { chip: { id, kind: 'file', name: id }, wish: { kind: 'attachment', what: 'file', name: id, read } };
}

/** What a page knows after all that it was sent. */
function lastStatus({ messages }: TestChat): Omit<ChatState, 'items'> | undefined {
  return messages.findLast((message) => message.name === 'chat/status' || message.name === 'chat/state')?.body;
}

/** Whether a page was made to believe that the queue comes back to it. */
function wasIdleWithQueue({ messages }: TestChat): boolean {
  return messages.some(
    (message) =>
      (message.name === 'chat/status' || message.name === 'chat/state') && !message.body.isRunning && message.body.queue !== undefined,
  );
}

describe('Acting on what was said', () => {
  let chat: TestChat;
  afterEach(() => chat.dispose());

  it('sends an edited message in place of the old one, and keeps the old one with all that came of it', async () => {
    const provider = new FakeProvider([says('A1'), says('B1'), says('A2')]);
    chat = makeChat(provider, noTools);
    await chat.session.send('first');
    await chat.session.send('second');
    const [first] = chat.session.conversation.items;
    await chat.session.edit(first?.id ?? '', 'other');
    assert.deepEqual(shown(chat), ['other (2 of 2)', 'A2']);
    assert.deepEqual(said(provider, 2), ['other'], 'nothing of the old words is sent');
    chat.session.showVersion(chat.session.conversation.items[0]?.id ?? '', 0);
    assert.deepEqual(shown(chat), ['first (1 of 2)', 'A1', 'second', 'B1']);
    await chat.session.send('third');
    assert.deepEqual(said(provider, 3), ['first', 'A1', 'second', 'B1', 'third'], 'the version that is shown goes on');
  });

  it('keeps the old answer as another version when it is written anew, also one that is not the last', async () => {
    const provider = new FakeProvider([says('A1'), says('A2'), says('B1'), says('A3')]);
    chat = makeChat(provider, noTools);
    await chat.session.send('first');
    await chat.session.retry();
    assert.deepEqual([shown(chat), said(provider, 1)], [['first (2 of 2)', 'A2'], ['first']]);
    await chat.session.send('second');
    await chat.session.retry(chat.session.conversation.items[1]?.id);
    assert.deepEqual([shown(chat), said(provider, 3)], [['first (3 of 3)', 'A3'], ['first']]);
    chat.session.showVersion(chat.session.conversation.items[0]?.id ?? '', 1);
    assert.deepEqual(shown(chat), ['first (2 of 3)', 'A2', 'second', 'B1']);
  });

  it('keeps every version, what is queued and what the person thinks of an answer through a stored file', async () => {
    const provider = new FakeProvider([says('A1'), says('A2')]);
    chat = makeChat(provider, noTools);
    await chat.session.send('first');
    await chat.session.retry();
    chat.session.rate(lastAnswer(chat.session).id, 'down');
    chat.session.conversation.queue = [{ id: 'q', text: 'later' }];
    const restored = Conversation.fromJSON(JSON.parse(JSON.stringify(chat.session.conversation)));
    assert.deepEqual(JSON.parse(JSON.stringify(restored)), JSON.parse(JSON.stringify(chat.session.conversation)));
    await chat.session.open(restored);
    chat.session.showVersion(restored.items[0]?.id ?? '', 0);
    assert.deepEqual(shown(chat), ['first (1 of 2)', 'A1']);
    chat.session.showVersion(restored.items[0]?.id ?? '', 1);
    assert.equal(lastAnswer(chat.session).feedback, 'down');
  });

  it('opens a conversation that was stored before there were versions', () => {
    chat = makeChat(new FakeProvider([]), noTools);
    const restored = Conversation.fromJSON({ version: 1, id: 'old', items: [{ kind: 'user', id: 'u', text: 'hi' }], turns: [] });
    assert.deepEqual([restored.items.length, restored.queue], [1, []]);
    restored.dispose();
  });

  it('tells no model what the person thinks of an answer, and takes it back', async () => {
    const provider = new FakeProvider([says('A1'), says('B1')]);
    chat = makeChat(provider, noTools);
    await chat.session.send('first');
    const before = JSON.stringify(provider.requests[0]?.messages);
    chat.session.rate(lastAnswer(chat.session).id, 'up');
    assert.equal(lastAnswer(chat.session).feedback, 'up');
    await chat.session.send('second');
    assert.deepEqual(said(provider, 1), ['first', 'A1', 'second']);
    assert.ok(JSON.stringify(provider.requests[1]?.messages).startsWith(before.slice(0, -1)));
    const [, first] = chat.session.conversation.items;
    chat.session.rate(first?.id ?? '', undefined);
    assert.ok(!JSON.stringify(chat.session.conversation).includes('feedback'));
  });

  it('ends the answer that runs when a message is edited', async () => {
    const answer = held('half');
    const provider = new FakeProvider([answer.round, says('A2')]);
    chat = makeChat(provider, noTools);
    const sent = chat.session.send('first');
    await chat.until(() => chat.session.conversation.items.length === 2 && textOf(lastAnswer(chat.session)) === 'half');
    await chat.session.edit(chat.session.conversation.items[0]?.id ?? '', 'other');
    await sent;
    assert.deepEqual(shown(chat), ['other (2 of 2)', 'A2']);
    await assert.rejects(chat.session.edit('gone', 'x'), { code: 'chat.messageGone' });
  });

  it('sends what was typed meanwhile in its order, each when the answer before it is done', async () => {
    const answer = held('A1');
    const provider = new FakeProvider([answer.round, says('B1'), says('C1')]);
    chat = makeChat(provider, noTools);
    const refreshing = chat.session.onDidSettle(() => chat.session.refreshStatus());
    const sent = chat.session.send('first');
    await chat.session.send('second');
    await chat.session.send('third');
    assert.deepEqual(
      lastStatus(chat)?.queue?.map(({ text }) => text),
      ['second', 'third'],
    );
    answer.release();
    await sent;
    assert.deepEqual(shown(chat), ['first', 'A1', 'second', 'B1', 'third', 'C1']);
    assert.deepEqual([lastStatus(chat)?.queue, chat.session.isRunning], [undefined, false]);
    assert.equal(wasIdleWithQueue(chat), false);
    refreshing.dispose();
  });

  it('sends what was typed while the conversation was compacted, when that is done', async () => {
    const summary = held('SUMMARY');
    const provider = new FakeProvider([says('A1'), summary.round, says('B1'), says('C1')]);
    chat = makeChat(provider, noTools);
    const refreshing = chat.session.onDidSettle(() => chat.session.refreshStatus());
    await chat.session.send('first');
    const compacted = chat.session.room.compact();
    await chat.session.send('second');
    await chat.session.send('third');
    assert.equal(lastStatus(chat)?.queue?.length, 2);
    summary.release();
    await compacted;
    assert.match(said(provider, 2).join('\n'), /SUMMARY.*second/s);
    assert.deepEqual(shown(chat), ['first', 'A1', 'second', 'B1', 'third', 'C1']);
    assert.deepEqual([lastStatus(chat)?.queue, lastStatus(chat)?.isRunning, wasIdleWithQueue(chat)], [undefined, false, false]);
    refreshing.dispose();
  });

  it('sends nothing by itself when compacting was stopped', async () => {
    const provider = new FakeProvider([says('A1'), held('SUMMARY').round]);
    chat = makeChat(provider, noTools);
    await chat.session.send('first');
    const compacted = chat.session.room.compact();
    await chat.session.send('second');
    await chat.session.stop();
    await compacted;
    assert.deepEqual([lastStatus(chat)?.isRunning, lastStatus(chat)?.queue?.length, provider.requests.length], [false, 1, 2]);
  });

  it('sends nothing by itself after Stop or a failure: what is queued waits for the person', async () => {
    const answer = held('A1');
    async function* fails(): AsyncGenerator<ModelEvent> {
      yield { kind: 'text', text: 'half' };
      await Promise.resolve();
      throw new Error('broken');
    }
    const provider = new FakeProvider([answer.round, fails]);
    chat = makeChat(provider, noTools);
    const sent = chat.session.send('first');
    await chat.session.send('second');
    await chat.until(() => textOf(lastAnswer(chat.session)) === 'A1');
    await chat.session.stop();
    await sent;
    assert.deepEqual([chat.session.isRunning, lastStatus(chat)?.isRunning, lastStatus(chat)?.queue?.length], [false, false, 1]);
    const [queued] = chat.session.conversation.queue;
    chat.session.unqueue([queued?.id ?? '']);
    assert.equal(lastStatus(chat)?.queue, undefined);
    const failing = chat.session.send('again');
    await chat.session.send('after it');
    await failing;
    assert.deepEqual([lastAnswer(chat.session).state, chat.session.conversation.queue.length, provider.requests.length], ['failed', 1, 2]);
  });

  it('starts nothing that is queued in a conversation that is left', async () => {
    const answer = held('A1');
    const provider = new FakeProvider([answer.round]);
    chat = makeChat(provider, noTools);
    const sent = chat.session.send('first');
    await chat.session.send('second');
    await chat.until(() => textOf(lastAnswer(chat.session)) === 'A1');
    answer.release();
    await chat.session.newConversation();
    await sent;
    assert.deepEqual([chat.session.isRunning, chat.session.conversation.items.length, provider.requests.length], [false, 0, 1]);
  });

  it('sends with a queued message what was attached to it then, and nothing that came later', async () => {
    const answer = held('A1');
    const provider = new FakeProvider([answer.round]);
    let attached = [attachment('for-second')];
    const back: string[] = [];
    chat = makeChat(provider, noTools, {
      takeAttached: () => attached.splice(0),
      giveBackAttached: (items) => items.forEach(({ chip }) => back.push(chip.id)),
    });
    const sent = chat.session.send('first', []);
    await chat.session.send('second');
    await chat.session.send('third');
    attached = [attachment('for-the-draft')];
    answer.release();
    await sent;
    assert.deepEqual(
      chat.session.conversation.items.flatMap((item) => (item.kind === 'user' ? [item.attachments?.map(({ id }) => id)] : [])),
      [undefined, ['for-second'], undefined],
    );
    assert.equal(attached.length, 1, 'the draft keeps what is attached to it');
    assert.deepEqual(back, []);
  });

  it('gives back what was attached to a queued message that is taken back', async () => {
    const answer = held('A1');
    const attached = [attachment('chip')];
    const back: string[] = [];
    chat = makeChat(new FakeProvider([answer.round]), noTools, {
      takeAttached: () => attached.splice(0),
      giveBackAttached: (items) => items.forEach(({ chip }) => back.push(chip.id)),
    });
    const sent = chat.session.send('first', []);
    await chat.session.send('second');
    await chat.session.stop();
    await sent;
    chat.session.unqueue(chat.session.conversation.queue.map(({ id }) => id));
    assert.deepEqual([back, chat.session.conversation.queue], [['chip'], []]);
  });

  it('gives back, after a reload, where that is what was attached to a queued message', async () => {
    const kept = { kind: 'file', path: 'a.ts' } as const;
    chat = makeChat(new FakeProvider([held('A1').round]), noTools, { takeAttached: () => [{ ...attachment('chip'), kept }] });
    const sent = chat.session.send('first', []);
    await chat.session.send('second');
    const stored: unknown = JSON.parse(JSON.stringify(chat.session.conversation.toJSON()));
    await chat.session.stop();
    await sent;
    chat.dispose();
    const back: unknown[] = [];
    const giveBackAttached = (...given: readonly unknown[]): unknown => back.push(given);
    chat = makeChat(new FakeProvider([]), noTools, { conversation: Conversation.fromJSON(stored), giveBackAttached });
    chat.session.unqueue(chat.session.conversation.queue.map(({ id }) => id));
    assert.deepEqual(back, [[[], [kept]]]);
  });

  it('changes nothing in a conversation that another window writes in', async () => {
    let isAnsweredElsewhere = false;
    chat = makeChat(new FakeProvider([]), noTools, { heading: () => ({ title: '', messagesLeftOut: 0, isAnsweredElsewhere }) });
    await chat.session.send('first');
    const { id } = lastAnswer(chat.session);
    chat.session.conversation.queue = [{ id: 'q', text: 'of the other window' }];
    isAnsweredElsewhere = true;
    const refused = { code: 'chat.answeredElsewhere' };
    assert.throws(() => chat.session.rate(id, 'up'), refused);
    assert.throws(() => chat.session.showVersion(id, 0), refused);
    assert.throws(() => chat.session.unqueue(['q']), refused);
    await assert.rejects(chat.session.undoEdits(id), refused);
    await assert.rejects(chat.session.runOwn(id, 'propose_edit', {}), refused);
    assert.deepEqual([chat.session.state().queue, chat.session.conversation.queue.length], [undefined, 1]);
  });

  it('refuses more than can wait', async () => {
    const answer = held('A1');
    chat = makeChat(new FakeProvider([answer.round]), noTools);
    const sent = chat.session.send('first');
    for (let index = 0; index < 20; index += 1) {
      await chat.session.send(`more ${index}`);
    }
    await assert.rejects(chat.session.send('too much'), { code: 'chat.queueFull' });
    await chat.session.stop();
    await sent;
  });

  it('runs what the person pressed as a card of the answer, after its question, and tells no model', async () => {
    const tools = new FakeTools([makeTool('editor', 'run_terminal_command'), makeTool('other', 'propose_edit')], askingCall);
    const provider = new FakeProvider([says('Run this.'), says('B1')]);
    chat = makeChat(provider, tools);
    await chat.session.send('first');
    const { id } = lastAnswer(chat.session);
    const ran = chat.session.runOwn(id, 'run_terminal_command', { command: 'npm test' });
    await chat.until(() => cards(chat.session)[0]?.question !== undefined);
    assert.equal(chat.session.isRunning, false);
    chat.session.answer({ askId: 'ask-1', choice: 'allowOnce' });
    await ran;
    assert.deepEqual([cards(chat.session)[0]?.state, tools.calls[0]?.arguments], ['done', { command: 'npm test' }]);
    await chat.session.send('second');
    assert.deepEqual(said(provider, 1), ['first', 'Run this.', 'second']);
    await assert.rejects(chat.session.runOwn(id, 'propose_edit', {}), { code: 'chat.toolGone' }, 'another server has a tool of that name');
  });

  it('tells and keeps of a call only what it is to tell, and calls with all of it', async () => {
    const tools = new FakeTools([makeTool('editor', 'propose_edit')], (call) => {
      call.onStart(call.arguments);
      return Promise.resolve(textResult('ok'));
    });
    chat = makeChat(new FakeProvider([says('Change this.')]), tools);
    await chat.session.send('first');
    const args = { path: 'a.ts', newText: 'SECRET\nblock' };
    await chat.session.runOwn(lastAnswer(chat.session).id, 'propose_edit', args, ({ path }) => ({ path: path ?? '', block: 'block' }));
    assert.deepEqual(tools.calls[0]?.arguments, args);
    assert.deepEqual(JSON.parse(cards(chat.session)[0]?.arguments ?? ''), { path: 'a.ts', block: 'block' });
    assert.ok(!JSON.stringify([chat.session.conversation, chat.messages]).includes('SECRET'));
  });
});
