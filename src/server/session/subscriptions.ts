import { toDisposable, type Disposable } from '../../base/lifecycle.ts';
import type { Clock } from '../clock.ts';
import type { Resource } from '../catalog/catalog.ts';

/** Tells one session about changes of what it subscribed to: at once, then at most once per interval. */
export class Subscriptions implements Disposable {
  readonly #clock: Clock;
  readonly #interval: number;
  readonly #tell: (uri: string) => void;
  readonly #open = new Map<string, Disposable>();

  constructor(clock: Clock, interval: number, tell: (uri: string) => void) {
    this.#clock = clock;
    this.#interval = interval;
    this.#tell = tell;
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
    let quietUntil = -Infinity;
    let later: Disposable | undefined;
    const tell = (): void => {
      later = undefined;
      quietUntil = this.#clock.now() + this.#interval;
      this.#tell(resource.uri);
    };
    const listener = resource.changes(() => {
      if (later !== undefined) {
        return;
      }
      const wait = quietUntil - this.#clock.now();
      if (wait <= 0) {
        tell();
      } else {
        later = this.#clock.schedule(wait, tell);
      }
    });
    return toDisposable(() => {
      listener.dispose();
      later?.dispose();
    });
  }
}
