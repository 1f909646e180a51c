import type { Disposable } from '../base/lifecycle.ts';
import type { ServerSnapshot } from './shared/serverState.ts';

export interface FailureBatchOptions {
  /** Quiet time after which what failed is told. */
  readonly quietMs: number;
  /** The longest wait for servers that are still starting. */
  readonly maxMs: number;
  readonly tell: (failed: readonly ServerSnapshot[]) => void;
}

/**
 * Gathers failures so that ten broken servers make one notification. A server that will be tried again is not told of, and
 * one that was told of is told of again only after it ran.
 */
export class FailureBatch implements Disposable {
  readonly #options: FailureBatchOptions;
  readonly #told = new Set<string>();
  readonly #waiting = new Set<string>();
  #servers: readonly ServerSnapshot[] = [];
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FailureBatchOptions) {
    this.#options = options;
  }

  update(servers: readonly ServerSnapshot[]): void {
    this.#servers = servers;
    for (const { id, state } of servers) {
      if (state.kind === 'ready' || state.kind === 'stopped') {
        this.#told.delete(id);
        this.#waiting.delete(id);
      } else if (state.kind === 'failed' && state.retryAt === undefined && !this.#told.has(id) && !this.#waiting.has(id)) {
        this.#waiting.add(id);
        this.#wait();
      }
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    if (this.#timer === undefined) {
      this.#since = performance.now();
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#due(), this.#options.quietMs);
  }

  #due(): void {
    const isEarly = performance.now() - this.#since < this.#options.maxMs;
    if (isEarly && this.#servers.some(({ state }) => state.kind === 'starting')) {
      this.#timer = setTimeout(() => this.#due(), this.#options.quietMs);
      return;
    }
    this.#timer = undefined;
    const failed = this.#servers.filter(({ id, state }) => this.#waiting.has(id) && state.kind === 'failed');
    this.#waiting.clear();
    failed.forEach(({ id }) => this.#told.add(id));
    if (failed.length > 0) {
      this.#options.tell(failed);
    }
  }
}
