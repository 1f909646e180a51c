import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { PersonAnswer, Question } from '../contract/questions.ts';
import type { Ask } from './consentGate.ts';

interface Pending {
  readonly question: Question;
  readonly resolve: (answer: PersonAnswer) => void;
}

/** The questions that wait for a person in one place (the consent panel). Each answer belongs to exactly one question. */
export class OpenQuestions implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  readonly #closing = new AbortController();
  readonly #pending = new Map<string, Pending>();

  readonly onDidChange = this.#changed.event;

  readonly ask: Ask = (question, signal) =>
    new Promise((resolve, reject) => {
      const ended = AbortSignal.any([signal, this.#closing.signal]);
      if (ended.aborted) {
        reject(abortError());
        return;
      }
      const withdraw = (): void => {
        this.#settle(question.askId);
        reject(abortError());
      };
      ended.addEventListener('abort', withdraw, { once: true });
      this.#pending.set(question.askId, {
        question,
        resolve: (answer) => {
          ended.removeEventListener('abort', withdraw);
          resolve(answer);
        },
      });
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
    this.#settle(answer.askId);
    pending.resolve(answer);
    return true;
  }

  dispose(): void {
    this.#closing.abort();
    this.#lifetime.dispose();
  }

  #settle(askId: string): void {
    if (this.#pending.delete(askId)) {
      this.#changed.fire();
    }
  }
}

function abortError(): DOMException {
  return new DOMException('The question was withdrawn.', 'AbortError');
}
