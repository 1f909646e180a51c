import { systemClock, type Clock } from '../../../src/base/clock.ts';
import { toDisposable, type Disposable } from '../../../src/base/lifecycle.ts';

/** A clock that goes on by hours at once, as those of a machine do that sleeps: what was due meanwhile happens then, late. */
export class SleepyClock implements Clock {
  #asleepMs = 0;
  readonly #timers = new Set<{ readonly due: number; readonly ring: () => void }>();

  now(): number {
    return systemClock.now() + this.#asleepMs;
  }

  wallTime(): number {
    return systemClock.wallTime() + this.#asleepMs;
  }

  schedule(delayMs: number, action: () => void): Disposable {
    const ring = (): void => {
      handle.dispose();
      action();
    };
    const timer = { due: this.now() + delayMs, ring };
    const real = systemClock.schedule(delayMs, ring);
    const handle = toDisposable(() => {
      real.dispose();
      this.#timers.delete(timer);
    });
    this.#timers.add(timer);
    return handle;
  }

  sleep(ms: number): void {
    this.#asleepMs += ms;
    [...this.#timers].filter(({ due }) => due <= this.now()).forEach(({ ring }) => ring());
  }
}

/** A clock of this process that can be set: what a machine does that sleeps, or is told the time. */
export class JumpingClock {
  readonly #now = Date.now;
  #offsetMs = 0;
  jumps = 0;

  constructor() {
    Date.now = () => this.#now.call(Date) + this.#offsetMs;
  }

  jump(byMs: number): void {
    this.#offsetMs += byMs;
    this.jumps += 1;
  }

  dispose(): void {
    Date.now = this.#now;
  }
}
