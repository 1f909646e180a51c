import assert from 'node:assert/strict';
import { OpenQuestions } from '../../../src/consent/openQuestions.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import type { Choice, Question } from '../../../src/contract/questions/questions.ts';

/** The page arms a yes when it has been in view for this long. */
const armingMs = 500;
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

describe('An answer that a page reports', () => {
  it('is no yes before the page can have armed it, and a no at any time', () => {
    const clock = new FakeClock();
    const questions = new OpenQuestions(clock);
    const choices: readonly Choice[] = ['deny', 'denyAlways', 'cancel', 'newConversation', 'allowOnce', 'saveAndRun', 'raiseRole'];
    questions.ask(questionWith('ask', choices), never).catch(() => undefined); // withdrawn at the end
    const early = (): readonly Choice[] => choices.filter((choice) => questions.isTooEarly({ askId: 'ask', choice }));
    clock.advance(armingMs - 1);
    assert.deepEqual(early(), ['allowOnce', 'saveAndRun', 'raiseRole']);
    clock.advance(1);
    assert.deepEqual(early(), []);
    questions.dispose();
  });
});

describe('"Allow these" for the calls of one answer', () => {
  let clock: FakeClock;
  let questions: OpenQuestions;
  let answered: string[];
  beforeEach(() => {
    clock = new FakeClock();
    questions = new OpenQuestions(clock);
    answered = [];
  });
  afterEach(() => questions.dispose());

  function open(askId: string, group?: string, choices: readonly Choice[] = ['deny', 'allowOnce', 'allowAlways']): void {
    const question = { ...questionWith(askId, choices), ...(group !== undefined && { group }) };
    questions.ask(question, never).then(
      ({ choice, arguments: args = '' }) => answered.push(`${askId} ${choice} ${args}`.trim()),
      () => undefined, // withdrawn at the end
    );
  }
  const allow = async (...askIds: readonly string[]): Promise<readonly [boolean, readonly string[]]> => {
    const isTaken = questions.allowTogether({ rows: askIds.map((askId) => ({ askId })) });
    await Promise.resolve();
    await Promise.resolve();
    return [isTaken, answered];
  };

  it('allows each once, as the person left it, and nothing beside them', async () => {
    open('a', 'answer');
    open('b', 'answer');
    open('alone');
    open('c', 'another answer');
    clock.advance(armingMs);
    assert.equal(questions.allowTogether({ rows: [{ askId: 'b', arguments: '{"x":1}' }, { askId: 'a' }] }), true);
    assert.deepEqual(await allow(), [false, ['b allowOnce {"x":1}', 'a allowOnce']]);
    assert.deepEqual(
      questions.list().map(({ askId }) => askId),
      ['alone', 'c'],
    );
  });

  it('allows nothing when a row came, went or changed since, or one of them came a moment ago', async () => {
    open('a', 'answer');
    open('b', 'answer');
    clock.advance(armingMs);
    open('c', 'answer');
    assert.deepEqual(await allow('a', 'b'), [false, []], 'a row that the person did not see');
    assert.deepEqual(await allow('a', 'b', 'c'), [false, []], 'a row that cannot have been armed');
    clock.advance(armingMs);
    assert.deepEqual(await allow('a', 'b', 'b'), [false, []]);
    assert.deepEqual(await allow('a', 'b', 'c', 'd'), [false, []]);
    assert.deepEqual(await allow('a', 'b', 'changed'), [false, []]);
    questions.answer({ askId: 'b', choice: 'deny' });
    assert.deepEqual(await allow('a', 'b', 'c'), [false, ['b deny']], 'a row that is decided by itself');
    assert.deepEqual(await allow('a', 'c'), [true, ['b deny', 'a allowOnce', 'c allowOnce']]);
  });

  it('allows nothing that stands alone, or cannot be allowed once', async () => {
    open('alone');
    open('a', 'answer');
    open('never once', 'answer', ['deny', 'allowAlways']);
    clock.advance(armingMs);
    assert.deepEqual(await allow('alone'), [false, []]);
    assert.deepEqual(await allow('alone', 'a'), [false, []]);
    assert.deepEqual(await allow('a', 'never once'), [false, []]);
  });
});
