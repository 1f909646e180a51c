import assert from 'node:assert/strict';
import { FreshQuestions, type FocusNow } from '../../../../src/webview/shared/focusKeeper.ts';

const here: FocusNow = { isHere: true, isTyping: false, isInQuestion: false };
const elsewhere: FocusNow = { ...here, isHere: false };

describe('The focus of a new question', () => {
  let questions: FreshQuestions;
  beforeEach(() => {
    questions = new FreshQuestions();
  });

  it('is given once', () => {
    assert.deepEqual([questions.take(['a'], here), questions.take(['a'], here), questions.take(['a', 'b'], here)], ['a', undefined, 'b']);
  });

  it('is not taken from somebody who is inside another open question, nor later', () => {
    questions.take(['a'], here);
    assert.equal(questions.take(['a', 'b'], { ...here, isInQuestion: true }), undefined);
    assert.deepEqual([questions.take(['a', 'b'], here), questions.takeOwed(true)], [undefined, undefined]);
  });

  it('is not taken from somebody who types', () => {
    assert.equal(questions.take(['a'], { ...here, isTyping: true }), undefined);
  });

  it('is not taken from somebody who works elsewhere, and waits until they come', () => {
    assert.equal(questions.take(['a'], elsewhere), undefined);
    assert.equal(questions.take(['a'], elsewhere), undefined, 'drawn again');
    assert.deepEqual([questions.takeOwed(true), questions.takeOwed(true)], ['a', undefined]);
  });

  it('is not given late to a question that is settled, nor to somebody who has come for something else', () => {
    questions.take(['a'], elsewhere);
    questions.take([], elsewhere);
    assert.equal(questions.takeOwed(true), undefined);
    questions.take(['b'], elsewhere);
    assert.deepEqual([questions.takeOwed(false), questions.takeOwed(true)], [undefined, undefined]);
  });
});
