import assert from 'node:assert/strict';
import type { Question, QuestionDetail } from '../../../src/contract/questions.ts';
import { closingDelay } from '../../../src/views/consentClosing.ts';

const question = (kind: QuestionDetail['kind'], takesFocus?: boolean): Question => ({
  askId: 'a',
  detail: { kind } as QuestionDetail,
  why: 'new',
  differences: [],
  choices: ['allowOnce', 'deny'],
  ...(takesFocus === undefined ? {} : { takesFocus }),
});

describe('The panel of questions', () => {
  it('closes at once when the one call that the person made themselves is answered', () => {
    assert.equal(closingDelay([question('callTool', true)], true), 0);
  });

  it('waits for the next question after any other, and after one that was withdrawn', () => {
    const own = question('callTool', true);
    const delays = [
      closingDelay([own], false),
      closingDelay([own, own], true),
      closingDelay([question('callTool')], true),
      closingDelay([question('startServer', true)], true),
    ];
    assert.ok(
      delays.every((delay) => delay > 0),
      delays.join(' '),
    );
  });
});
