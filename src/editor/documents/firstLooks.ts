import { lstatSync } from 'node:fs';
import { systemClock, type Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';

/** By the last one a watcher has begun, also in a window that opens on a busy machine. */
const looksMs = [1_000, 4_000, 15_000] as const;

/**
 * A file whose changes a watcher tells that was made only now. It begins some time after that, and says nothing of what happened
 * before: until then the file itself is looked at, a few times.
 */
export class FirstLooks implements Disposable {
  readonly #file: string;
  readonly #onChange: () => void;
  readonly #lifetime = new DisposableStore();
  #state: string;

  constructor(file: string, onChange: () => void, clock: Clock = systemClock) {
    this.#file = file;
    this.#onChange = onChange;
    this.#state = stateOf(file);
    for (const milliseconds of looksMs) {
      this.#lifetime.add(clock.schedule(milliseconds, () => this.#look(milliseconds === looksMs[2])));
    }
  }

  /** The watcher has told of what the file is now. */
  told(): void {
    if (!this.#lifetime.isDisposed) {
      this.#state = stateOf(this.#file);
    }
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #look(isLast: boolean): void {
    const state = stateOf(this.#file);
    const isChanged = state !== this.#state;
    this.#state = state;
    if (isLast) {
      this.dispose();
    }
    if (isChanged) {
      this.#onChange();
    }
  }
}

/** Of the name, not of what a link leads to. */
function stateOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = lstatSync(file);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return 'none';
  }
}
