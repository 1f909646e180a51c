import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { type Clock, systemClock } from '../../../../src/base/clock.ts';
import type { ModelEvent } from '../../../../src/chat/models/modelProvider.ts';
import { FakeProvider, lastAnswer, textOf } from '../support.ts';
import { eventually, TestStorage } from './support.ts';

const says = (text: string): readonly ModelEvent[] => [
  { kind: 'text', text },
  { kind: 'stop', reason: 'end' },
];

/** Says something and then nothing, for as long as the test wants. */
function paused(text: string): { readonly round: () => AsyncIterable<ModelEvent>; readonly goOn: () => void } {
  let goOn: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  async function* round(): AsyncGenerator<ModelEvent> {
    yield { kind: 'text', text };
    await gate;
    yield { kind: 'text', text: ', and the rest' };
    yield { kind: 'stop', reason: 'end' };
  }
  return { round, goOn };
}

describe('Conversations that are kept', () => {
  let storage: TestStorage;
  beforeEach(async () => (storage = await TestStorage.make()));
  afterEach(() => storage.dispose());

  const files = async (ending: string): Promise<string[]> => (await fs.readdir(storage.folder)).filter((name) => name.endsWith(ending));

  it('are there again in the next window, the last one shown', async () => {
    const one = await storage.window(new FakeProvider([says('first answer'), says('second answer')]));
    await one.session.send('First');
    await one.session.newConversation();
    await one.session.send('Second');
    await one.keeper.close();
    one.dispose();
    const next = await storage.window(new FakeProvider([]), {}, one.last);
    await next.keeper.restore();
    assert.deepEqual([textOf(lastAnswer(next.session)), await next.titles()], ['second answer', ['Second', 'First']]);
    const [file = ''] = await files('.json');
    assert.equal((await fs.stat(path.join(storage.folder, file))).mode & 0o777, 0o600, 'nobody else can read it');
  });

  it('are on the disk with what the person typed as soon as the turn begins, however soon the window is killed', async () => {
    const model = paused('Not heard');
    // Whatever waits for a while never happens in a window that is killed before.
    const schedule: Clock['schedule'] = (delayMs, action) =>
      delayMs > 0 ? { dispose: () => undefined } : systemClock.schedule(delayMs, action);
    const killed = await storage.window(new FakeProvider([model.round]), {}, {}, { ...systemClock, schedule });
    void killed.session.send('A long thought');
    await eventually('what was typed', async () => {
      const texts = await Promise.all((await files('.json')).map((name) => fs.readFile(path.join(storage.folder, name), 'utf8')));
      return texts.some((text) => text.includes('A long thought'));
    });
    model.goOn();
    await eventually('the answer to end', () => !killed.session.isRunning);
  });

  it('do not take the place of a new one that the person began while the last was read', async () => {
    const one = await storage.window(new FakeProvider([says('an answer')]));
    await one.session.send('Before');
    await one.keeper.close();
    one.dispose();
    const next = await storage.window(new FakeProvider([]), {}, one.last);
    const restoring = next.keeper.restore();
    await next.session.newConversation();
    await restoring;
    assert.deepEqual(next.session.conversation.items, []);
  });

  it('do not take the place of a new one whose first message is just being sent', async () => {
    const one = await storage.window(new FakeProvider([says('an answer')]));
    await one.session.send('Before');
    await one.keeper.close();
    one.dispose();
    const next = await storage.window(new FakeProvider([says('another answer')]), {}, one.last);
    const load = next.shelf.load.bind(next.shelf);
    let sent: Promise<void> | undefined;
    next.shelf.load = async (id) => {
      const stored = await load(id);
      sent = next.session.send('After');
      return stored;
    };
    await next.keeper.restore();
    await sent;
    assert.deepEqual([next.session.conversation.items.length, textOf(lastAnswer(next.session))], [2, 'another answer']);
  });

  it('are written while they stream: a killed window leaves what was said, as interrupted, and it goes on from there', async () => {
    const model = paused('The beginning');
    const killed = await storage.window(new FakeProvider([model.round]));
    void killed.session.send('Tell me');
    await eventually('a file with what was streamed', async () => {
      const live = await files('.json');
      const texts = await Promise.all(
        [...live, ...(await files('.live'))].map((name) => fs.readFile(path.join(storage.folder, name), 'utf8')),
      );
      return texts.some((text) => text.includes('The beginning'));
    });
    // As after a kill: nothing is stored any more, and nobody holds it.
    const copy = await TestStorage.make();
    await fs.cp(storage.folder, copy.folder, { recursive: true, filter: (name) => !name.endsWith('.answering') && !name.includes('.tmp') });
    const provider = new FakeProvider([says(' and the end.')]);
    const next = await copy.window(provider);
    await next.keeper.restore();
    const interrupted = lastAnswer(next.session);
    assert.deepEqual([interrupted.state, textOf(interrupted)], ['interrupted', 'The beginning']);
    await next.session.retry();
    assert.deepEqual([lastAnswer(next.session).state, textOf(lastAnswer(next.session))], ['done', 'The beginning and the end.']);
    assert.deepEqual(
      provider.requests[0]?.messages.map(({ role, content }) => [
        role,
        content.map((block) => ('text' in block ? block.text : block.type)).join(),
      ]),
      [
        ['user', 'Tell me'],
        ['assistant', 'The beginning'],
        ['user', 'The editor was closed in the middle of your answer. Continue exactly where you stopped.'],
      ],
    );
    await copy.dispose();
    model.goOn();
    await killed.session.stop();
  });

  it('are closed with a window as interrupted, not as stopped by the person', async () => {
    const model = paused('Half');
    const closed = await storage.window(new FakeProvider([model.round]));
    const sent = closed.session.send('Tell me');
    await closed.until(() => closed.session.conversation.items.some((item) => item.kind === 'assistant' && textOf(item) === 'Half'));
    await closed.keeper.close();
    closed.dispose();
    model.goOn();
    await sent;
    const next = await storage.window(new FakeProvider([]), {}, closed.last);
    await next.keeper.restore();
    assert.deepEqual([lastAnswer(next.session).state, textOf(lastAnswer(next.session))], ['interrupted', 'Half']);
  });

  it('cannot be answered in two windows at once: the other one says so, follows, and may go on afterwards', async () => {
    const model = paused('From here');
    const here = await storage.window(new FakeProvider([says('hello'), model.round]));
    await here.session.send('Hi');
    const there = await storage.window(new FakeProvider([says('copied'), says('there again')]));
    await there.keeper.restore();
    const answered = here.session.send('More');
    await eventually('the other window to say so', () => there.session.state().heading?.isAnsweredElsewhere === true);
    await assert.rejects(there.session.send('Me too'), { code: 'chat.answeredElsewhere' });
    await eventually('the other window to show what streams', () => textOf(lastAnswer(there.session)) === 'From here');
    assert.deepEqual(
      (await there.keeper.list('', () => true)).entries.map(({ state }) => state),
      ['answeringElsewhere'],
    );
    await assert.rejects(there.keeper.delete(there.session.conversation.id), { code: 'chat.answeredElsewhere' });
    model.goOn();
    await answered;
    await eventually('the other window to be free', () => there.session.state().heading?.isAnsweredElsewhere === false);
    assert.equal(textOf(lastAnswer(there.session)), 'From here, and the rest');
    await there.session.send('Now me');
    await eventually('the first window to follow', () => here.session.conversation.items.length === 6);
    assert.equal(textOf(lastAnswer(here.session)), 'copied');
  });

  it('are not opened anew in another window while nothing is added to them', async () => {
    const model = paused('From here');
    const here = await storage.window(new FakeProvider([model.round]));
    const answered = here.session.send('Hi');
    const { id } = here.session.conversation;
    await eventually('what was streamed', async () => JSON.stringify((await here.shelf.load(id))?.saved ?? '').includes('From here'));
    const there = await storage.window(new FakeProvider([]));
    await there.keeper.open(id);
    const shown = there.session.conversation;
    // Each refused claim looks at the files again.
    await assert.rejects(there.session.send('Me too'), { code: 'chat.answeredElsewhere' });
    await assert.rejects(there.session.send('Me too'), { code: 'chat.answeredElsewhere' });
    assert.equal(there.session.conversation, shown);
    model.goOn();
    await answered;
    await eventually('the end of the answer', () => textOf(lastAnswer(there.session)) === 'From here, and the rest');
  });

  it('can be opened as a copy while another window answers', async () => {
    const model = paused('Original');
    const here = await storage.window(new FakeProvider([model.round]));
    const answered = here.session.send('Hi');
    await here.session.send('And then');
    await eventually('a stored conversation with what waits', async () => {
      const { id } = here.session.conversation;
      return (await here.shelf.load(id))?.saved.queue.length === 1;
    });
    const there = await storage.window(new FakeProvider([says('in the copy')]));
    await there.keeper.open(here.session.conversation.id);
    await there.keeper.openCopy();
    assert.deepEqual(there.session.conversation.queue, [], 'what waits is said where it was typed');
    here.session.unqueue(here.session.conversation.queue.map(({ id }) => id));
    await there.session.send('Go on');
    assert.equal(textOf(lastAnswer(there.session)), 'in the copy');
    model.goOn();
    await answered;
    assert.equal(here.session.conversation.items.length, 2, 'the original has nothing of it');
    assert.equal((await files('.json')).length, 2);
  });

  it('lose nothing of what two windows say in different ones', async () => {
    const [here, there] = [await storage.window(new FakeProvider([says('a')])), await storage.window(new FakeProvider([says('b')]))];
    await Promise.all([here.session.send('In one'), there.session.send('In the other')]);
    await eventually('both in both', async () => (await here.titles()).length === 2 && (await there.titles()).length === 2);
    assert.deepEqual([...(await here.titles())].sort(), ['In one', 'In the other']);
  });

  it('can be renamed, found, deleted and put back', async () => {
    const window = await storage.window(new FakeProvider([says('about whales'), says('about rivers')]));
    await window.session.send('Animals');
    const whales = window.session.conversation.id;
    await window.session.newConversation();
    await window.session.send('Water');
    const rivers = window.session.conversation.id;
    await window.keeper.rename(whales, 'Großes Tier');
    await window.keeper.rename(rivers, 'Nass');
    const found = async (search: string): Promise<readonly string[]> =>
      (await window.keeper.list(search, () => true)).entries.map(({ title }) => title);
    assert.deepEqual(
      [await found(''), await found('WHALES'), await found('tier'), await found('rivers water'), await found('nothing')],
      [['Nass', 'Großes Tier'], ['Großes Tier'], ['Großes Tier'], ['Nass'], []],
    );
    assert.equal(window.session.state().heading?.title, 'Nass');
    await window.keeper.delete(rivers);
    assert.deepEqual([await found(''), window.session.conversation.items.length], [['Großes Tier'], 0]);
    assert.deepEqual((await window.keeper.list('', () => true)).deleted, { id: rivers, title: 'Nass' });
    await window.keeper.undoDelete(rivers);
    assert.deepEqual([await found(''), window.session.conversation.id], [['Nass', 'Großes Tier'], rivers]);
  });

  it('can be put back after an attempt that failed', async () => {
    const window = await storage.window(new FakeProvider([says('about whales')]));
    await window.session.send('Animals');
    const { id } = window.session.conversation;
    await window.keeper.delete(id);
    const { files: disk } = window.shelf;
    const [move, refused] = [disk.move.bind(disk), [new Error('EBUSY: resource busy or locked')]];
    disk.move = (from, to) => {
      const error = refused.pop();
      return error === undefined ? move(from, to) : Promise.reject(error);
    };
    await assert.rejects(window.keeper.undoDelete(id), /EBUSY/);
    assert.deepEqual((await window.keeper.list('', () => true)).deleted, { id, title: 'Animals' });
    await window.keeper.undoDelete(id);
    assert.deepEqual([await window.titles(), window.session.conversation.id], [['Animals'], id]);
  });

  it('are not kept in any number: the oldest go first, and the person is told', async () => {
    const window = await storage.window(new FakeProvider([]), { maxConversations: 2 });
    for (const text of ['One', 'Two', 'Three']) {
      await window.session.newConversation();
      await window.session.send(text);
    }
    await eventually('the oldest to be gone', async () => (await window.titles()).join() === 'Three,Two');
    await eventually('a notice', () => window.notices.length > 0);
    assert.deepEqual(window.notices, [{ kind: 'removedOldest', count: 1 }]);
  });

  it('are not kept in any size: the oldest messages go first, and it says so', async () => {
    const large = 'x'.repeat(4_000);
    const window = await storage.window(new FakeProvider([says(large), says(large), says('small')]), { maxConversationBytes: 12_000 });
    await window.session.send('One');
    await window.session.send('Two');
    await window.session.send('Three');
    await window.keeper.close();
    const next = await storage.window(new FakeProvider([]), {}, window.last);
    await next.keeper.restore();
    assert.deepEqual(
      [
        next.session.conversation.items.filter(({ kind }) => kind === 'user').map((item) => item.kind === 'user' && item.text),
        next.session.state().heading?.messagesLeftOut,
      ],
      [['Two', 'Three'], 2],
    );
    assert.deepEqual(window.notices, [{ kind: 'shortened' }]);
  });

  it('are all gone when the person clears them', async () => {
    const window = await storage.window(new FakeProvider([]));
    await window.session.send('One');
    await fs.writeFile(path.join(storage.folder, 'broken.json.unreadable'), '{');
    assert.equal(await window.keeper.clear('workspace'), 1);
    assert.deepEqual([await window.titles(), window.session.conversation.items.length], [[], 0]);
    assert.deepEqual(await files('.unreadable'), ['broken.json.unreadable']);
  });

  it('that cannot be stored are answered all the same, and the person is told once', async () => {
    const window = await storage.window(new FakeProvider([says('a'), says('b')]));
    await fs.rm(storage.folder, { recursive: true });
    await fs.writeFile(storage.folder, 'a file in the way');
    await window.session.send('One');
    await window.session.send('Two');
    assert.equal(textOf(lastAnswer(window.session)), 'b');
    assert.deepEqual(
      window.notices.map(({ kind }) => kind),
      ['notStored'],
    );
  });
});
