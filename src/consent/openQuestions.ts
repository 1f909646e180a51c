import { abortError } from '../base/abort.ts';
import { Emitter } from '../base/events.ts';
import { type Disposable, DisposableStore } from '../base/lifecycle.ts';
import { revealInvisible } from '../base/visibleText.ts';
import type { PersonAnswer, Question } from '../contract/questions/questions.ts';
import type { Asker } from '../contract/questions/callKnowledge.ts';

/** Where a question is shown while it is open, for those that have a place of their own (a card in the chat). */
export type QuestionPlace = Place<Question>;

/** The questions that wait for a person in one surface. Each is settled once: by its own answer, or by being withdrawn. */
export class OpenQuestions implements Disposable {
  readonly #pending = new PendingAnswers<Question, PersonAnswer>();

  readonly onDidChange = this.#pending.onDidChange;

  /** Resolves to the answer; rejects with an AbortError when the question is withdrawn. */
  readonly ask = (question: Question, signal: AbortSignal, place?: QuestionPlace): Promise<PersonAnswer> =>
    this.#pending.wait(question.askId, question, signal, place);

  /** For what the person has just asked for: the focus goes to such a question. */
  readonly askOwn = (question: Question, signal: AbortSignal, place?: QuestionPlace): Promise<PersonAnswer> =>
    this.ask({ ...question, takesFocus: true }, signal, place);

  list(): readonly Question[] {
    return this.#pending.list();
  }

  /** False for a question that is no longer open: an answer that comes too late answers nothing. */
  answer(answer: PersonAnswer): boolean {
    const question = this.#pending.find(answer.askId);
    return question?.choices.includes(answer.choice) === true && this.#pending.settle(answer.askId, answer);
  }

  /** The person turned away from these: each gets a plain no, which holds for this one request and is remembered nowhere. */
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

/** Where something is shown while it waits, for what has a place of its own (a card in the chat). */
interface Place<Item> {
  show(item: Item): void;
  hide(): void;
}

interface Pending<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
}

/** Whatever waits for a person's answer. Each is settled once: by its own answer, or by being withdrawn. */
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

  /** False for what waits no longer: an answer that comes too late answers nothing. */
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

/** As a question names it: the name of a model or of a task is written somewhere, and could be made of anything. */
export function shownAsker(asker: Asker): Asker {
  return 'name' in asker ? { ...asker, name: revealInvisible(asker.name) } : asker;
}
