import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/events.ts';
import { OpenQuestions } from '../../../../src/consent/openQuestions.ts';
import type { Question } from '../../../../src/contract/questions/questions.ts';
import { QuestionNotices } from '../../../../src/views/questions/waitingQuestions.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const never = new AbortController().signal;

function questionOf(askId: string): Question {
  return { askId, detail: { kind: 'roots', server: 'files', folders: [] }, why: 'new', differences: [], choices: ['deny', 'allow'] };
}

class Surface {
  readonly questions = new OpenQuestions();
  readonly #changed = new Emitter<void>();
  readonly onDidChangeVisibility = this.#changed.event;
  #isShown = false;

  isVisible(): boolean {
    return this.#isShown;
  }

  show(isShown: boolean): void {
    this.#isShown = isShown;
    this.#changed.fire();
  }

  ask(askId: string, signal = never): void {
    this.questions.ask(questionOf(askId), signal).catch(() => undefined); // withdrawn
  }
}

describe('The notice of a question that waits', () => {
  let panel: Surface;
  let chat: Surface;
  let clock: FakeClock;
  let notices: QuestionNotices;
  let focus: Emitter<void>;
  let isFocused: boolean;
  /** Every notice there was, in order, and those that stand. */
  let told: string[];
  let standing: Set<string>;

  const setFocus = (isNow: boolean): void => {
    isFocused = isNow;
    focus.fire();
  };

  beforeEach(() => {
    [panel, chat, clock, focus, isFocused, told, standing] = [
      new Surface(),
      new Surface(),
      new FakeClock(),
      new Emitter(),
      true,
      [],
      new Set(),
    ];
    notices = new QuestionNotices({
      surfaces: [panel, chat],
      isWindowFocused: () => isFocused,
      onDidChangeFocus: focus.event,
      notify: ({ askId }, over) => {
        told.push(askId);
        standing.add(askId);
        over.addEventListener('abort', () => standing.delete(askId));
      },
      clock,
    });
  });
  afterEach(() => {
    notices.dispose();
    panel.questions.dispose();
    chat.questions.dispose();
  });

  it('is not given to somebody who sees the question', () => {
    panel.show(true);
    panel.ask('one');
    clock.advance(10_000);
    assert.deepEqual(told, []);
  });

  it('waits a moment for the surface to come into view', () => {
    panel.ask('one');
    clock.advance(500);
    panel.show(true);
    clock.advance(10_000);
    assert.deepEqual(told, []);
  });

  it('is given once for each question whose surface is not in view', () => {
    panel.show(true);
    chat.ask('card');
    chat.ask('other card');
    panel.ask('in view');
    clock.advance(10_000);
    assert.deepEqual(
      [told, [...standing]],
      [
        ['card', 'other card'],
        ['card', 'other card'],
      ],
    );
  });

  it('is given when the window has no focus, though the surface is in view', () => {
    panel.show(true);
    isFocused = false;
    panel.ask('one');
    clock.advance(10_000);
    assert.deepEqual(told, ['one']);
  });

  it('goes when the question is seen, and does not come a second time', () => {
    chat.ask('card');
    clock.advance(1_000);
    chat.show(true);
    assert.deepEqual([...standing], []);
    chat.show(false);
    clock.advance(10_000);
    setFocus(false);
    clock.advance(10_000);
    assert.deepEqual([told, [...standing]], [['card'], []]);
  });

  it('is given when the person leaves before they have answered', () => {
    panel.show(true);
    panel.ask('one');
    clock.advance(10_000);
    setFocus(false);
    clock.advance(10_000);
    assert.deepEqual(told, ['one']);
  });

  for (const [how, settle] of [
    ['is answered', () => chat.questions.answer({ askId: 'card', choice: 'deny' })],
    ['is dismissed', () => chat.questions.dismiss(['card'])],
    ['is withdrawn', (withdraw: AbortController) => withdraw.abort()],
    ['goes with its surface', () => chat.questions.dispose()],
  ] as const) {
    it(`goes when the question ${how}, and does not come when that was before it was given`, () => {
      const withdraw = new AbortController();
      chat.ask('card', withdraw.signal);
      clock.advance(1_000);
      chat.ask('late', withdraw.signal);
      settle(withdraw);
      assert.deepEqual([...standing], []);
      chat.questions.answer({ askId: 'late', choice: 'deny' });
      clock.advance(10_000);
      assert.deepEqual([told, clock.pending], [['card'], 0]);
    });
  }

  it('goes with the window', () => {
    chat.ask('card');
    clock.advance(1_000);
    chat.ask('late');
    notices.dispose();
    assert.deepEqual([[...standing], clock.pending], [[], 0]);
  });
});
