import { abortError } from '../base/abort.ts';
import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { PersonAnswer, Question } from '../contract/questions.ts';

/** Where a question is shown while it is open, for those that have a place of their own (a card in the chat). */
export interface QuestionPlace {
  show(question: Question): void;
  hide(): void;
}

interface Pending {
  readonly question: Question;
  readonly resolve: (answer: PersonAnswer) => void;
}

/** The questions that wait for a person in one surface. Each is settled once: by its own answer, or by being withdrawn. */
export class OpenQuestions implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  readonly #closing = new AbortController();
  readonly #pending = new Map<string, Pending>();

  readonly onDidChange = this.#changed.event;

  /** Resolves to the answer; rejects with an AbortError when the question is withdrawn. */
  readonly ask = (question: Question, signal: AbortSignal, place?: QuestionPlace): Promise<PersonAnswer> =>
    new Promise((resolve, reject) => {
      const ended = AbortSignal.any([signal, this.#closing.signal]);
      if (ended.aborted) {
        reject(abortError('The question was withdrawn.'));
        return;
      }
      const close = (): void => {
        ended.removeEventListener('abort', withdraw);
        this.#pending.delete(question.askId);
        place?.hide();
        this.#changed.fire();
      };
      const withdraw = (): void => {
        close();
        reject(abortError('The question was withdrawn.'));
      };
      ended.addEventListener('abort', withdraw, { once: true });
      this.#pending.set(question.askId, {
        question,
        resolve: (answer) => {
          close();
          resolve(answer);
        },
      });
      place?.show(question);
      this.#changed.fire();
    });

  list(): readonly Question[] {
    return [...this.#pending.values()].map((pending) => pending.question);
  }

  /** False for a question that is no longer open: an answer that comes too late answers nothing. */
  answer(answer: PersonAnswer): boolean {
    const pending = this.#pending.get(answer.askId);
    if (pending === undefined || !pending.question.choices.includes(answer.choice)) {
      return false;
    }
    pending.resolve(answer);
    return true;
  }

  dispose(): void {
    this.#closing.abort();
    this.#lifetime.dispose();
  }
}
