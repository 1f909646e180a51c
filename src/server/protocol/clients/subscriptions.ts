import { toDisposable, type Disposable } from '../../../base/lifecycle.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Resource } from '../../offer/catalog/catalog.ts';
import { Throttle } from './throttle.ts';

/** More than any client reads; each one is a listener in the editor. */
export const maxSubscriptions = 1_000;

/** Tells one client about changes of what it subscribed to: at once, then at most once per interval. */
export class Subscriptions implements Disposable {
  readonly #clock: Clock;
  readonly #interval: number;
  readonly #tell: (uri: string, resource: Resource) => void;
  readonly #open = new Map<string, Disposable>();

  constructor(clock: Clock, interval: number, tell: (uri: string, resource: Resource) => void) {
    this.#clock = clock;
    this.#interval = interval;
    this.#tell = tell;
  }

  get isFull(): boolean {
    return this.#open.size >= maxSubscriptions;
  }

  add(resource: Resource): void {
    if (!this.#open.has(resource.uri)) {
      this.#open.set(resource.uri, this.#watch(resource));
    }
  }

  remove(uri: string): void {
    this.#open.get(uri)?.dispose();
    this.#open.delete(uri);
  }

  dispose(): void {
    for (const uri of [...this.#open.keys()]) {
      this.remove(uri);
    }
  }

  #watch(resource: Resource): Disposable {
    const throttle = new Throttle(this.#clock, this.#interval, () => this.#tell(resource.uri, resource));
    const listener = resource.changes(() => throttle.fire());
    return toDisposable(() => {
      listener.dispose();
      throttle.dispose();
    });
  }
}
