import assert from 'node:assert/strict';
import { OpenQuestions } from '../../../src/consent/openQuestions.ts';
import type { Choice, Question } from '../../../src/contract/questions/questions.ts';

const never = new AbortController().signal;

function questionWith(askId: string, choices: readonly Choice[]): Question {
  return { askId, detail: { kind: 'roots', server: 'files', folders: [] }, why: 'new', differences: [], choices: [...choices] };
}

describe('Questions that the person turns away from', () => {
  it('get each the plain no that they offer, which is never one that is remembered', async () => {
    const questions = new OpenQuestions();
    const answers = [
      questions.ask(questionWith('start', ['deny', 'allow']), never),
      questions.ask(questionWith('call', ['deny', 'denyAlways', 'allowOnce', 'allowAlways']), never),
      questions.ask(questionWith('form', ['deny', 'cancel', 'allowOnce']), never),
    ];
    questions.dismiss(['start', 'call', 'form']);
    assert.deepEqual(
      (await Promise.all(answers)).map(({ choice }) => choice),
      ['deny', 'deny', 'cancel'],
    );
    assert.deepEqual(questions.list(), []);
    questions.dispose();
  });

  it('are only those that were shown: one that came meanwhile stays', () => {
    const questions = new OpenQuestions();
    questions.ask(questionWith('shown', ['deny', 'allow']), never).catch(() => undefined); // withdrawn at the end
    questions.ask(questionWith('new', ['deny', 'allow']), never).catch(() => undefined); // withdrawn at the end
    questions.dismiss(['shown', 'answered long ago']);
    assert.deepEqual(
      questions.list().map(({ askId }) => askId),
      ['new'],
    );
    questions.dispose();
  });
});
