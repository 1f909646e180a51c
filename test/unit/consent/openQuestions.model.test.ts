import assert from 'node:assert/strict';
import fc from 'fast-check';
import { OpenQuestions } from '../../../src/consent/openQuestions.ts';
import type { Choice, PersonAnswer, Question } from '../../../src/contract/questions/questions.ts';
import { commandsOf, runBesideModel, type Pair } from '../../support/besideModel.ts';
import { FakeClock } from '../../support/fakeClock.ts';

type Settled = Choice | 'withdrawn';

interface Real {
  readonly questions: OpenQuestions;
  readonly clock: FakeClock;
  readonly settled: Map<string, Settled>;
  readonly withdrawals: Map<string, AbortController>;
}

/** What is simple enough to be right: the open questions by their ids, and how the others ended. */
interface Model {
  readonly open: Map<string, { readonly choices: readonly Choice[]; readonly group: string | undefined; readonly askedAt: number }>;
  readonly settled: Map<string, Settled>;
  asked: number;
}

type Command = fc.AsyncCommand<Model, Real>;

const refusals: readonly Choice[] = ['deny', 'denyAlways', 'cancel'];
const allChoices: readonly Choice[] = [...refusals, 'allowOnce', 'allowAlways'];
const idOf = (number: number): string => `q${number}`;

const command = commandsOf<Model, Real>(async (model, { questions, settled }) => {
  // What was settled is heard of a turn later.
  await new Promise(setImmediate);
  assert.deepEqual(
    questions.list().map(({ askId }) => askId),
    [...model.open.keys()],
  );
  assert.deepEqual([...settled].sort(), [...model.settled].sort(), 'each question ends once, as the model says');
});

function ask(choices: readonly Choice[], group: string | undefined): Command {
  return command(`ask(${choices.join()}; ${group ?? ''})`, (model, { questions, settled, withdrawals, clock }) => {
    const askId = idOf((model.asked += 1));
    model.open.set(askId, { choices, group, askedAt: clock.now() });
    const withdrawal = new AbortController();
    withdrawals.set(askId, withdrawal);
    const detail: Question['detail'] = { kind: 'roots', server: 'files', folders: [] };
    const question: Question = { askId, detail, why: 'new', differences: [], choices: [...choices], ...(group !== undefined && { group }) };
    const end = (how: Settled): void => {
      assert.ok(!settled.has(askId), 'settled twice');
      settled.set(askId, how);
    };
    questions.ask(question, withdrawal.signal).then(
      ({ choice }) => end(choice),
      () => end('withdrawn'),
    );
  });
}

function close(model: Model, askId: string, how: Settled): void {
  model.open.delete(askId);
  model.settled.set(askId, how);
}

const answer = (number: number, choice: Choice): Command =>
  command(`answer(${number}, ${choice})`, (model, { questions }) => {
    const askId = idOf(number);
    const isPossible = model.open.get(askId)?.choices.includes(choice) === true;
    assert.equal(questions.answer({ askId, choice }), isPossible);
    if (isPossible) {
      close(model, askId, choice);
    }
  });

const withdraw = (number: number): Command =>
  command(`withdraw(${number})`, (model, { withdrawals }) => {
    withdrawals.get(idOf(number))?.abort();
    if (model.open.has(idOf(number))) {
      close(model, idOf(number), 'withdrawn');
    }
  });

const dismiss = (numbers: readonly number[]): Command =>
  command(`dismiss(${numbers.join()})`, (model, { questions }) => {
    questions.dismiss(numbers.map(idOf));
    for (const askId of numbers.map(idOf)) {
      const choices = model.open.get(askId)?.choices ?? [];
      const choice = choices.includes('cancel') ? 'cancel' : 'deny';
      if (choices.includes(choice)) {
        close(model, askId, choice);
      }
    }
  });

const wait = (ms: number): Command => command(`wait(${ms})`, (_, { clock }) => clock.advance(ms));

const together = (numbers: readonly number[]): Command =>
  command(`together(${numbers.join()})`, (model, { questions, clock }) => {
    const ids = numbers.map(idOf);
    const group = model.open.get(ids[0] ?? '')?.group;
    const open = [...model.open].filter(([, question]) => group !== undefined && question.group === group);
    const isPossible =
      open.length > 0 &&
      open.length === ids.length &&
      open.every(([id, { choices, askedAt }]) => ids.includes(id) && choices.includes('allowOnce') && clock.now() - askedAt >= 500);
    const rows = ids.map((askId): Pick<PersonAnswer, 'askId'> => ({ askId }));
    assert.equal(questions.allowTogether({ rows }), isPossible);
    if (isPossible) {
      ids.forEach((id) => close(model, id, 'allowOnce'));
    }
  });

const number = fc.integer({ min: 1, max: 6 });
const steps: readonly fc.Arbitrary<Command>[] = [
  fc.tuple(fc.subarray([...allChoices], { minLength: 1 }), fc.constantFrom('a', 'b', undefined)).map((given) => ask(...given)),
  fc.tuple(number, fc.constantFrom(...allChoices)).map((given) => answer(...given)),
  number.map(withdraw),
  fc.array(number, { maxLength: 3 }).map(dismiss),
  fc.integer({ min: 0, max: 700 }).map(wait),
  fc.uniqueArray(number, { minLength: 1, maxLength: 3 }).map(together),
];

describe('Questions, whatever is done with them in whatever order,', function () {
  this.timeout(60_000);

  it('end once each, as a simple model of them does', () => {
    const begin = (): Pair<Model, Real> => {
      const clock = new FakeClock();
      const questions = new OpenQuestions(clock);
      return {
        model: { open: new Map(), settled: new Map(), asked: 0 },
        real: { questions, clock, settled: new Map(), withdrawals: new Map() },
        end: () => questions.dispose(),
      };
    };
    return runBesideModel(steps, begin, 300);
  });
});
