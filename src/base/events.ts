import { type Disposable, toDisposable } from './lifecycle.ts';

export type Event<T> = (listener: (value: T) => void) => Disposable;

/** A listener that throws is reported to `onListenerError` and disturbs no other listener. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();
  readonly #onListenerError: (error: unknown) => void;

  constructor(onListenerError: (error: unknown) => void = rethrowLater) {
    this.#onListenerError = onListenerError;
  }

  readonly event: Event<T> = (listener) => {
    // A wrapper per subscription, so that one function subscribed twice is two subscriptions.
    const own = (value: T): void => listener(value);
    this.#listeners.add(own);
    return toDisposable(() => this.#listeners.delete(own));
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.#onListenerError(error);
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** One listener at `event` for all who listen here, while anybody does: for what is dear to listen to. */
export function sharedEvent<T>(event: Event<T>): Event<T> {
  const told = new Emitter<T>();
  let listeners = 0;
  let source: Disposable | undefined;
  return (listener) => {
    const own = told.event(listener);
    listeners += 1;
    source ??= event((value) => told.fire(value));
    let isOver = false;
    return {
      dispose: () => {
        if (isOver) {
          return;
        }
        isOver = true;
        own.dispose();
        listeners -= 1;
        if (listeners === 0) {
          source?.dispose();
          source = undefined;
        }
      },
    };
  };
}
