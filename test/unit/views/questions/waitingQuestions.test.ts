import assert from 'node:assert/strict';
import { DisposableStore } from '../../../../src/base/lifecycle.ts';
import { OpenQuestions } from '../../../../src/consent/openQuestions.ts';
import type { Question } from '../../../../src/contract/questions/questions.ts';
import type { ProposedChange, ProposedFile } from '../../../../src/editor/acting/actingViews.ts';
import { ProposalQuestions } from '../../../../src/views/proposals/proposalQuestions.ts';
import { WaitingQuestions } from '../../../../src/views/questions/waitingQuestions.ts';

const file: ProposedFile = { kind: 'change', uri: {} as ProposedFile['uri'], path: 'a.txt', isText: true, before: '', after: 'a' };
const change: ProposedChange = { author: { credentialId: 'c1', name: 'outsider' }, asksToSave: false, files: [file] };
const question = (askId: string): Question => ({
  askId,
  detail: { kind: 'roots', server: 'files', folders: [] },
  why: 'new',
  differences: [],
  choices: ['allowOnce', 'deny'],
});
const never = new AbortController().signal;

describe('What waits for the person', () => {
  let lifetime: DisposableStore;
  let panel: OpenQuestions;
  let review: ProposalQuestions;
  let chat: OpenQuestions;
  let waiting: WaitingQuestions;
  /** The count each time it is told. */
  let told: number[];

  const ask = (questions: OpenQuestions, askId: string): void => {
    questions.ask(question(askId), never).catch(() => undefined); // withdrawn at the end
  };
  const propose = (id: string, signal = never): void => {
    review.ask(id, change, signal).catch(() => undefined); // withdrawn at the end
  };

  beforeEach(() => {
    lifetime = new DisposableStore();
    panel = lifetime.add(new OpenQuestions());
    review = lifetime.add(new ProposalQuestions());
    chat = lifetime.add(new OpenQuestions());
    waiting = lifetime.add(new WaitingQuestions({ panel, review, chat }));
    told = [];
    lifetime.add(waiting.onDidChange(() => told.push(waiting.count)));
  });

  afterEach(() => lifetime.dispose());

  it('is nothing at first', () => {
    assert.deepEqual([waiting.count, waiting.firstSurface], [0, undefined]);
  });

  it('counts a proposed change like any other question, until each is answered', () => {
    ask(panel, 'start');
    propose('edit');
    ask(chat, 'call');
    panel.answer({ askId: 'start', choice: 'deny' });
    review.reject('edit', [0], '');
    chat.answer({ askId: 'call', choice: 'allowOnce' });
    assert.deepEqual(told, [1, 2, 3, 2, 1, 0]);
  });

  it('counts a proposed change no longer when the client withdraws it', () => {
    const withdrawing = new AbortController();
    propose('edit', withdrawing.signal);
    propose('other');
    withdrawing.abort();
    assert.deepEqual(told, [1, 2, 1]);
  });

  it('knows where each one is asked, for as long as it waits', () => {
    ask(panel, 'start');
    propose('edit');
    ask(chat, 'call');
    const places = (): unknown => ['start', 'edit', 'call', 'other'].map((id) => waiting.surfaceOf(id));
    assert.deepEqual(places(), ['panel', 'review', 'chat', undefined]);
    panel.answer({ askId: 'start', choice: 'deny' });
    review.reject('edit', [0], '');
    chat.answer({ askId: 'call', choice: 'deny' });
    assert.deepEqual(places(), [undefined, undefined, undefined, undefined]);
  });

  it('leads to the panel, then to the proposed changes, then to the chat', () => {
    const places = [];
    ask(chat, 'call');
    places.push(waiting.firstSurface);
    propose('edit');
    places.push(waiting.firstSurface);
    ask(panel, 'start');
    places.push(waiting.firstSurface);
    assert.deepEqual(places, ['chat', 'review', 'panel']);
  });
});
