import { type Disposable, toDisposable } from './lifecycle.ts';

export type Event<T> = (listener: (value: T) => void) => Disposable;

/** An Emitter tells its listeners of a value. A listener that throws is reported to `onListenerError` and disturbs no other one. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();
  readonly #onListenerError: (error: unknown) => void;

  constructor(onListenerError: (error: unknown) => void = rethrowLater) {
    this.#onListenerError = onListenerError;
  }

  readonly event: Event<T> = (listener) => {
    // Each subscription has a wrapper of its own, so that one function can be subscribed twice.
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

/** Returns an event that listens to `event` once for all its own listeners, and only while it has any: for what is expensive to listen to. */
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
