import type { Clock } from '../../base/clock.ts';
import { limitsSetting, type LimitsSetting } from '../../contract/settings/serverSettings.ts';

/** What one window's server grants, at most: what the person can set, and what they cannot. */
export interface ServerLimits extends LimitsSetting {
  /** Requests of one session that may be unanswered at a time. */
  readonly requestsInFlight: number;
}

export const defaultLimits: ServerLimits = { ...limitsSetting().parse({}), requestsInFlight: 256 };

/** Every wait of the server in milliseconds, so that tests need not live through them. */
export interface ServerTimings {
  /** How long a request waits for the person before it says that it is waiting. */
  readonly approvalWait: number;
  readonly approvalProgress: number;
  /** The same for acting questions, for requests that asked for progress. */
  readonly actWait: number;
  /** The same for calls by the chat and the other surfaces here, which wait for as long as the person lets them. */
  readonly ownWait: number;
  /** At most one `resources/updated` per this time, URI and session. */
  readonly updateInterval: number;
  readonly streamKeepAlive: number;
  readonly headers: number;
  readonly requestBody: number;
  /** How long a refused sender may go on sending before it is cut off. */
  readonly refusedBody: number;
  readonly registryRefresh: number;
  readonly stop: number;
}

export const defaultTimings: ServerTimings = {
  approvalWait: 25_000,
  approvalProgress: 8_000,
  actWait: 10 * 60_000,
  ownWait: 24 * 60 * 60_000,
  updateInterval: 250,
  streamKeepAlive: 15_000,
  headers: 10_000,
  requestBody: 30_000,
  refusedBody: 2_000,
  registryRefresh: 500,
  stop: 1_500,
};

/** Refills by the second, up to a second's worth, and never holds less than nothing: no debt outlives a second. */
export class Bucket {
  readonly #limit: () => number;
  readonly #clock: Clock;
  #tokens: number;
  #refilledAt: number;

  constructor(limit: () => number, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
    this.#tokens = limit();
    this.#refilledAt = clock.now();
  }

  get isFull(): boolean {
    this.#refill();
    return this.#tokens >= this.#limit();
  }

  /** Takes `cost`, or returns false and takes nothing. A cost above a whole bucket needs a full one. */
  take(cost: number): boolean {
    this.#refill();
    if (this.#tokens < Math.min(cost, this.#limit())) {
      return false;
    }
    this.#tokens = Math.max(0, this.#tokens - cost);
    return true;
  }

  #refill(): void {
    const now = this.#clock.now();
    const perSecond = this.#limit();
    this.#tokens = Math.min(perSecond, this.#tokens + ((now - this.#refilledAt) / 1_000) * perSecond);
    this.#refilledAt = now;
  }
}

/** Past this many, those that are full again, which are like new ones, are forgotten. */
const maxKept = 1_000;

/** A bucket for each of those who are counted apart. */
export class RateLimiter {
  readonly #limit: () => number;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  /** A function where the limit may change while buckets are in use. */
  constructor(perSecond: number | (() => number), clock: Clock) {
    this.#limit = typeof perSecond === 'number' ? () => perSecond : perSecond;
    this.#clock = clock;
  }

  take(key: string, cost: number): boolean {
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      this.#forgetFull();
      bucket = new Bucket(this.#limit, this.#clock);
      this.#buckets.set(key, bucket);
    }
    return bucket.take(cost);
  }

  #forgetFull(): void {
    if (this.#buckets.size >= maxKept) {
      [...this.#buckets].filter(([, { isFull }]) => isFull).forEach(([key]) => this.#buckets.delete(key));
    }
  }
}
