import { abortError } from '../base/abort.ts';
import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';

/** Where something is shown while it waits, for what has a place of its own (a card in the chat). */
export interface Place<Item> {
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
