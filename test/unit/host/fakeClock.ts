import { toDisposable } from '../../../src/base/lifecycle.ts';
import type { Clock } from '../../../src/host/clock.ts';

/** Time that passes when the test says so. */
export class FakeClock implements Clock {
  #now = 1_000_000;
  readonly #timers = new Set<{ readonly at: number; readonly action: () => void }>();

  now(): number {
    return this.#now;
  }

  schedule(delayMs: number, action: () => void): ReturnType<Clock['schedule']> {
    const timer = {
      at: this.#now + delayMs,
      action: () => {
        handle.dispose();
        action();
      },
    };
    this.#timers.add(timer);
    const handle = toDisposable(() => this.#timers.delete(timer));
    return handle;
  }

  get waiting(): number {
    return this.#timers.size;
  }

  advance(ms: number): void {
    this.#now += ms;
    const due = [...this.#timers].filter((timer) => timer.at <= this.#now);
    due.forEach((timer) => this.#timers.delete(timer));
    due.sort((a, b) => a.at - b.at).forEach((timer) => timer.action());
  }
}
