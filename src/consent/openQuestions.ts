import type { Disposable } from '../base/lifecycle.ts';
import type { Question } from '../contract/questions.ts';
import type { PersonAnswer } from '../contract/questions/answers.ts';
import { PendingAnswers, type Place } from './pendingAnswers.ts';

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
