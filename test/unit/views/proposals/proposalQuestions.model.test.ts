import assert from 'node:assert/strict';
import { mock } from 'node:test';
import fc from 'fast-check';
import type { ProposedChange, ProposedFile, ReviewAnswer } from '../../../../src/editor/acting/actingViews.ts';
import { ProposalQuestions } from '../../../../src/views/proposals/proposalQuestions.ts';
import { commandsOf } from '../../../support/besideModel.ts';

const armingMs = 500;
const id = 'one';

/** What a person saw of one change, as simply as it can be said. */
interface Model {
  readonly files: number;
  readonly answers: Map<number, 'accepted' | 'rejected'>;
  inView: readonly number[];
  /** For how long exactly this has been in view since something came into view or was answered. */
  lookedMs: number;
  readonly seen: Set<number>;
  ageMs: number;
  isOpen: boolean;
}

interface Real {
  readonly questions: ProposalQuestions;
  readonly withdrawal: AbortController;
  readonly ends: (ReviewAnswer | 'withdrawn')[];
}

type Command = fc.AsyncCommand<Model, Real>;

const isArmed = ({ inView, lookedMs }: Model): boolean => inView.length > 0 && lookedMs >= armingMs;

const command = commandsOf<Model, Real>(async (model, { questions, ends }) => {
  if (isArmed(model)) {
    model.inView.forEach((index) => model.seen.add(index));
  }
  await new Promise(setImmediate);
  const question = questions.find(id);
  assert.equal(question !== undefined, model.isOpen);
  assert.equal(ends.length, model.isOpen ? 0 : 1, 'it ends once');
  if (question !== undefined) {
    assert.equal(question.isArmed, isArmed(model));
    assert.deepEqual([...question.seen].sort(), [...model.seen].sort());
    assert.deepEqual([...question.answers.keys()].sort(), [...model.answers.keys()].sort());
  }
  const [end] = ends;
  if (end !== undefined && end !== 'withdrawn') {
    assert.deepEqual(
      end.map(({ kind }) => kind),
      Array.from({ length: model.files }, (_, index) => model.answers.get(index)),
      'one answer for each file, and the first one counts',
    );
  }
});

function note(model: Model, indexes: readonly number[], kind: 'accepted' | 'rejected'): boolean {
  const open = indexes.filter((index) => !model.answers.has(index));
  if (!model.isOpen || open.length === 0) {
    return false;
  }
  open.forEach((index) => model.answers.set(index, kind));
  model.lookedMs = 0;
  model.isOpen = model.answers.size < model.files;
  return true;
}

const textsOf = (indexes: readonly number[]): ReadonlyMap<number, string> => new Map(indexes.map((index) => [index, 'text']));
const within = ({ files }: Model, indexes: readonly number[]): readonly number[] => indexes.filter((index) => index < files);

const view = (open: readonly number[], front: readonly number[]): Command =>
  command(`view(${open.join()}; ${front.join()})`, (model, { questions }) => {
    const shown = within(model, open);
    const inView = front.filter((index) => shown.includes(index));
    questions.noticeView(id, { open: shown, inView });
    if (inView.length === 0 || inView.some((index) => !model.inView.includes(index))) {
      model.lookedMs = 0;
    }
    model.inView = inView;
    [...model.seen].filter((index) => !shown.includes(index)).forEach((index) => model.seen.delete(index));
  });

const wait = (ms: number): Command =>
  command(`wait(${ms})`, (model) => {
    mock.timers.tick(ms);
    model.lookedMs += ms;
    model.ageMs += ms;
  });

const accept = (indexes: readonly number[]): Command =>
  command(`accept(${indexes.join()})`, (model, { questions }) => {
    const meant = within(model, indexes);
    const isPossible = isArmed(model) && meant.every((index) => model.answers.has(index) || model.seen.has(index));
    assert.equal(questions.accept(id, textsOf(meant)), isPossible && note(model, meant, 'accepted'));
  });

const acceptInChat = (indexes: readonly number[], isRead: boolean): Command =>
  command(`acceptInChat(${indexes.join()}; ${isRead})`, (model, { questions }) => {
    const meant = within(model, indexes);
    const isPossible = model.ageMs >= armingMs && (isRead || meant.length === 0);
    assert.equal(
      questions.acceptInChat(id, textsOf(meant), () => isRead),
      isPossible && note(model, meant, 'accepted'),
    );
  });

const reject = (indexes: readonly number[]): Command =>
  command(`reject(${indexes.join()})`, (model, { questions }) => {
    const meant = within(model, indexes);
    assert.equal(questions.reject(id, meant, 'no'), note(model, meant, 'rejected'));
  });

const withdraw: Command = command('withdraw', (model, { withdrawal }) => {
  withdrawal.abort();
  model.isOpen = false;
});

const indexes = fc.uniqueArray(fc.nat({ max: 2 }), { maxLength: 3 });
const steps: readonly fc.Arbitrary<Command>[] = [
  fc.tuple(indexes, indexes).map((given) => view(...given)),
  fc.constantFrom(1, 250, 499, 500, 600).map(wait),
  fc.constantFrom(500).map(wait),
  indexes.map(accept),
  fc.tuple(indexes, fc.boolean()).map((given) => acceptInChat(...given)),
  indexes.map(reject),
  fc.constant(withdraw),
];

describe('A proposed change, whatever is seen and answered in whatever order,', function () {
  this.timeout(60_000);
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('is accepted only by who could see it, and ends once, as a simple model of it does', async () => {
    const file: ProposedFile = { kind: 'change', uri: {} as ProposedFile['uri'], path: 'a.txt', isText: true, before: '', after: 'a' };
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.commands<Model, Real, false>([...steps], { maxCommands: 25 }),
      async (files, chosen) => {
        const change: ProposedChange = {
          author: { credentialId: 'c1', name: 'outsider' },
          asksToSave: false,
          files: Array.from({ length: files }, () => file),
        };
        const questions = new ProposalQuestions();
        const real: Real = { questions, withdrawal: new AbortController(), ends: [] };
        questions.ask(id, change, real.withdrawal.signal).then(
          (answer) => real.ends.push(answer),
          () => real.ends.push('withdrawn'),
        );
        const model: Model = { files, answers: new Map(), inView: [], lookedMs: 0, seen: new Set(), ageMs: 0, isOpen: true };
        try {
          await fc.asyncModelRun(() => ({ model, real }), chosen);
        } finally {
          questions.dispose();
        }
      },
    );
    await fc.assert(property, { numRuns: 300, seed: 33 });
  });
});
