import { abortError } from '../base/abort.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { Emitter } from '../base/events.ts';
import { type Disposable, DisposableStore } from '../base/lifecycle.ts';
import { revealInvisible } from '../base/visibleText.ts';
import type { AnswerTogether, Choice, PersonAnswer, Question } from '../contract/questions/questions.ts';
import type { Asker } from '../contract/questions/callKnowledge.ts';

/** Where a question is shown while it is open, if it has a place of its own, such as a card in the chat. */
export type QuestionPlace = Place<Question>;

/** How long, in ms, a page needs at least until a yes is armed; what comes earlier is nobody's answer. */
const minArmingMs = 500;
/** The answers that let nothing happen; they count at once. */
const refusals: ReadonlySet<Choice> = new Set<Choice>(['deny', 'denyAlways', 'cancel', 'newConversation']);

/** The questions that wait for the person in one part of Duplex. Each is settled once, by its answer or by being withdrawn. */
export class OpenQuestions implements Disposable {
  readonly #pending = new PendingAnswers<Question, PersonAnswer>();
  readonly #clock: Clock;
  /** When each open question was asked. */
  readonly #askedAt = new WeakMap<Question, number>();

  readonly onDidChange = this.#pending.onDidChange;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** Resolves to the answer; rejects with an AbortError when the question is withdrawn. */
  readonly ask = (question: Question, signal: AbortSignal, place?: QuestionPlace): Promise<PersonAnswer> => {
    this.#askedAt.set(question, this.#clock.now());
    return this.#pending.wait(question.askId, question, signal, place);
  };

  /** Asks about something that the person has just asked for; such a question takes the focus. */
  readonly askOwn = (question: Question, signal: AbortSignal, place?: QuestionPlace): Promise<PersonAnswer> =>
    this.ask({ ...question, takesFocus: true }, signal, place);

  list(): readonly Question[] {
    return this.#pending.list();
  }

  /** Answers a question. False when it is not open any more or has no such choice. */
  answer(answer: PersonAnswer): boolean {
    const question = this.#pending.find(answer.askId);
    return question?.choices.includes(answer.choice) === true && this.#pending.settle(answer.askId, answer);
  }

  /**
   * Allows every call of a group once. False, and nothing is allowed, when these are not exactly the calls that are open, or one of them
   * came a moment ago: the person answered for other rows than there are now.
   */
  allowTogether({ rows }: AnswerTogether): boolean {
    const group = this.#pending.find(rows[0]?.askId ?? '')?.group;
    const open = this.list().filter((question) => group !== undefined && question.group === group);
    const answers = rows.map((row): PersonAnswer => ({ ...row, choice: 'allowOnce' }));
    const isWhole = open.length === rows.length && open.every(({ askId }) => rows.some((row) => row.askId === askId));
    if (open.length === 0 || !isWhole || answers.some((answer) => this.isTooEarly(answer))) {
      return false;
    }
    return open.every(({ choices }) => choices.includes('allowOnce')) && answers.map((answer) => this.answer(answer)).every(Boolean);
  }

  /** Whether a page reports a yes before it can have armed it: that is nobody's answer, and must not be given. */
  isTooEarly({ askId, choice }: PersonAnswer): boolean {
    const question = this.#pending.find(askId);
    const askedAt = question === undefined ? undefined : this.#askedAt.get(question);
    return !refusals.has(choice) && askedAt !== undefined && this.#clock.now() - askedAt < minArmingMs;
  }

  /** Refuses questions that the person closed without an answer. The refusal holds for this one request and is not remembered. */
  dismiss(askIds: readonly string[]): void {
    for (const askId of askIds) {
      const choice = this.#pending.find(askId)?.choices.includes('cancel') === true ? 'cancel' : 'deny';
      this.answer({ askId, choice });
    }
  }

  dispose(): void {
    this.#pending.dispose();
  }
}

/** Shows something while it waits for the person. */
interface Place<Item> {
  show(item: Item): void;
  hide(): void;
}

interface Pending<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
}

/** Things that wait for the person's answer. Each is settled once, by its answer or by being withdrawn. */
export class PendingAnswers<Item, Answer> implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  readonly #closing = new AbortController();
  readonly #pending = new Map<string, Pending<Item, Answer>>();

  readonly onDidChange = this.#changed.event;

  /** Resolves to the answer; rejects with an AbortError when it is withdrawn. */
  wait(id: string, item: Item, signal: AbortSignal, place?: Place<Item>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const ended = AbortSignal.any([signal, this.#closing.signal]);
      if (ended.aborted) {
        reject(abortError('The question was withdrawn.'));
        return;
      }
      const close = (): void => {
        ended.removeEventListener('abort', withdraw);
        this.#pending.delete(id);
        place?.hide();
        this.#changed.fire();
      };
      const withdraw = (): void => {
        close();
        reject(abortError('The question was withdrawn.'));
      };
      ended.addEventListener('abort', withdraw, { once: true });
      this.#pending.set(id, {
        item,
        resolve: (answer) => {
          close();
          resolve(answer);
        },
      });
      place?.show(item);
      this.#changed.fire();
    });
  }

  list(): readonly Item[] {
    return [...this.#pending.values()].map(({ item }) => item);
  }

  find(id: string): Item | undefined {
    return this.#pending.get(id)?.item;
  }

  /** Settles one of them; false when it does not wait any more. */
  settle(id: string, answer: Answer): boolean {
    const pending = this.#pending.get(id);
    pending?.resolve(answer);
    return pending !== undefined;
  }

  dispose(): void {
    this.#closing.abort();
    this.#lifetime.dispose();
  }
}

/** An asker as a question names it. The name of a model or a task could hold anything, so invisible characters are written out. */
export function shownAsker(asker: Asker): Asker {
  return 'name' in asker ? { ...asker, name: revealInvisible(asker.name) } : asker;
}
