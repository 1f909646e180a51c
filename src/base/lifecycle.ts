// base/: what every room stands on: lifetimes (this file), events, errors, the clock, stopping, JSON, text. It imports nothing, and
// runs in Node and in a browser page alike.
/** A Disposable holds a resource until it is told to let go. Calling `dispose` twice is harmless. */
export interface Disposable {
  dispose(): void;
}

/** A LeakTracker is told of every disposable that is made or disposed of, so that a test suite can fail on what is left. */
export interface LeakTracker {
  created(disposable: Disposable): void;
  disposed(disposable: Disposable): void;
}

let leakTracker: LeakTracker | undefined;

/** Sets the leak tracker, for test suites only; returns the one that was in place before. */
export function setLeakTracker(tracker: LeakTracker | undefined): LeakTracker | undefined {
  const before = leakTracker;
  leakTracker = tracker;
  return before;
}

export function toDisposable(release: () => void): Disposable {
  let released = false;
  const disposable: Disposable = {
    dispose: () => {
      if (!released) {
        released = true;
        leakTracker?.disposed(disposable);
        release();
      }
    },
  };
  leakTracker?.created(disposable);
  return disposable;
}

/** A DisposableStore owns disposables, each of which is added the moment it is born. It disposes of them in reverse order, of all of them even if one throws. */
export class DisposableStore implements Disposable {
  readonly #owned = new Set<Disposable>();
  #disposed = false;

  constructor() {
    leakTracker?.created(this);
  }

  get isDisposed(): boolean {
    return this.#disposed;
  }

  add<T extends Disposable>(disposable: T): T {
    if (this.#disposed) {
      disposable.dispose();
    } else {
      this.#owned.add(disposable);
    }
    return disposable;
  }

  /** Disposes of one early and forgets it. */
  release(disposable: Disposable): void {
    if (this.#owned.delete(disposable)) {
      disposable.dispose();
    }
  }

  dispose(): void {
    if (this.#disposed) {
      return;
    }
    this.#disposed = true;
    leakTracker?.disposed(this);
    const failures: unknown[] = [];
    for (const disposable of [...this.#owned].reverse()) {
      try {
        disposable.dispose();
      } catch (error) {
        failures.push(error);
      }
    }
    this.#owned.clear();
    if (failures.length > 0) {
      throw new AggregateError(failures, 'Some resources could not be released.');
    }
  }
}
