import assert from 'node:assert/strict';
import { DisposableStore } from '../../../../src/base/lifecycle.ts';
import type { ContentWish } from '../../../../src/chat/models/contentOffers.ts';
import type { Choice, Question } from '../../../../src/contract/questions/questions.ts';
import { echoCall, FakeProvider, FakeTools, makeChat } from '../support.ts';
import { FakeContent, ownReview, review, text } from './support.ts';

const token = `ghp_${'a1B2'.repeat(9)}`;

describe('A prompt', () => {
  let content: FakeContent;
  let provider: FakeProvider;
  let answer: Choice;
  let asked: Question[];
  let opened: DisposableStore;

  beforeEach(() => {
    opened = new DisposableStore();
    content = opened.add(new FakeContent());
    asked = [];
    answer = 'allowOnce';
  });
  afterEach(() => opened.dispose());

  async function send(wish: ContentWish): Promise<void> {
    provider = new FakeProvider([
      [
        { kind: 'content', wish },
        { kind: 'stop', reason: 'toolUse' },
      ],
      [{ kind: 'stop', reason: 'end' }],
    ]);
    const chat = opened.add(makeChat(provider, new FakeTools([], echoCall), { content, model: 'model-1' }));
    const { questions } = chat.session;
    opened.add(
      questions.onDidChange(() => {
        for (const question of questions.list().filter(({ askId }) => !asked.some((each) => each.askId === askId))) {
          asked.push(question);
          setImmediate(() => chat.session.answer({ askId: question.askId, choice: answer }));
        }
      }),
    );
    await chat.session.send('/review');
  }

  it('of our own is asked about without our own words, which are sent as well', async () => {
    content.given = [text('Review the changes below.', ''), text('The changes:', ''), text('+ line', 'git://changes')];
    await send(ownReview);
    const details = asked.map(({ detail }) => (detail.kind === 'sendContent' ? detail : assert.fail(detail.kind)));
    assert.deepEqual(
      details.map(({ items, bytes }) => [items.map((item) => (item.kind === 'text' ? item.pieces.join('') : item.kind)), bytes]),
      [[['The changes:', '+ line'], 'The changes:+ line'.length]],
    );
    const sent = JSON.stringify(provider.requests.at(-1)?.messages.at(-1));
    assert.ok(
      ['Review the changes below.', 'The changes:', '+ line'].every((each) => sent.includes(each)),
      sent,
    );
  });

  it('of our own that sends nothing of the workspace is not asked about, unless it is refused or holds a secret', async () => {
    content.given = [text('No text editor is open in VS Code.', '')];
    await send(ownReview);
    assert.deepEqual(asked, []);
    assert.ok(JSON.stringify(provider.requests.at(-1)?.messages.at(-1)).includes('No text editor is open'));
    content.given = [text(`Look above all at ${token}.`, '')];
    answer = 'denyAlways';
    await send(ownReview);
    assert.equal(asked.length, 1);
    content.given = [text('No text editor is open in VS Code.', '')];
    await send(ownReview);
    assert.equal(asked.length, 1);
    assert.ok(!JSON.stringify(provider.requests.at(-1)?.messages.at(-1)).includes('No text editor is open'));
  });

  it('of another server is asked about whole, whatever it is called', async () => {
    content.given = [text('Review the changes below.', '')];
    await send({ ...review, server: 'editor' });
    assert.equal(asked.length, 1);
  });
});
