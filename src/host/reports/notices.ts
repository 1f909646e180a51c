// reports/: what a person is told of servers: the lines of their logs, why one does not run, and failures, several in one notice.
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { needsPermission, type ScopeWish, type ServerSnapshot } from '../shared/serverState.ts';

export interface FailureBatchOptions {
  /** The time without a new failure after which the failures are reported. */
  readonly quietMs: number;
  /** The longest wait for servers that are still starting. */
  readonly maxMs: number;
  readonly tell: (failed: readonly ServerSnapshot[]) => void;
  readonly clock?: Clock | undefined;
}

/**
 * Gathers failures so that ten broken servers make one notification. A server that will be tried again is not reported, and
 * a reported one is reported again only after it ran.
 */
export class FailureBatch implements Disposable {
  readonly #options: FailureBatchOptions;
  readonly #clock: Clock;
  readonly #told = new Set<string>();
  readonly #waiting = new Set<string>();
  #servers: readonly ServerSnapshot[] = [];
  #since = 0;
  #timer: Disposable | undefined;

  constructor(options: FailureBatchOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
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
    this.#timer?.dispose();
  }

  #wait(): void {
    if (this.#timer === undefined) {
      this.#since = this.#clock.now();
    }
    this.#timer?.dispose();
    this.#schedule();
  }

  #schedule(): void {
    this.#timer = this.#clock.schedule(this.#options.quietMs, () => this.#due());
  }

  #due(): void {
    const isEarly = this.#clock.now() - this.#since < this.#options.maxMs;
    if (isEarly && this.#servers.some(({ state }) => state.kind === 'starting')) {
      this.#schedule();
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

export interface PermissionOffersPorts {
  readonly servers: () => readonly ServerSnapshot[];
  /** Resolves when the notification is gone: to true when the person wants to look. */
  readonly show: (waiting: readonly ServerSnapshot[]) => Promise<boolean>;
  readonly start: (server: ServerSnapshot) => Promise<unknown>;
  /** Called when the person wants to look, but nothing waits any more. */
  readonly tellSettled: () => void;
}

type IsAdded = (server: ServerSnapshot) => boolean;

/**
 * Offers to start the servers that wait for permission, one notification at a time. VS Code cannot withdraw a notification,
 * so a second one beside it would be outdated. A server that comes while one is open belongs to its answer, or is offered
 * after it.
 */
export class PermissionOffers {
  readonly #ports: PermissionOffersPorts;
  readonly #news = new PermissionNews();
  #isOpen = false;
  /** Tells the servers that are just being added. */
  readonly #adding = new Set<IsAdded>();

  constructor(ports: PermissionOffersPorts) {
    this.#ports = ports;
  }

  async offer(): Promise<void> {
    if (this.#isOpen) {
      return;
    }
    this.#isOpen = true;
    try {
      for (let news = this.#look(); news.length > 0; news = this.#look()) {
        if (await this.#ports.show(news)) {
          await this.#startAll();
        }
      }
    } finally {
      this.#isOpen = false;
    }
  }

  /**
   * Runs what adds servers and asks itself whether they may start; it resolves to their ids. It tells which they are before they are
   * there. These servers are not offered meanwhile, nor afterwards: the person has just been asked.
   */
  async whileAdding(add: (willAdd: (isAdded: IsAdded) => void) => Promise<readonly string[]>): Promise<readonly string[]> {
    const told: IsAdded[] = [];
    const willAdd = (isAdded: IsAdded): void => {
      told.push(isAdded);
      this.#adding.add(isAdded);
    };
    try {
      const added = await add(willAdd);
      this.#news.skip(added);
      return added;
    } finally {
      told.forEach((isAdded) => this.#adding.delete(isAdded));
    }
  }

  #look(): readonly ServerSnapshot[] {
    const isOffered = (server: ServerSnapshot): boolean => ![...this.#adding].some((isAdded) => isAdded(server));
    return this.#news.since(this.#ports.servers().filter(isOffered));
  }

  async #startAll(): Promise<void> {
    this.#news.since(this.#ports.servers());
    const waiting = this.#ports.servers().filter(needsPermission);
    if (waiting.length === 0) {
      this.#ports.tellSettled();
    }
    await Promise.all(waiting.map((server) => this.#ports.start(server)));
  }
}

/** Finds the servers that wait for permission since the last look. */
export class PermissionNews {
  #noticed: ReadonlySet<string> = new Set();

  since(servers: readonly ServerSnapshot[]): readonly ServerSnapshot[] {
    const waiting = servers.filter(needsPermission);
    const news = waiting.filter((server) => !this.#noticed.has(server.id));
    // A server that ran and waits again has changed, so it is news again.
    this.#noticed = new Set(waiting.map((server) => server.id));
    return news;
  }

  /** Takes servers for noticed that the person learnt of in another way. */
  skip(ids: readonly string[]): void {
    this.#noticed = new Set([...this.#noticed, ...ids]);
  }
}

export interface ScopeOffersPorts {
  /** How long a server is not offered again after the person closed one of its notifications, or the sign-in that it offered is over. */
  readonly pauseMs: number;
  /** Resolves when the notification is gone: to true when the person wants to sign in. */
  readonly show: (wish: ScopeWish) => Promise<boolean>;
  /** Settles when the person has signed in or given it up. */
  readonly signIn: (wish: ScopeWish) => Promise<void>;
}

/** The most offers to sign in for more access that one server has open; further ones are dropped. */
const maxOpenOffers = 3;

/**
 * Offers to sign in again for more access. Every refused request brings a wish, and a server can refuse as often as it likes:
 * each scope is offered once at a time, a server has few offers open, and each is followed by a pause. While the person signs in for
 * a scope it counts as offered: to sign in once more would close the page that they are filling in.
 */
export class ScopeOffers {
  readonly #ports: ScopeOffersPorts;
  readonly #open = new Map<string, Set<string | undefined>>();
  readonly #quietUntil = new Map<string, number>();

  constructor(ports: ScopeOffersPorts) {
    this.#ports = ports;
  }

  async offer(wish: ScopeWish): Promise<void> {
    const { serverId, scope } = wish;
    const open = this.#open.get(serverId) ?? new Set();
    const isQuiet = performance.now() < (this.#quietUntil.get(serverId) ?? 0);
    if (isQuiet || open.has(scope) || open.size >= maxOpenOffers) {
      return;
    }
    this.#open.set(serverId, open.add(scope));
    try {
      if (await this.#ports.show(wish)) {
        await this.#ports.signIn(wish);
      }
    } finally {
      open.delete(scope);
      this.#quietUntil.set(serverId, performance.now() + this.#ports.pauseMs);
    }
  }
}
