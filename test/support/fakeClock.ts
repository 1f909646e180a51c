import type { Disposable } from '../../src/base/lifecycle.ts';
import type { Clock } from '../../src/base/clock.ts';

interface Timer {
  readonly at: number;
  readonly action: () => void;
}

/** Time that passes only when told to. */
export class FakeClock implements Clock {
  readonly #timers = new Set<Timer>();
  #now = 1_000;

  now(): number {
    return this.#now;
  }

  wallTime(): number {
    return this.#now;
  }

  schedule(delayMs: number, action: () => void): Disposable {
    const timer = { at: this.#now + delayMs, action };
    this.#timers.add(timer);
    return { dispose: () => this.#timers.delete(timer) };
  }

  get pending(): number {
    return this.#timers.size;
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#earliest(end); next !== undefined; next = this.#earliest(end)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.action();
    }
    this.#now = end;
  }

  #earliest(end: number): Timer | undefined {
    return [...this.#timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
  }
}
