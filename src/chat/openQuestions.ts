import type { PersonAnswer, Question } from '../contract/questions.ts';
import { abortError } from './scheduler.ts';

/** Where a question is shown while it is open. */
export interface QuestionPlace {
  show(question: Question): void;
  hide(): void;
}

/** The questions of this chat that wait for the person. Each is settled once: by an answer, or by being withdrawn. */
export class OpenQuestions {
  readonly #open = new Map<string, (answer: PersonAnswer) => void>();

  /** Resolves to the answer; rejects with an AbortError when the question is withdrawn. */
  ask(question: Question, signal: AbortSignal, place: QuestionPlace): Promise<PersonAnswer> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(abortError());
        return;
      }
      const close = (): void => {
        this.#open.delete(question.askId);
        signal.removeEventListener('abort', withdraw);
        place.hide();
      };
      const withdraw = (): void => {
        close();
        reject(abortError());
      };
      this.#open.set(question.askId, (answer) => {
        close();
        resolve(answer);
      });
      signal.addEventListener('abort', withdraw, { once: true });
      place.show(question);
    });
  }

  /** False for a question that is not open here: unknown, answered before or withdrawn. */
  answer(answer: PersonAnswer): boolean {
    const settle = this.#open.get(answer.askId);
    settle?.(answer);
    return settle !== undefined;
  }

  get size(): number {
    return this.#open.size;
  }
}
